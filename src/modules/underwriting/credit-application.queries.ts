/** Applications for credit of the last day, counted by company, e-mail domain and address. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { pastRows } from '#infra/time/past-rows.queries';
import { DAY_SECONDS } from '#kernel/day';

/** Keyed hashes; null if the application has no such value. */
export interface ApplicationKeys {
  company: Buffer | null;
  emailDomain: Buffer | null;
  address: Buffer | null;
}

/** Numbers of applications, each at most 100. */
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

/** Call it before counting, in a separate statement: then at least one of two concurrent applications counts both. */
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

/** A higher count adds no information, and a flood of applications must not slow the next one down. */
const COUNTED_MAX = 100;

/** Counts the applications of the 24 hours before `now` (unix seconds). */
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

/** Deletes applications of all platforms that are no longer counted, at most `limit`. Returns their number. */
export async function pruneApplications(db: Db, realNow: number, limit: number): Promise<number> {
  // An application counts for a day, to the second.
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
