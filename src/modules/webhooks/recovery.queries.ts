/** Makes the deliveries that a subscription missed. */

import { sql } from 'kysely';
import { type Db, UNPREPARED } from '#infra/database/database';
import { isNotRelocating } from '#infra/database/each-platform';
import { transitionOf } from '#kernel/lifecycle';
import { deliveryLifecycle } from './delivery.lifecycle.ts';
import { coversType } from './event.queries.ts';
import { NEW_ROUND } from './redelivery.queries.ts';

const unprepared = sql.raw(UNPREPARED);
const PENDING = transitionOf(deliveryLifecycle, null, 'record').to;
const RECOVERABLE = deliveryLifecycle.transitions
  .filter(({ trigger }) => trigger === 'recover')
  .map(({ from }) => from);

/** The number of events examined in one step of one subscription. */
const EVENTS_AT_ONCE_MAX = 200;
/** Limits a recovery to the pace at which its receiver answers. */
const PENDING_MAX = 200;

/** The number of recoveries that other workers may be processing: a search finds that many more. */
const OTHERS_MAX = 8;

/**
 * A transaction that was open when the subscription was created may have looked for subscriptions before: its event has no delivery, and
 * gets its position when it commits. No transaction stays open for longer than this.
 */
const TRANSACTION_SECONDS_MAX = 20;
/** Whether all events recorded before the request have their positions. */
const isComplete = sql`r.requested_at < now() - make_interval(secs => ${TRANSACTION_SECONDS_MAX})`;

/** Requests the events after `after`. The events that an earlier request still has to examine are included. */
export async function insertRecovery(
  db: Db,
  platformId: number,
  subscriptionId: string,
  after: number,
): Promise<void> {
  await sql`
    insert into webhook_recoveries as r (platform_id, subscription_id, position_next)
    values (${platformId}, ${subscriptionId}, ${after + 1})
    on conflict (platform_id, subscription_id) do update
    set position_next = least(r.position_next, excluded.position_next), requested_at = excluded.requested_at, position_until = null`.execute(
    db,
  );
}

/** The progress of a recovery: the events after `after`, up to `newest`, are still to be examined. */
export interface RecoveryProgress {
  after: number;
  newest: number;
}

/** The unfinished recoveries of these subscriptions, by the id of the subscription. */
export async function findRecoveries(
  db: Db,
  platformId: number,
  subscriptionIds: readonly string[],
): Promise<Map<string, RecoveryProgress>> {
  const { rows } = await sql<RecoveryProgress & { subscription_id: string }>`
    select r.subscription_id, r.position_next - 1 as after, coalesce(r.position_until, p.position_last, 0) as newest
    from webhook_recoveries r left join event_positions p on p.platform_id = r.platform_id
    where r.platform_id = ${platformId} and r.subscription_id = any(${subscriptionIds}::uuid[])`.execute(db);
  return new Map(rows.map(({ subscription_id, ...progress }) => [subscription_id, progress]));
}

/** Deletes the recovery of an ended subscription. */
export async function deleteRecovery(db: Db, platformId: number, subscriptionId: string): Promise<void> {
  await db
    .deleteFrom('webhook_recoveries')
    .where('platform_id', '=', platformId)
    .where('subscription_id', '=', subscriptionId)
    .execute();
}

interface RecoveryKey {
  platform_id: number;
  subscription_id: string;
}

/**
 * Takes a step in the recovery of active subscriptions with few pending deliveries, of all platforms that are not relocating, those with
 * the fewest events left first. A step makes the missing deliveries of the next events, and restarts failed and discarded ones. All are
 * held from the start: claims would hold most of them anyway, at the cost of one more write each. Returns the number of deliveries, or
 * null if there is no step to take. Workers take different subscriptions; a step that is killed is taken again.
 */
