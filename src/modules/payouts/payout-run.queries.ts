/** The schedule of payouts: the daily run of a platform, and the accounts of merchants that it has found. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { arrayOf } from '#infra/database/unnest-rows';
import { dueColumn } from '#infra/time/due-column.queries';
import type { Due } from '#infra/time/due-transitions';
import type { Currency } from '#kernel/currency';
import { payableAccounts } from '#modules/payees';
import type { PayoutTrigger } from './payout.lifecycle.ts';

/** Merchants whose payouts are to be formed. */
export const payingMerchants = dueColumn({
  table: 'merchant_accounts',
  column: 'pays_at',
  key: 'merchant_external_id',
  resource: 'payout',
  trigger: 'schedule' satisfies PayoutTrigger,
});

const canPay = (now: number) => sql`exists (
  select from ${payableAccounts} a
  where a.platform_id = r.platform_id and a.payable_at <= ${now}::bigint + p.clock_ahead_seconds
)`;

/** Platforms with an account that can be paid, whose run is due by their own clock when the system clock shows `now`. */
export async function findPlatformsToRun(db: Db, now: number): Promise<number[]> {
  const { rows } = await sql<{ platform_id: number }>`
    select r.platform_id from payout_runs r join platforms p on p.platform_id = r.platform_id
    where r.next_at <= ${now}::bigint and ${canPay(now)}
    union
    select r.platform_id from platforms p join payout_runs r on r.platform_id = p.platform_id
    where p.clock_ahead_seconds > 0 and r.next_at <= ${now}::bigint + p.clock_ahead_seconds and ${canPay(now)}
    order by 1`.execute(db);
  return rows.map((row) => row.platform_id);
}

/** The next run due by `until`, but not before the platform has an account that can be paid. */
export async function findNextRun(
  db: Db,
  platformId: number,
  until: number,
): Promise<Due<'payout'> | undefined> {
  const { rows } = await sql<{ due_at: number }>`
    select greatest(coalesce((select next_at from payout_runs where platform_id = ${platformId}), 0), min(a.payable_at)) as due_at
    from ${payableAccounts} a where a.platform_id = ${platformId}
    having min(a.payable_at) is not null`.execute(db);
  const [run] = rows;
  return run && run.due_at <= until
    ? { dueAt: run.due_at, resource: 'payout', externalId: 'run', trigger: 'collect' }
    : undefined;
}

/** Locks the platform's run. Returns the time of the next run; 0 before the first. */
export async function lockRun(db: Db, platformId: number): Promise<number> {
  const { rows } = await sql<{ next_at: number }>`
    insert into payout_runs as r (platform_id, next_at) values (${platformId}, 0)
    on conflict (platform_id) do update set next_at = r.next_at
    returning next_at`.execute(db);
  return rows[0]?.next_at ?? 0;
}

export async function setNextRun(db: Db, platformId: number, nextAt: number): Promise<void> {
  await sql`update payout_runs set next_at = ${nextAt} where platform_id = ${platformId}`.execute(db);
}

/** Locks the accounts of merchants, in the order of their keys. Transactions that decide what a merchant gets wait for each other. */
export async function lockMerchantAccounts(
  db: Db,
  platformId: number,
  merchantExternalIds: readonly string[],
): Promise<void> {
  if (merchantExternalIds.length === 0) return;
  await sql`
    with locked as materialized (
      select merchant_external_id from merchant_accounts
      where platform_id = ${platformId} and merchant_external_id = any(${arrayOf('text', merchantExternalIds)})
      order by merchant_external_id for no key update
    )
    insert into merchant_accounts as a (platform_id, merchant_external_id)
    select ${platformId}::int, m.external_id from unnest(${merchantExternalIds}::text[]) m(external_id)
    where m.external_id not in (select merchant_external_id from locked)
    group by m.external_id order by m.external_id
    on conflict (platform_id, merchant_external_id) do update set pays_at = a.pays_at`.execute(db);
}

/** Makes payouts due at `at` for the merchants, and locks their accounts in the order of their keys. */
export async function setPaying(
  db: Db,
  platformId: number,
  merchantExternalIds: readonly string[],
  at: number,
): Promise<void> {
  if (merchantExternalIds.length === 0) return;
  await sql`
    insert into merchant_accounts (platform_id, merchant_external_id, pays_at)
    select ${platformId}::int, m.external_id, ${at}::bigint from unnest(${merchantExternalIds}::text[]) m(external_id)
    group by m.external_id order by m.external_id
    on conflict (platform_id, merchant_external_id) do update set pays_at = excluded.pays_at`.execute(db);
}

/** Locks those of the merchants that are still due, in the order of their keys, and clears their due time. */
export async function takePaying(
  db: Db,
  platformId: number,
  merchantExternalIds: readonly string[],
  until: number,
): Promise<string[]> {
  const { rows } = await sql<{ merchant_external_id: string }>`
    select merchant_external_id from merchant_accounts
    where platform_id = ${platformId} and merchant_external_id = any(${arrayOf('text', merchantExternalIds)}) and pays_at <= ${until}
    order by merchant_external_id for no key update`.execute(db);
  const taken = rows.map(({ merchant_external_id }) => merchant_external_id);
  await sql`
    update merchant_accounts set pays_at = null
    where platform_id = ${platformId} and merchant_external_id = any(${arrayOf('text', taken)})`.execute(db);
  return taken;
}

export interface BankHoliday {
  currency: Currency;
  day: string;
  reason: string;
  added_at: number;
  added_by: string;
}

/** The days that operators of the platform have added, in order. */
export async function listAddedHolidays(db: Db, platformId: number): Promise<BankHoliday[]> {
  return db
    .selectFrom('bank_holidays')
    .select(['currency', 'day', 'reason', 'added_at', 'added_by'])
    .where('platform_id', '=', platformId)
    .orderBy('currency')
    .orderBy('day')
    .$castTo<BankHoliday>()
    .execute();
}

/** Returns false if the day was already added. */
export async function insertHoliday(db: Db, platformId: number, holiday: BankHoliday): Promise<boolean> {
  const inserted = await db
    .insertInto('bank_holidays')
    .values({ platform_id: platformId, ...holiday })
    .onConflict((oc) => oc.doNothing())
    .returning('day')
    .executeTakeFirst();
  return inserted !== undefined;
}
