/** Applications for credit of the last day, counted by company, e-mail domain and address. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { pastRows } from '#infra/time/past-rows.queries';
import { DAY_SECONDS } from '#kernel/day';

/** Keyed hashes; null where the application names none. */
export interface ApplicationKeys {
  company: Buffer | null;
  emailDomain: Buffer | null;
  address: Buffer | null;
}

/** Each at most 100. */
export interface ApplicationCounts {
  company: number;
  emailDomain: number;
  address: number;
  /** E-mail domains that applied for the company. Applications without an address count as one more. */
  emailDomainsOfCompany: number;
}

export interface NewApplication {
  platformId: number;
  applicationId: string;
  /** Unix seconds. */
  appliedAt: number;
  keys: ApplicationKeys;
}

/** Call it before counting, in a statement of its own: of two applications at once, at least one then counts both. */
export async function insertApplication(
  db: Db,
  { platformId, applicationId, appliedAt, keys }: NewApplication,
): Promise<void> {
  await db
    .insertInto('credit_applications')
    .values({
      platform_id: platformId,
      application_id: applicationId,
      applied_at: appliedAt,
      company_key: keys.company,
      email_domain_key: keys.emailDomain,
      address_key: keys.address,
    })
    .execute();
}

/** More say no more, and a flood of applications must not slow the next one down. */
const COUNTED_MAX = 100;

/** Those of the last 24 hours before `now`, in unix seconds. */
export async function countApplications(
  db: Db,
  platformId: number,
  keys: ApplicationKeys,
  now: number,
): Promise<ApplicationCounts> {
  const { rows } = await sql<ApplicationCounts>`
    with of_company as (
      select email_domain_key from credit_applications
      where platform_id = ${platformId} and company_key = ${keys.company} and applied_at > ${now - DAY_SECONDS}
      order by applied_at desc limit ${COUNTED_MAX}
    ), of_email_domain as (
      select from credit_applications
      where platform_id = ${platformId} and email_domain_key = ${keys.emailDomain} and applied_at > ${now - DAY_SECONDS}
      limit ${COUNTED_MAX}
    ), of_address as (
      select from credit_applications
      where platform_id = ${platformId} and address_key = ${keys.address} and applied_at > ${now - DAY_SECONDS}
      limit ${COUNTED_MAX}
    )
    select (select count(*)::int from of_company) as company,
      (select count(*)::int from of_email_domain) as "emailDomain",
      (select count(*)::int from of_address) as address,
      (select count(distinct coalesce(email_domain_key, ''))::int from of_company) as "emailDomainsOfCompany"`.execute(
    db,
  );
  const [counts] = rows;
  if (!counts) throw new Error('A count always has a row.');
  return counts;
}

/** Deletes those that are no longer counted, of all platforms, at most `limit`. Returns their number. */
export async function pruneApplications(db: Db, realNow: number, limit: number): Promise<number> {
  // Counted for a day to the second.
  const { numAffectedRows } = await sql`
    delete from credit_applications where (platform_id, application_id) in (
      ${pastRows(APPLICATIONS, realNow - DAY_SECONDS + 1, limit)})`.execute(db);
  return Number(numAffectedRows ?? 0);
}

const APPLICATIONS = {
  table: 'credit_applications',
  key: ['platform_id', 'application_id'],
  at: sql<number>`t.applied_at`,
} as const;
