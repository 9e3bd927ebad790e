/** `tradeline registry import|status` */
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { isDatabaseAway } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import type { Clock } from '#infra/time/clock';
import { StartRefused } from '#kernel/start-refused';
import { refreshBuyers } from '#modules/buyers';
import { freezeDissolved } from '#modules/facilities';
import { auditKeyOf, endPermission, findPermission, recordAudit } from '#modules/operators';
import {
  countCompaniesByRegistry,
  FORMAT_NAMES,
  type FormatName,
  type ImportProgress,
  type ImportRequest,
  type ImportSummary,
  importRegistry,
  listImports,
  type NamedRegistryFile,
  nameRegistryFile,
  registryFileImport,
} from '#modules/registry';
import type { Installation } from '../app.ts';
import { asOperator } from './as-operator.ts';
import { commandOf } from './command.ts';
import { nowOn, type OnPlatform, onPlatform, withInstallation } from './installation.ts';
import { reasonText } from './options.ts';
import { registryImportRecord } from './registry-record.ts';
import { proposedSentence, requestAndPrint } from './request-change.ts';

const REASONS_SHOWN = 10;
const COMPANIES_AT_ONCE_MAX = 500;

export const registryCommand = commandOf('registry', { import: importFile, status });

async function importFile(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      format: { type: 'string' },
      refused: { type: 'string' },
      again: { type: 'boolean', default: false },
      reason: { type: 'string' },
      platform: { type: 'string' },
    },
  });
  const [path, ...others] = positionals;
  if (path === undefined || others.length > 0)
    throw new StartRefused('Name one file: tradeline registry import FILE.');
  const format = readFormatName(values.format);
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(values.platform, async (on) => {
    const request = { path, format, refusedPath: values.refused ?? null, isRestarted: values.again };
    const file = await nameRegistryFile(on.db, request);
    if (file.isImported && !values.again) {
      await load(on, request);
      return;
    }
    const approvalId = await findApproved(on, file, reason);
    if (approvalId !== null) await loadApproved(on, request, { file, approvalId, reason });
  });
}

type FileRequest = Omit<ImportRequest, 'onProgress' | 'signal'>;

/** The approval of this file that was not used yet. Null if there is none: then it is proposed, unless it waits already. */
async function findApproved(
  on: OnPlatform,
  { isImported: _, ...file }: NamedRegistryFile,
  reason: string,
): Promise<string | null> {
  const kind = registryFileImport;
  const { sha256 } = file;
  const found = await findPermission(on.db, on.platform.platform_id, kind.name, { sha256 });
  if (found?.status === 'APPROVED') return found.approval_id;
  if (found) console.log(proposedSentence(found.approval_id));
  else await requestAndPrint(on, { kind, payload: file, reason, made: '' });
  console.log(`SHA-256 ${sha256}. Give the same command again once it is approved.`);
  return null;
}

interface ApprovedFile {
  file: NamedRegistryFile;
  approvalId: string;
  reason: string;
}

/** Loads the file between two entries of the audit log: an import that is interrupted has left the first one. */
async function loadApproved(
  on: OnPlatform,
  request: FileRequest,
  { file: { isImported: _, ...file }, approvalId, reason }: ApprovedFile,
): Promise<void> {
  const approved = { ...file, approval_id: approvalId };
  const actor = await asOperator(on, { role: 'ADMIN' }, async (context) => ({
    answer: context.actor,
    audit: registryImportRecord(approved, reason, null),
  }));
  const summary = await load(on, request);
  await inTransaction(on.db, async (db) => {
    const context = { db, platformId: on.platform.platform_id, actor, now: nowOn(on) };
    if (summary.outcome !== 'STOPPED') await endPermission(db, context.platformId, approvalId, context.now);
    const audit = registryImportRecord(approved, reason, summary);
    await recordAudit(context, auditKeyOf(on.vault, on.platform), audit);
  });
}

async function load(on: OnPlatform, request: FileRequest): Promise<ImportSummary> {
  const progress = progressLine(on.clock);
  try {
    const summary = await importRegistry(on.db, on.clock, {
      ...request,
      onProgress: progress.show,
      signal: stopSignal(),
    });
    await refreshAllBuyers(on);
    progress.end();
    console.log(describe(summary, request.refusedPath));
    if (summary.outcome === 'STOPPED') process.exitCode = 130;
    return summary;
  } catch (error) {
    progress.end();
    if (!isDatabaseAway(error)) throw error;
    throw new StartRefused(
      `The database stopped the import (${(error as Error).message}). Run the same command again: it goes on from there.`,
    );
  }
}

/** Refreshes buyers at once: there may be no server running that does it every second. */
async function refreshAllBuyers({ db, clock }: Installation): Promise<void> {
  while (
    (await refreshBuyers(db, clock.now(), COMPANIES_AT_ONCE_MAX, freezeDissolved)) === COMPANIES_AT_ONCE_MAX
  );
}

