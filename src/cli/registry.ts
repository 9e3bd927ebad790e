/** `tradeline registry import|status` */
import { basename } from 'node:path';
import { isDatabaseAway } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import { StartRefused } from '#kernel/start-refused';
import { refreshBuyers } from '#modules/buyers';
import { freezeDissolved } from '#modules/facilities';
import { auditKeyOf, endPermission, findPermission, recordAudit } from '#modules/operators';
import {
  countCompaniesByRegistry,
  FORMAT_NAMES,
  type FormatName,
  type ImportRequest,
  type ImportSummary,
  importRegistry,
  listImports,
  type NamedRegistryFile,
  nameRegistryFile,
  registryFileImport,
} from '#modules/registry';
import type { Installation } from '../installation.ts';
import { readArguments, WrongUsage } from './arguments.ts';
import { asOperator } from './as-operator.ts';
import { commandOf } from './command.ts';
import { nowOn, type OnPlatform, onPlatform, withInstallation } from './installation.ts';
import { reasonText } from './options.ts';
import { progressLine } from './registry-progress.ts';
import { registryImportRecord } from './registry-record.ts';
import { proposedSentence, requestAndPrint } from './request-change.ts';
import { printDone, printResult } from './result.ts';
import { instant, printTable } from './table.ts';
import { shownCount } from './terminal-progress.ts';

const REASONS_SHOWN = 10;
const COMPANIES_AT_ONCE_MAX = 500;

export const registryCommand = commandOf('registry', { import: importFile, status });

async function importFile(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
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
    throw new WrongUsage('Name one file: tradeline registry import FILE.');
  const format = readFormatName(values.format);
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(values.platform, async (on) => {
    const request = {
      ...{ path, format, refusedPath: values.refused ?? null },
      isRestarted: values.again,
      isJson: values.json,
    };
    const file = await nameRegistryFile(on.db, request);
    if (file.isImported && !values.again) {
      await load(on, request);
      return;
    }
    const approvalId = await findApproved(on, file, { reason, isJson: values.json });
    if (approvalId !== null) await loadApproved(on, request, { file, approvalId, reason });
  });
}

type FileRequest = Omit<ImportRequest, 'onProgress' | 'signal'> & { isJson: boolean };

/** The unused approval of this file. Null if none exists: then the import is proposed, unless a proposal already waits. */
async function findApproved(
  on: OnPlatform,
  { isImported: _, ...file }: NamedRegistryFile,
  { reason, isJson }: { reason: string; isJson: boolean },
): Promise<string | null> {
  const kind = registryFileImport;
  const { sha256 } = file;
  const found = await findPermission(on.db, on.platform.platform_id, kind.name, { sha256 });
  if (found?.status === 'APPROVED') return found.approval_id;
  const sentence = `SHA-256 ${sha256}. Run the same command again after the approval.`;
  if (found) {
    const waiting = { approval_id: found.approval_id, sha256 };
    printDone(isJson, waiting, `${proposedSentence(found.approval_id)}\n${sentence}`);
  } else {
    const shown = { fields: { sha256 }, sentence };
    await requestAndPrint(on, { kind, payload: file, reason, isJson, made: '', shown });
  }
  return null;
}

interface ApprovedFile {
  file: NamedRegistryFile;
  approvalId: string;
  reason: string;
}

/** Loads the file between two audit entries, so that an interrupted import leaves the first one. */
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

async function load(on: OnPlatform, { isJson, ...request }: FileRequest): Promise<ImportSummary> {
  const progress = progressLine(on.clock);
  try {
    const summary = await importRegistry(on.db, on.clock, {
      ...request,
      onProgress: progress.show,
      signal: stopSignal(),
    });
    await refreshAllBuyers(on);
    progress.end();
    printDone(isJson, fieldsOf(summary), describe(summary, request.refusedPath));
    if (summary.outcome === 'STOPPED') process.exitCode = 130;
    return summary;
  } catch (error) {
    progress.end();
    if (!isDatabaseAway(error)) throw error;
    throw new StartRefused(
      `The database stopped the import (${(error as Error).message}). Run the same command again: it continues from there.`,
    );
  }
}

