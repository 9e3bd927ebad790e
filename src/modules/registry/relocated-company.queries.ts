/** The registry companies of a platform that relocates. Their ids differ between databases, so they are matched by their keys. */
import { type RawBuilder, sql } from 'kysely';
import { type CopyToStreamQuery, to } from 'pg-copy-streams';
import { columnList } from '#infra/database/copied-tables.queries';
import type { Db } from '#infra/database/database';
import type { OwnerConnection } from '#infra/database/owner-connection';
import { companiesTable } from './company.queries.ts';
import { addWords } from './vocabulary.queries.ts';

const COLUMNS = companiesTable.columns;
/** The temporary table in which an import collects companies; dropped at the commit. */
const ARRIVED = 'arrived_companies';
/** The tables of a platform that refer to companies. */
const TABLES_WITH_COMPANIES = ['buyers', 'facilities'] as const;
/** The column of buyers and facilities that refers to a registry company. */
export const COMPANY_COLUMN = 'registry_company_id';

export const arrivedCompanies = { name: ARRIVED, columns: [...COLUMNS] };

/** Streams one COPY line per company. `rowCount` is set at the end. */
export function copyCompaniesOut(
  { client }: OwnerConnection,
  companyIds: readonly number[],
): CopyToStreamQuery {
  const of = `select ${columnList(COLUMNS)} from registry_companies where company_id = any('{${companyIds.map(Number).join()}}')`;
  return client.query(to(`copy (${of}) to stdout`));
}

/** The ids of all companies that rows of the platform refer to, including companies that are not stored. */
export async function listNamedCompanies(db: Db, platformId: number): Promise<number[]> {
  const named = TABLES_WITH_COMPANIES.map(
    (table) =>
      sql`select ${sql.ref(COMPANY_COLUMN)} as id from ${sql.table(table)} where platform_id = ${platformId}`,
  );
  const { rows } = await sql<{ id: number }>`
    select n.id from (${sql.join(named, sql` union `)}) n where n.id is not null order by n.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** The ids for which no company is stored. */
export async function listMissingCompanies(db: Db, companyIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from unnest(${companyIds}::bigint[]) n(id)
    where not exists (select from registry_companies c where c.company_id = n.id) order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/** The highest company id that was ever assigned; 0 without one. */
export async function findLastCompanyId(db: Db): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    select coalesce(pg_sequence_last_value(pg_get_serial_sequence('registry_companies', 'company_id')::regclass), 0)
      as last`.execute(db);
  return rows[0]?.last ?? 0;
}

/** Creates the temporary table `arrivedCompanies` for the lines of `copyCompaniesOut`, in the transaction of an import. */
export async function makeArrivedCompanies(transaction: Db): Promise<void> {
  await sql`
    create temporary table ${sql.table(ARRIVED)} on commit drop as
    select ${names(COLUMNS)} from registry_companies limit 0`.execute(transaction);
}

/** The id of a company in this database, and its id in the database that the platform comes from. */
export interface ArrivedCompany {
  sourceId: number;
  companyId: number;
}

/**
 * Adds the arrived companies that this database lacks, and follows all of them. A company whose stored entry has another
 * `refreshed_at` is marked as changed, so that its buyers are refreshed.
 */
export async function admitCompanies(transaction: Db): Promise<ArrivedCompany[]> {
  const copied = names(COLUMNS.filter((name) => name !== 'company_id'));
  const { rows: added } = await sql<{ search_keys: string[] }>`
    insert into registry_companies (${copied})
    select ${copied} from ${sql.table(ARRIVED)} order by registry, registry_key
    on conflict (registry, registry_key) do nothing returning search_keys`.execute(transaction);
  if (added.length > 0)
    await addWords(
      transaction,
      added.flatMap(({ search_keys }) => search_keys),
    );
  const { rows } = await sql<ArrivedCompany>`
    with known as (
      select a.company_id as source_id, c.company_id, c.refreshed_at <> a.refreshed_at as is_changed
      from ${sql.table(ARRIVED)} a join registry_companies c using (registry, registry_key)
    ), followed as (
      insert into registry_followed as f (company_id, is_changed) select company_id, is_changed from known
      on conflict (company_id) do update set is_changed = f.is_changed or excluded.is_changed
    )
    select source_id as "sourceId", company_id as "companyId" from known`.execute(transaction);
  return rows;
}

/** An id that no company has, for references to a company that was no longer stored in the source database. */
export async function unusedCompanyId(transaction: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('registry_companies', 'company_id')) as id`.execute(transaction);
  return rows[0]?.id as number;
}

/** Marks the companies of the platform as changed, so that its buyers get the refreshes skipped while it was read-only. */
export async function markCompaniesOf(db: Db, platformId: number): Promise<void> {
  await sql`
    update registry_followed f set is_changed = true
    where exists (select from buyers b where b.platform_id = ${platformId} and b.registry_company_id = f.company_id)`.execute(
    db,
  );
}

const names = (columns: readonly string[]): RawBuilder<unknown> =>
  sql.join(columns.map((name) => sql.ref(name)));
