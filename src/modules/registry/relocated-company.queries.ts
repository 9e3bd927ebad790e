/** Companies that the buyers of a moving platform have: in another database they have other ids, and are found by their keys. */
import { type RawBuilder, sql } from 'kysely';
import { type CopyToStreamQuery, to } from 'pg-copy-streams';
import { columnList } from '#infra/database/copied-tables.queries';
import type { Db } from '#infra/database/database';
import type { OwnerConnection } from '#infra/database/owner-connection';
import { companiesTable } from './company.queries.ts';
import { addWords } from './vocabulary.queries.ts';

const COLUMNS = companiesTable.columns;
/** Where an import collects them: it is gone with the transaction. */
const ARRIVED = 'arrived_companies';
/** The tables that name companies. */
const TABLES_WITH_COMPANIES = ['buyers', 'facilities'] as const;
/** The column in which they do. */
export const COMPANY_COLUMN = 'registry_company_id';

export const arrivedCompanies = { name: ARRIVED, columns: [...COLUMNS] };

/** A line for each of these companies. `rowCount` is set at the end. */
export function copyCompaniesOut(
  { client }: OwnerConnection,
  companyIds: readonly number[],
): CopyToStreamQuery {
  const of = `select ${columnList(COLUMNS)} from registry_companies where company_id = any('{${companyIds.map(Number).join()}}')`;
  return client.query(to(`copy (${of}) to stdout`));
}

/** The ids of the companies that rows of the platform name, whether or not there is a record of them. */
export async function listNamedCompanies(db: Db, platformId: number): Promise<number[]> {
  const named = TABLES_WITH_COMPANIES.map(
    (table) =>
      sql`select ${sql.ref(COMPANY_COLUMN)} as id from ${sql.table(table)} where platform_id = ${platformId}`,
  );
  const { rows } = await sql<{ id: number }>`
    select n.id from (${sql.join(named, sql` union `)}) n where n.id is not null order by n.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Those of the ids of which there is no record. */
export async function listMissingCompanies(db: Db, companyIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from unnest(${companyIds}::bigint[]) n(id)
    where not exists (select from registry_companies c where c.company_id = n.id) order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/** No company has had a higher id. */
export async function findLastCompanyId(db: Db): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    select coalesce(pg_sequence_last_value(pg_get_serial_sequence('registry_companies', 'company_id')::regclass), 0)
      as last`.execute(db);
  return rows[0]?.last ?? 0;
}

/** In the transaction of an import: makes the table `arrivedCompanies`, which takes the lines of `copyCompaniesOut`. */
export async function makeArrivedCompanies(transaction: Db): Promise<void> {
  await sql`
    create temporary table ${sql.table(ARRIVED)} on commit drop as
    select ${names(COLUMNS)} from registry_companies limit 0`.execute(transaction);
}

/** A company here, by its id in the database that the platform comes from. */
export interface ArrivedCompany {
  sourceId: number;
  companyId: number;
}

/**
 * Adds the arrived companies that are not known here, and follows all of them. One of which this database has another record is
 * marked as changed, so that the buyers are refreshed.
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

/** An id that no company has, for a company that its database has no longer. */
export async function unusedCompanyId(transaction: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('registry_companies', 'company_id')) as id`.execute(transaction);
  return rows[0]?.id as number;
}

/** Marks the companies of the platform as changed: what was passed over while it was only read is caught up on. */
export async function markCompaniesOf(db: Db, platformId: number): Promise<void> {
  await sql`
    update registry_followed f set is_changed = true
    where exists (select from buyers b where b.platform_id = ${platformId} and b.registry_company_id = f.company_id)`.execute(
    db,
  );
}

const names = (columns: readonly string[]): RawBuilder<unknown> =>
  sql.join(columns.map((name) => sql.ref(name)));