function readFormatName(text: string | undefined): FormatName | null {
  if (text === undefined) return null;
  const name = FORMAT_NAMES.find((known) => known === text);
  if (name) return name;
  throw new StartRefused(`--format: ${text} is not one of ${FORMAT_NAMES.join(', ')}.`);
}

/** Aborts at the first signal: the import stops after the current batch. A second signal ends the process. */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => controller.abort());
  return controller.signal;
}

const LINES_PER_SECOND_ON_A_TERMINAL = 4;
const SECONDS_BETWEEN_LINES_ELSEWHERE = 30;

/** Prints progress: on a terminal one line that is overwritten, otherwise a new line every 30 seconds. */
function progressLine(clock: Clock): { show(progress: ImportProgress): void; end(): void } {
  const { isTTY } = process.stderr;
  const pauseMs = isTTY ? 1_000 / LINES_PER_SECOND_ON_A_TERMINAL : SECONDS_BETWEEN_LINES_ELSEWHERE * 1_000;
  const rate = rateOf(clock);
  let shownMs = clock.elapsedMs();
  let isLineOpen = false;
  return {
    show(progress) {
      const perSecond = rate(progress);
      const isLast = isTTY && progress.phase === 'counting words';
      if (clock.elapsedMs() - shownMs < pauseMs && !isLast) return;
      shownMs = clock.elapsedMs();
      const parts = [
        `${Math.floor(progress.share * 100)} %`,
        `${amount(progress.recordsRead)} records`,
        `${amount(perSecond)}/s`,
        `${amount(progress.recordsRefused)} refused`,
        progress.phase,
      ];
      process.stderr.write(isTTY ? `\r\x1b[K${parts.join(' · ')}` : `${parts.join(' · ')}\n`);
      isLineOpen = isTTY;
    },
    end() {
      if (isLineOpen) process.stderr.write('\n');
      isLineOpen = false;
    },
  };
}

/** Records per second since the phase began. */
function rateOf(clock: Clock): (progress: ImportProgress) => number {
  let begun = { phase: '', records: 0, ms: 0 };
  let perSecond = 0;
  return ({ phase, recordsRead }) => {
    if (phase === 'counting words') return perSecond;
    if (phase !== begun.phase) begun = { phase, records: recordsRead, ms: clock.elapsedMs() };
    const seconds = (clock.elapsedMs() - begun.ms) / 1_000;
    perSecond = seconds > 0 ? Math.round((recordsRead - begun.records) / seconds) : 0;
    return perSecond;
  };
}

function describe(summary: ImportSummary, refusedPath: string | null): string {
  const { fileName, format, outcome, resumedAfter, refusals } = summary;
  if (outcome === 'UNCHANGED') {
    return `${fileName} was imported before, ${amount(summary.recordsRead)} records. Add --again to import it again.`;
  }
  const lines = [
    `${fileName} (${format}): ${amount(summary.recordsRead)} records read, ${amount(summary.companiesWritten)} companies written, ${amount(summary.recordsRefused)} refused.`,
  ];
  if (resumedAfter > 0) lines.push(`This run went on behind record ${amount(resumedAfter)}.`);
  for (const { reason, records } of refusals.slice(0, REASONS_SHOWN))
    lines.push(`  ${amount(records)} × ${reason}`);
  if (refusals.length > 0)
    lines.push(
      refusedPath === null
        ? 'Add --refused report.csv and --again to have each of them listed.'
        : `Each of them is listed in ${basename(refusedPath)}.`,
    );
  if (summary.unknownColumns.length > 0)
    lines.push(`Columns that are not known and were not read: ${summary.unknownColumns.join(', ')}.`);
  if (outcome === 'STOPPED') lines.push('Stopped. Run the same command again to go on.');
  return lines.join('\n');
}

async function status(): Promise<void> {
  await withInstallation(showStatus);
}

async function showStatus({ db }: Installation): Promise<void> {
  const [registries, imports] = await Promise.all([countCompaniesByRegistry(db), listImports(db)]);
  if (registries.length === 0)
    console.log('No company is known: import a file with tradeline registry import FILE.');
  else console.table(registries.map(({ registry, companies }) => ({ registry, companies })));
  if (imports.length === 0) return;
  const instant = (at: number | null) => (at === null ? 'not finished' : new Date(at * 1_000).toISOString());
  console.table(
    imports.map((each) => ({
      file: each.file_name,
      format: each.format,
      read: each.records_read,
      written: each.companies_written,
      refused: each.records_refused,
      started: instant(each.started_at),
      finished: instant(each.finished_at),
    })),
  );
}

const amount = (count: number) => count.toLocaleString('en');
