/** The position of outcome mails in the event stream, and the events to mail. */
import { sql } from 'kysely';
import { type Db, UNPREPARED } from '#infra/database/database';
import type { EventType } from '#kernel/event';
import type { Formality, Language } from '#kernel/language';

const unprepared = sql.raw(UNPREPARED);

/** The platforms with events after their position. Reads all platforms. */
export async function findPlatformsToMail(db: Db): Promise<number[]> {
  const { rows } = await sql<{ platform_id: number }>`
    select p.platform_id from event_positions p
    left join outcome_mail_positions o on o.platform_id = p.platform_id
    where p.position_last > coalesce(o.position_last, 0)
    order by p.platform_id`.execute(db);
  return rows.map((row) => row.platform_id);
}

/** Locks and returns the platform's position; undefined while another process holds the lock. */
export async function lockMailedPosition(db: Db, platformId: number): Promise<number | undefined> {
  await sql`
    insert into outcome_mail_positions (platform_id, position_last) values (${platformId}, 0)
    on conflict do nothing`.execute(db);
  const { rows } = await sql<{ position_last: number }>`
    select position_last from outcome_mail_positions where platform_id = ${platformId}
    for update skip locked`.execute(db);
  return rows[0]?.position_last;
}

export async function writeMailedPosition(db: Db, platformId: number, position: number): Promise<void> {
  await sql`
    update outcome_mail_positions set position_last = ${position} where platform_id = ${platformId}`.execute(
    db,
  );
}

/** The last position of the next `eventsMax` events; undefined where there are none. */
export async function findNextPosition(
  db: Db,
  platformId: number,
  { after, eventsMax }: { after: number; eventsMax: number },
): Promise<number | undefined> {
  const { rows } = await sql<{ position_last: number | null }>`
    select max(position) as position_last from (
      select position from events where platform_id = ${platformId} and position > ${after}
      order by position limit ${eventsMax}
    ) next ${unprepared}`.execute(db);
  return rows[0]?.position_last ?? undefined;
}

export interface OrderOutcome {
  event_id: string;
  type: EventType;
  order_external_id: string;
  /** The order's status before. */
  previous_status: string | null;
  /** Unix seconds. */
  occurred_at: number;
  /** Of the buyer's last consent. */
  language: Language;
  formality: Formality;
}

/** The events of these types about orders that were placed in the checkout, in the order of the stream. */
export async function findOutcomes(
  db: Db,
  platformId: number,
  { after, upTo, types }: { after: number; upTo: number; types: readonly EventType[] },
): Promise<OrderOutcome[]> {
  const { rows } = await sql<OrderOutcome>`
    select e.event_id, e.type, e.resource_external_id as order_external_id, e.occurred_at, c.language, c.formality,
      e.body::json -> 'data' ->> 'previous_status' as previous_status
    from events e
    cross join lateral (
      select language, formality from checkout_consents
      where platform_id = e.platform_id and order_external_id = e.resource_external_id
      order by consented_at desc limit 1
    ) c
    where e.platform_id = ${platformId} and e.position > ${after} and e.position <= ${upTo} and e.type = any(${types})
    order by e.position ${unprepared}`.execute(db);
  return rows;
}