export async function recoverDeliveries(db: Db, subscriptionsMax: number): Promise<number | null> {
  const made: number[] = [];
  for (const recovery of await findNextRecoveries(db, subscriptionsMax + OTHERS_MAX)) {
    if (made.length === subscriptionsMax) break;
    const ofStep = await takeStep(db, recovery);
    if (ofStep !== null) made.push(ofStep);
  }
  return made.length === 0 ? null : made.reduce((sum, each) => sum + each, 0);
}

/** Whether the recovery `r` of the subscription `s` has a step to take, with the positions `p` of its platform. */
const hasStep = sql`s.status = 'ACTIVE' and not exists (
        select from webhook_deliveries d
        where d.platform_id = s.platform_id and d.subscription_id = s.subscription_id and d.status = 'PENDING'
        offset ${sql.lit(PENDING_MAX - 1)}
      ) and (r.position_next <= p.position_last or ${isComplete})`;

/** Finds candidates, some of which other workers may be processing. */
async function findNextRecoveries(db: Db, countMax: number): Promise<RecoveryKey[]> {
  const { rows } = await sql<RecoveryKey>`
    select r.platform_id, r.subscription_id
    from webhook_recoveries r
    join webhook_subscriptions s on s.platform_id = r.platform_id and s.subscription_id = r.subscription_id
    left join event_positions p on p.platform_id = r.platform_id
    where ${hasStep}
      and ${isNotRelocating('r.platform_id')}
    order by coalesce(r.position_until, p.position_last) - r.position_next, r.platform_id, r.subscription_id
    limit ${countMax}
    ${unprepared}`.execute(db);
  return rows;
}

/** Returns null if another worker takes the step, or has taken the last one. */
async function takeStep(
  db: Db,
  { platform_id: platformId, subscription_id: subscriptionId }: RecoveryKey,
): Promise<number | null> {
  const { rows } = await sql<{ steps: number; made: number }>`
    with taken as materialized (
      select subscription_id, position_next, position_until, requested_at from webhook_recoveries
      where platform_id = ${platformId} and subscription_id = ${subscriptionId}
      for no key update skip locked
    ), ready as materialized (
      select s.subscription_id, s.type, r.position_next, coalesce(p.position_last, 0) as newest,
        coalesce(r.position_until, case when ${isComplete} then coalesce(p.position_last, 0) end) as position_until
      from taken r
      join webhook_subscriptions s on s.platform_id = ${platformId} and s.subscription_id = r.subscription_id
      left join event_positions p on p.platform_id = s.platform_id
      where ${hasStep}
    ), step as materialized (
      select *, least(newest, position_until, position_next + ${EVENTS_AT_ONCE_MAX - 1}) as position_last from ready
    ), missed as (
      select step.subscription_id, e.event_id
      from step join events e on e.platform_id = ${platformId} and e.position between step.position_next and step.position_last
      where ${coversType('step.type', sql.ref('e.type'))}
    ), made as (
      insert into webhook_deliveries as d (platform_id, subscription_id, event_id, status, is_recovered, is_held)
      select ${platformId}::int, subscription_id, event_id, ${PENDING}, true, true from missed
      on conflict (platform_id, event_id, subscription_id) do update set ${NEW_ROUND}, is_recovered = true, is_held = true
      where d.status = any(${RECOVERABLE})
      returning 1
    ), finished as (
      delete from webhook_recoveries r using step
      where r.platform_id = ${platformId} and r.subscription_id = step.subscription_id and step.position_last >= step.position_until
    ), going_on as (
      update webhook_recoveries r set position_next = step.position_last + 1, position_until = step.position_until
      from step
      where r.platform_id = ${platformId} and r.subscription_id = step.subscription_id
        and (step.position_until is null or step.position_last < step.position_until)
        and (r.position_next <= step.position_last or step.position_until is not null)
    )
    select (select count(*) from step) as steps, (select count(*) from made) as made
    ${unprepared}`.execute(db);
  const [{ steps, made }] = rows as [{ steps: number; made: number }];
  return steps === 0 ? null : made;
}