function fieldsOf(summary: ImportSummary): object {
  return {
    file_name: summary.fileName,
    format: summary.format,
    outcome: summary.outcome,
    records_read: summary.recordsRead,
    companies_written: summary.companiesWritten,
    records_refused: summary.recordsRefused,
    refusals: summary.refusals,
    unknown_columns: summary.unknownColumns,
  };
}

/** Refreshes buyers immediately, because there may be no running server that does it every second. */
async function refreshAllBuyers({ db, clock }: Installation): Promise<void> {
  while (
    (await refreshBuyers(db, clock.now(), COMPANIES_AT_ONCE_MAX, freezeDissolved)) === COMPANIES_AT_ONCE_MAX
  );
}

function readFormatName(text: string | undefined): FormatName | null {
  if (text === undefined) return null;
  const name = FORMAT_NAMES.find((known) => known === text);
  if (name) return name;
  throw new WrongUsage(`--format: ${text} is not one of ${FORMAT_NAMES.join(', ')}.`);
}

/** Aborts at the first signal: the import stops after the current batch. A second signal ends the process. */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => controller.abort());
  return controller.signal;
}

function describe(summary: ImportSummary, refusedPath: string | null): string {
  const { fileName, format, outcome, resumedAfter, refusals } = summary;
  if (outcome === 'UNCHANGED') {
    return `${fileName} was already imported (${shownCount(summary.recordsRead)} records). Add --again to import it again.`;
  }
  const lines = [
    `${fileName} (${format}): ${shownCount(summary.recordsRead)} records read, ${shownCount(summary.companiesWritten)} companies written, ${shownCount(summary.recordsRefused)} refused.`,
  ];
  if (resumedAfter > 0) lines.push(`This run continued after record ${shownCount(resumedAfter)}.`);
  for (const { reason, records } of refusals.slice(0, REASONS_SHOWN))
    lines.push(`  ${shownCount(records)} × ${reason}`);
  if (refusals.length > 0)
    lines.push(
      refusedPath === null
        ? 'Add --refused report.csv and --again to list each of them.'
        : `Each of them is listed in ${basename(refusedPath)}.`,
    );
  if (summary.unknownColumns.length > 0)
    lines.push(`Unknown columns, which were not read: ${summary.unknownColumns.join(', ')}.`);
  if (outcome === 'STOPPED') lines.push('Stopped. Run the same command again to continue.');
  return lines.join('\n');
}

async function status(args: string[]): Promise<void> {
  const { values } = readArguments({ args });
  await withInstallation(async ({ db }) => {
    const [registries, imports] = await Promise.all([countCompaniesByRegistry(db), listImports(db)]);
    const shown = {
      registries: registries.map(({ registry, companies }) => ({ registry, companies })),
      imports: imports.map((each) => ({
        file_name: each.file_name,
        format: each.format,
        records_read: each.records_read,
        companies_written: each.companies_written,
        records_refused: each.records_refused,
        started_at: each.started_at,
        finished_at: each.finished_at,
      })),
    };
    printResult(values.json, shown, () => printStatus(shown.registries, shown.imports));
  });
}

type ImportShown = Pick<
  Awaited<ReturnType<typeof listImports>>[number],
  | 'file_name'
  | 'format'
  | 'records_read'
  | 'companies_written'
  | 'records_refused'
  | 'started_at'
  | 'finished_at'
>;

function printStatus(
  registries: readonly { registry: string; companies: number }[],
  imports: readonly ImportShown[],
): void {
  printTable(
    registries.map(({ registry, companies }) => ({ registry, companies: shownCount(companies) })),
    'No company is stored: import a file with tradeline registry import FILE.',
    { isRightAligned: true },
  );
  if (imports.length === 0) return;
  console.log('');
  printTable(
    imports.map((each) => ({
      file: each.file_name,
      format: each.format,
      read: shownCount(each.records_read),
      written: shownCount(each.companies_written),
      refused: shownCount(each.records_refused),
      started: instant(each.started_at),
      finished: each.finished_at === null ? 'not finished' : instant(each.finished_at),
    })),
    '',
  );
}
