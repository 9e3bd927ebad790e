/** `tradeline platform import`: imports a platform from another database, in one transaction. */
import { pipeline } from 'node:stream/promises';
import { findCell } from '#infra/database/cell.queries';
import {
  beginRowImport,
  type CopiedTable,
  continueSequence,
  copyRowsIn,
  countRows,
  listCopiedTables,
  prepareCopies,
} from '#infra/database/copied-tables.queries';
import { type OwnerConnection, withOwnerConnection } from '#infra/database/owner-connection';
import { type FileFolder, openFileFolder } from '#infra/files/file-folder';
import type { PlatformVault } from '#infra/secrets/vault';
import { StartRefused } from '#kernel/start-refused';
import { auditKeyOf, INSTALLATION, recordAudit } from '#modules/operators';
import { endRelocation, findPlatform, findPlatformByCode } from '#modules/platforms';
import { admitCompanies, makeArrivedCompanies, unusedCompanyId } from '#modules/registry';
import type { Installation } from '../installation.ts';
import { readArguments, WrongUsage } from './arguments.ts';
import { assertOneMachine, withInstallation } from './installation.ts';
import { lastMigration } from './platform-export.ts';
import { faultsOfPlatform } from './platform-faults.ts';
import { replacedCompanies } from './relocated-companies.ts';
import {
  faultsOfRelocated,
  type RelocatedTable,
  type RelocationManifest,
  readRelocated,
  readRelocationManifest,
} from './relocation-folder.ts';
import { type ReplacedValues, replacingValues } from './replaced-values.ts';
import { printDone } from './result.ts';
import { SHARED_TABLES } from './shared-tables.ts';

const UNIQUE_VIOLATION = '23505';
/** The table of platforms, whose ids come from the range of a cell. */
const PLATFORMS = 'platforms';

export async function importPlatform(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { from: { type: 'string' } },
  });
  const [code, ...more] = positionals;
  const { from: folder } = values;
  if (code === undefined || more.length > 0 || folder === undefined)
    throw new WrongUsage('Name one platform and its folder: tradeline platform import CODE --from FOLDER.');
  await withInstallation(async (installation) => {
    await assertOneMachine(installation);
    const found = await readRelocationManifest(folder, installation.vault);
    const { manifest } = found;
    if (manifest.platform !== code)
      throw new StartRefused(`${folder} has the platform ${manifest.platform}, and not ${code}.`);
    const faults = await faultsOfRelocated(folder, manifest);
    if (faults.length > 0)
      throw new StartRefused([`The export of ${code} is damaged.`, ...faults].join('\n'));
    await withFiles(installation, found, (files) =>
      withOwnerConnection(installation.owner, (connection) =>
        connection.db
          .transaction()
          .execute((db) => takeIn({ ...connection, db }, installation, { ...found, ...files, folder })),
      ),
    ).catch((error: unknown) => {
      throw refusalOf(error, code);
    });
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    printDone(
      values.json,
      { code, rows, tables: manifest.tables.length, files: manifest.files.length },
      [
        `${code} was imported: ${rows} rows of ${manifest.tables.length} tables, ${manifest.files.length} files. Books, totals and chains are verified.`,
        `Route its requests here, and run on the other database \`tradeline platform relocated ${code}\`.`,
      ].join('\n'),
    );
  });
}

/** A StartRefused if the service already has one of the rows; any other error unchanged, as a defect. */
function refusalOf(error: unknown, code: string): unknown {
  const { code: state, detail, table } = error as { code?: string; detail?: string; table?: string };
  if (state !== UNIQUE_VIOLATION) return error;
  return new StartRefused(`${code} has rows that already exist in ${table} here: ${detail}`, {
    cause: error,
  });
}

interface Relocated {
  folder: string;
  manifest: RelocationManifest;
  platformVault: PlatformVault;
  /** Writes the files that are not in the database. */
  takeFiles(folder: string): Promise<void>;
}

