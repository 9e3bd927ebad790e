/** Companies whose values others copy: found by identifier, followed, and marked when they are written again. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { COMPANY_COLUMNS, type CompanyRow, type RegistryKey, unnestRegistryKeys } from './company.queries.ts';

/** A company with some of the wanted identifiers. */
export interface Match extends CompanyRow {
  /** `cafe morgenrot|morgenrot berlin`: the words of each name, the legal one first. */
  name_words: string;
  /** The positions of the identifiers that the company has, from 1. */
  matched: number[];
}

/**
 * Every company with one of the identifiers, at most `countMaxEach` for each. The keys come from `identifierKey`. For the
 * `materialized` part, see findCandidates.
 */
export async function findMatches(db: Db, wanted: readonly string[], countMaxEach: number): Promise<Match[]> {
  const { rows } = await sql<Match>`
    select ${COMPANY_COLUMNS}, c.name_words, m.matched
    from (
      select i.company_id, array_agg(k.nth::int order by k.nth) as matched
      from unnest(${wanted}::text[]) with ordinality as k(key, nth)
      cross join lateral (
        with found as materialized (
          select company_id from registry_companies where search_keys && (select array[k.key])
        )
        select company_id from found limit ${countMaxEach}
      ) i
      group by i.company_id
    ) m
    cross join lateral (select * from registry_companies where company_id = m.company_id offset 0) c
    order by c.company_id`.execute(db);
  return rows;
}

/**
 * Returns the company and follows it: `takeChangedCompanies` reports it once it is written again. It is locked until
 * the transaction ends, so that concurrent writers see that it is followed. Undefined if it no longer exists.
 */
export async function followCompany(db: Db, companyId: number): Promise<CompanyRow | undefined> {
  const { rows } = await sql<CompanyRow>`
    with followed as (
      insert into registry_followed (company_id) values (${companyId}) on conflict do nothing
    )
    select ${COMPANY_COLUMNS} from registry_companies c where c.company_id = ${companyId} for no key update`.execute(
    db,
  );
  return rows[0];
}

/** Like `followCompany`, but finds the company by one of the keys that it may have. */
export async function followCompanyByKey(
  db: Db,
  keys: readonly RegistryKey[],
): Promise<CompanyRow | undefined> {
  const { rows } = await sql<CompanyRow>`
    with chosen as materialized (
      select company_id from ${unnestRegistryKeys(keys)} join registry_companies using (registry, registry_key) limit 1
    ), followed as (
      insert into registry_followed (company_id) select company_id from chosen on conflict do nothing
    )
    select ${COMPANY_COLUMNS} from registry_companies c where c.company_id = (select company_id from chosen)
    for no key update of c`.execute(db);
  return rows[0];
}

/** Whether a followed company was written again since its last report. */
export async function hasChangedCompanies(db: Db): Promise<boolean> {
  // Ordered by id, so that PostgreSQL reads the index of changed companies and not the table.
  const { rows } = await sql`
    select company_id from registry_followed where is_changed order by company_id limit 1`.execute(db);
  return rows.length > 0;
}

/**
 * Followed companies that were written again, at most `countMax`, each reported once. A rollback restores the marks.
 */
export async function takeChangedCompanies(db: Db, countMax: number): Promise<CompanyRow[]> {
  const { rows: taken } = await sql<{ company_id: number }>`
    update registry_followed set is_changed = false
    where company_id = any(array(
      select company_id from registry_followed where is_changed order by company_id limit ${countMax} for update skip locked
    ))
    returning company_id`.execute(db);
  if (taken.length === 0) return [];
  // A second statement: the snapshot of the first is older than the last mark, so a change in between would be lost.
  const { rows } = await sql<CompanyRow>`
    select ${COMPANY_COLUMNS} from registry_companies c
    where c.company_id = any(${taken.map(({ company_id }) => company_id)}::bigint[])`.execute(db);
  return rows;
}
