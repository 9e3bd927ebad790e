/** `tradeline platform export`: exports a platform that moves to another database. */
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  copyRowsOut,
  listCopiedTables,
  listOpenTransactions,
  nameSnapshot,
  prepareCopies,
} from '#infra/database/copied-tables.queries';
import type { Db } from '#infra/database/database';
import { listMigrations } from '#infra/database/installation.queries';
import { type OwnerConnection, withOwnerConnection } from '#infra/database/owner-connection';
import { listFilesInFolder } from '#infra/files/file.queries';
import { openFileFolder } from '#infra/files/file-folder';
import { createFileStore } from '#infra/files/file-store';
import type { PlatformVault } from '#infra/secrets/vault';
import { StartRefused } from '#kernel/start-refused';
import { countUnnumberedEntries } from '#modules/ledger';
import { listMailsUnderWay } from '#modules/notifications';
import { beginRelocation, keepSnapshot } from '#modules/platforms';
import { arrivedCompanies, copyCompaniesOut, listMissingCompanies } from '#modules/registry';
import { findUnderWay } from '#modules/webhooks';
import { readArguments, WrongUsage } from './arguments.ts';
import { asOperator } from './as-operator.ts';
import { assertOneMachine, type OnPlatform, onPlatform } from './installation.ts';
import { wholeNumber } from './options.ts';
import { faultsOfPlatform } from './platform-faults.ts';
import { giveUp, listWritten, SUBJECT } from './platform-relocated.ts';
import { companiesOf } from './relocated-companies.ts';
import {
  makeRelocationFolder,
  type RelocatedFile,
  type RelocatedTable,
  type RelocationManifest,
  writeRelocated,
  writeRelocationManifest,
} from './relocation-folder.ts';
import { printDone } from './result.ts';
import { SHARED_TABLES } from './shared-tables.ts';

const text = { type: 'string' } as const;
/** Longer than processes cache keys and platforms. */
const KNOWN_MS = 4_000;
const LOOK_MS = 100;
/** The size of the parts in which a file is read. */
const PART_BYTES = 262_144;

/** The platform stays read-only afterwards, until `relocated`. */
export async function exportPlatform(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { out: text, wait: { type: 'string', default: '30' } },
  });
  const [code, ...more] = positionals;
  const { out: folder } = values;
  if (code === undefined || more.length > 0 || folder === undefined)
    throw new WrongUsage('Name one platform and a new folder: tradeline platform export CODE --out FOLDER.');
  const waitSeconds = wholeNumber(values.wait, '--wait', 0);
  await onPlatform(code, async (on) => {
    await assertOneMachine(on);
    await makeRelocationFolder(folder);
    try {
      await settle(on, waitSeconds);
      const manifest = await withOwnerConnection(on.owner, (connection) => copyOut(connection, on, folder));
      const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
      printDone(
        values.json,
        { code, rows, tables: manifest.tables.length, files: manifest.files.length },
        [
          `${code} was exported: ${rows} rows of ${manifest.tables.length} tables, ${manifest.files.length} files. It is read-only here.`,
          `Import it with \`tradeline platform import ${code} --from FOLDER\` on the other database. Then run here \`tradeline platform relocated ${code}\`,`,
          `or \`tradeline platform relocated ${code} --given-up\` to continue here.`,
        ].join('\n'),
      );
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  });
}

/** Makes the platform read-only and waits for running work. If that does not end in time, the platform accepts writes again. */
async function settle(on: OnPlatform, waitSeconds: number): Promise<void> {
  const { db, clock, platform } = on;
  const { code, platform_id: platformId } = platform;
  const isNew = await asOperator(on, { role: 'ADMIN', isOfRelocation: true }, async (context) => ({
    answer: await beginRelocation(context.db, platformId, clock.now()),
    audit: { action: 'PLATFORM_EXPORTED', subject: SUBJECT },
  }));
  await sleep(KNOWN_MS);
  // Earlier requests end within the time limits of their statements.
  const before = await listOpenTransactions(db);
  // No mail is claimed any more.
  const mails = await listMailsUnderWay(db, platformId);
  const endsAtMs = clock.elapsedMs() + waitSeconds * 1_000;
  for (;;) {
    const waiting = [
      ...(await underWay(on, mails)),
      ...((await listOpenTransactions(db)).some((each) => before.includes(each))
        ? ['transactions that began before the export are still running']
        : []),
    ];
    if (waiting.length === 0) return;
    if (clock.elapsedMs() >= endsAtMs) {
      if (isNew) await giveUp(on);
      const goesOn = isNew ? 'The platform accepts writes again.' : 'The platform stays read-only.';
      throw new StartRefused(`${code} cannot be exported yet: ${waiting.join(', ')}. ${goesOn}`);
    }
    await sleep(LOOK_MS);
  }
}