/** Imports everything within the transaction, so that an error leaves nothing behind. */
async function takeIn(
  connection: OwnerConnection,
  installation: Installation,
  relocated: Relocated,
): Promise<void> {
  const { db } = connection;
  const { vault, clock } = installation;
  const { folder, manifest, platformVault, takeFiles } = relocated;
  const { platform: code, platform_id: platformId, tables } = manifest;
  const here = await listCopiedTables(db, SHARED_TABLES);
  await assertFits(connection, installation, manifest, here);
  await prepareCopies(db);
  await beginRowImport(db);
  await takeFiles(folder);
  const replaced = await takeCompanies(connection, folder, manifest, platformVault);
  const byName = new Map(tables.map((table) => [table.table, table]));
  for (const { name } of here)
    await takeRows(connection, folder, byName.get(name) as RelocatedTable, replaced);
  for (const { table, rows } of tables) {
    const count = await countRows(db, { name: table }, platformId);
    if (count !== rows) throw new StartRefused(`${count} of ${rows} rows of ${table} arrived.`);
  }
  await endRelocation(db, platformId);
  const platform = await findPlatform(db, platformId);
  if (!platform) throw new Error(`The platform ${platformId} did not arrive.`);
  const context = { db, platformId, actor: INSTALLATION, now: clock.now() + platform.clock_ahead_seconds };
  await recordAudit(context, auditKeyOf(vault, platform), {
    action: 'PLATFORM_IMPORTED',
    subject: `platform ${code}`,
  });
  const faults = await faultsOfPlatform(db, { vault, platform });
  if (faults.length > 0) throw new StartRefused([`${code} did not arrive completely.`, ...faults].join('\n'));
  for (const table of here) if (table.name !== PLATFORMS) await continueSequence(db, table, platformId);
}

/** Throws StartRefused if the platform cannot be imported. */
async function assertFits(
  { db }: OwnerConnection,
  { settings }: Installation,
  manifest: RelocationManifest,
  here: readonly CopiedTable[],
): Promise<void> {
  const { platform: code, platform_id: platformId, migration, environment, tables } = manifest;
  if (environment !== settings.environment)
    throw new StartRefused(
      `${code} comes from a ${environment} database, but this one is for ${settings.environment}.`,
    );
  const last = await lastMigration({ db });
  const columnsOf = (table: { name?: string; table?: string; columns: string[] }) =>
    `${table.name ?? table.table}(${[...table.columns].sort().join()})`;
  const isSame =
    here.map(columnsOf).sort().join() ===
    tables
      .map(({ table, columns }) => columnsOf({ table, columns }))
      .sort()
      .join();
  if (last !== migration || !isSame)
    throw new StartRefused(
      `${code} was exported at the migration ${migration}, but this database is at ${last}: bring both to the same version.`,
    );
  if ((await findCell(db)) === null)
    throw new StartRefused('This database has no cell number: set one with `tradeline cell NUMBER`.');
  if (await findPlatformByCode(db, code)) throw new StartRefused(`A platform ${code} already exists here.`);
  const other = await findPlatform(db, platformId);
  if (other)
    throw new StartRefused(
      `The platform ${other.code} already has the id ${platformId} of ${code} here: a cell assigns its own ids only after it has a number.`,
    );
}

async function takeCompanies(
  connection: OwnerConnection,
  folder: string,
  { companies, missing_companies: missing }: RelocationManifest,
  platformVault: PlatformVault,
): Promise<ReplacedValues> {
  const { db } = connection;
  await makeArrivedCompanies(db);
  await takeRows(connection, folder, companies, new Map());
  const arrived = await admitCompanies(db);
  for (const sourceId of missing) arrived.push({ sourceId, companyId: await unusedCompanyId(db) });
  return replacedCompanies(arrived, platformVault);
}

async function takeRows(
  connection: OwnerConnection,
  folder: string,
  table: RelocatedTable,
  replaced: ReplacedValues,
): Promise<void> {
  const { table: name, columns } = table;
  const rows = readRelocated(folder, table);
  const into = copyRowsIn(connection, { name, columns });
  const replacing = replacingValues(columns, replaced);
  await (replacing ? pipeline(rows, replacing, into) : pipeline(rows, into));
}

/** Lets `work` write the files before it commits, so that a row without its file never exists. Removes the files if it fails. */
async function withFiles(
  { settings: { filesFolder } }: Installation,
  { manifest: { platform_id: platformId, files } }: Pick<Relocated, 'manifest'>,
  work: (within: Pick<Relocated, 'takeFiles'>) => Promise<void>,
): Promise<void> {
  const written: string[] = [];
  let into: FileFolder | undefined;
  const takeFiles = async (folder: string) => {
    if (files.length === 0) return;
    if (filesFolder === null)
      throw new StartRefused(
        'Files of the platform are in a folder: set TRADELINE_FILES_FOLDER to a folder for them.',
      );
    into = openFileFolder(filesFolder);
    for (const file of files) {
      const parts: Buffer[] = [];
      for await (const part of readRelocated(folder, file)) parts.push(part as Buffer);
      await into.write(platformId, file.name, parts);
      written.push(file.name);
    }
  };
  try {
    await work({ takeFiles });
  } catch (error) {
    for (const fileId of written) await into?.remove(platformId, fileId);
    throw error;
  }
}
