/** Which invoices fall due next. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import type { Due } from '#infra/time/due-transitions';
import type { InvoiceTrigger } from './invoice.lifecycle.ts';

const BECOME_DUE: InvoiceTrigger = 'become_due';

/**
 * All platforms on which an invoice falls due by the platform's clock. `now` is the real time in unix seconds. The lateral
 * join reads one invoice per platform, whatever the planner estimates.
 */
export async function findPlatformsWithDueInvoices(db: Db, now: number): Promise<number[]> {
  const { rows } = await sql<{ platform_id: number }>`
    select p.platform_id from platforms p
    cross join lateral (
      select falls_due_at from invoices where platform_id = p.platform_id and falls_due_at is not null
      order by falls_due_at limit 1
    ) first
    where first.falls_due_at <= ${now}::bigint + p.clock_ahead_seconds
    order by p.platform_id`.execute(db);
  return rows.map((row) => row.platform_id);
}

/** The invoice of the platform that falls due first, by `until` (unix seconds). */
export async function findNextDueInvoice(
  db: Db,
  platformId: number,
  until: number,
): Promise<Due<'invoice'> | undefined> {
  const row = await db
    .selectFrom('invoices')
    .select(['external_id', 'falls_due_at'])
    .where('platform_id', '=', platformId)
    .where('falls_due_at', '<=', until)
    .orderBy('falls_due_at')
    .orderBy('external_id')
    .limit(1)
    .executeTakeFirst();
  return (
    row && {
      dueAt: row.falls_due_at as number,
      resource: 'invoice',
      externalId: row.external_id,
      trigger: BECOME_DUE,
    }
  );
}