/** @param mails The mails that were being sent when the last one was claimed. */
async function underWay(
  { db, platform: { platform_id: platformId } }: OnPlatform,
  mails: readonly string[],
): Promise<string[]> {
  const { pending, unnumbered } = await findUnderWay(db, platformId);
  const entries = await countUnnumberedEntries(db, platformId);
  const sent = mails.length === 0 ? [] : await listMailsUnderWay(db, platformId);
  const left = sent.filter((mailId) => mails.includes(mailId)).length;
  return [
    ...(pending > 0 ? [`pending deliveries: ${pending}`] : []),
    ...(unnumbered > 0 ? [`events without a number: ${unnumbered}`] : []),
    ...(entries > 0 ? [`ledger entries without a number: ${entries}`] : []),
    ...(left > 0 ? [`mails being sent: ${left}`] : []),
  ];
}

async function copyOut(
  connection: OwnerConnection,
  on: OnPlatform,
  folder: string,
): Promise<RelocationManifest> {
  const { vault, platform, settings, clock } = on;
  const { code, platform_id: platformId, data_key_wrapped: wrapped } = platform;
  const platformVault = vault.forPlatform(code, wrapped);
  const tables = await listCopiedTables(connection.db, SHARED_TABLES);
  const copied = await connection.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (db) => {
      const snapshot = await nameSnapshot(db);
      await prepareCopies(db);
      const faults = await faultsOfPlatform(db, on);
      if (faults.length > 0) throw new StartRefused([`${code} is incomplete.`, ...faults].join('\n'));
      const written: RelocatedTable[] = [];
      for (const { name: table, columns } of tables) {
        const rows = copyRowsOut(connection, { name: table, columns }, platformId);
        const file = await writeRelocated(folder, `${table}.rows`, rows);
        written.push({ table, columns, rows: rows.rowCount ?? 0, ...file });
      }
      const ids = await companiesOf(db, platformId, platformVault);
      const companies = copyCompaniesOut(connection, ids);
      const file = await writeRelocated(folder, `${arrivedCompanies.name}.rows`, companies);
      const stored = await listFilesInFolder(db, platformId);
      const { filesFolder } = settings;
      await assertFilesAreWhole(db, stored, { code, platformId, filesFolder, vault: platformVault });
      return {
        snapshot,
        tables: written,
        companies: {
          ...{ table: arrivedCompanies.name, columns: arrivedCompanies.columns },
          ...{ rows: companies.rowCount ?? 0, ...file },
        },
        missing_companies: await listMissingCompanies(db, ids),
        files: await copyFiles(stored, filesFolder, { platformId, folder }),
      };
    });
  const { snapshot, ...content } = copied;
  const written = await listWritten(connection.db, platformId, { tables: content.tables, snapshot });
  if (written !== '')
    throw new StartRefused(
      `Rows of ${code} were written while it was exported (${written}): export it again.`,
    );
  const manifest: RelocationManifest = {
    ...{ format: 1, kind: 'platform', platform: code, platform_id: platformId },
    ...{ environment: settings.environment, migration: await lastMigration(connection) },
    ...{ data_key_wrapped: wrapped.toString('hex'), exported_at: clock.now(), ...content },
  };
  await writeRelocationManifest(folder, manifest, platformVault);
  await keepSnapshot(on.db, platformId, snapshot);
  return manifest;
}

/** The last migration of the database. */
export async function lastMigration({ db }: Pick<OwnerConnection, 'db'>): Promise<string> {
  const names = (await listMigrations(db)).map(({ name }) => name).sort();
  return names.at(-1) ?? '';
}

/** Reads every file to its end. Throws StartRefused if one is missing or damaged: the copy alone would not show it. */
async function assertFilesAreWhole(
  db: Db,
  fileIds: readonly string[],
  of: { code: string; platformId: number; filesFolder: string | null; vault: PlatformVault },
): Promise<void> {
  if (fileIds.length === 0 || of.filesFolder === null) return;
  const store = createFileStore(of.filesFolder);
  const faults: string[] = [];
  for (const fileId of fileIds) {
    const reading = readToEnd(store.openFile(db, of.vault, of.platformId, fileId));
    await reading.catch(() =>
      faults.push(`The file ${fileId} is missing from the folder of files, or was changed.`),
    );
  }
  if (faults.length > 0) throw new StartRefused([`${of.code} is incomplete.`, ...faults].join('\n'));
}

async function readToEnd(chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of chunks);
}

async function copyFiles(
  fileIds: readonly string[],
  filesFolder: string | null,
  { platformId, folder }: { platformId: number; folder: string },
): Promise<RelocatedFile[]> {
  if (fileIds.length === 0) return [];
  if (filesFolder === null)
    throw new StartRefused('Files of the platform are in a folder: set TRADELINE_FILES_FOLDER to it.');
  const files = openFileFolder(filesFolder);
  const copied: RelocatedFile[] = [];
  for (const fileId of fileIds) {
    const parts = copiesOf(files.read(platformId, fileId, PART_BYTES));
    copied.push(await writeRelocated(folder, fileId, Readable.from(parts)));
  }
  return copied;
}

/** Copies each part, because the next read overwrites it. */
async function* copiesOf(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const part of parts) yield Buffer.from(part);
}
