/** The progress of imports. */
import { sql } from 'kysely';
import { type Db, liftTimeLimits } from '#infra/database/database';

export interface RegistryImport {
  import_id: number;
  file_name: string;
  format: string;
  records_read: number;
  companies_written: number;
  records_refused: number;
  started_at: number;
  finished_at: number | null;
}

const COLUMNS = sql`import_id, file_name, format, records_read, companies_written, records_refused, started_at, finished_at`;

/** Returns the import of the file, or creates it. `isRestarted` restarts it from the first record. */
export async function beginImport(
  db: Db,
  file: { key: string; name: string; format: string },
  isRestarted: boolean,
  now: number,
): Promise<RegistryImport> {
  const { rows } = await sql<RegistryImport>`
    insert into registry_imports as i (file_key, file_name, format, started_at)
    values (${file.key}, ${file.name}, ${file.format}, ${now})
    on conflict (file_key) do update set file_name = excluded.file_name,
      records_read = case when ${isRestarted} then 0 else i.records_read end,
      companies_written = case when ${isRestarted} then 0 else i.companies_written end,
      records_refused = case when ${isRestarted} then 0 else i.records_refused end,
      started_at = case when ${isRestarted} then excluded.started_at else i.started_at end,
      finished_at = case when ${isRestarted} then null else i.finished_at end
    returning ${COLUMNS}`.execute(db);
  return rows[0] as RegistryImport;
}

/** Whether a file with this key was imported to its end. */
export async function isImportFinished(db: Db, fileKey: string): Promise<boolean> {
  const found = await db
    .selectFrom('registry_imports')
    .select('import_id')
    .where('file_key', '=', fileKey)
    .where('finished_at', 'is not', null)
    .executeTakeFirst();
  return found !== undefined;
}

/** All imports, the newest first. */
export async function listImports(db: Db): Promise<RegistryImport[]> {
  const { rows } = await sql<RegistryImport>`
    select ${COLUMNS} from registry_imports order by started_at desc, import_id desc`.execute(db);
  return rows;
}

export interface BatchCounts {
  recordsRead: number;
  companiesWritten: number;
  recordsRefused: number;
}

/** Adds a batch that begins after record `after`. False if another import of the same file has already passed it. */
export async function addBatch(
  db: Db,
  importId: number,
  after: number,
  batch: BatchCounts,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update registry_imports set records_read = records_read + ${batch.recordsRead},
      companies_written = companies_written + ${batch.companiesWritten},
      records_refused = records_refused + ${batch.recordsRefused}
    where import_id = ${importId} and records_read = ${after} and finished_at is null`.execute(db);
  return numAffectedRows === 1n;
}

export async function finishImport(db: Db, importId: number, now: number): Promise<void> {
  await sql`update registry_imports set finished_at = ${now} where import_id = ${importId}`.execute(db);
}

export interface RegistryCount {
  registry: string;
  companies: number;
}

/** Companies per registry. Counts every row, which takes seconds for millions. */
export async function countCompaniesByRegistry(db: Db): Promise<RegistryCount[]> {
  return db.transaction().execute(async (transaction) => {
    await liftTimeLimits(transaction);
    const { rows } = await sql<RegistryCount>`
      select registry, count(*)::int as companies from registry_companies group by registry order by registry`.execute(
      transaction,
    );
    return rows;
  });
}
