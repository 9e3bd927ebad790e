/** Queries of the invariants between buyers, events and deliveries, as the database's owner. Each returns the violations. */
import { attachToRunningPostgres, type PostgresEndpoint } from '#infra/embedded-postgres/embedded-postgres';
import type { Lifecycle } from '#kernel/lifecycle';
import { query } from './embedded-postgres-processes.ts';

export type Audit = (sql: string) => Promise<Record<string, unknown>[]>;

export async function auditOf(dataDir: string): Promise<Audit> {
  const postgres = await attachToRunningPostgres(dataDir);
  const owner = postgres?.endpoint('owner') as PostgresEndpoint;
  return (sql) => query(owner, sql);
}

const BUYER_EVENTS = `select platform_id, resource_external_id as external_id, type,
  (body::json -> 'data' ->> 'sequence')::int as sequence from events where type like 'BUYER.%'`;

/** Buyers without exactly one event for each version: BUYER.CREATED first, then BUYER.UPDATED. */
export const buyersWithOtherEvents = (audit: Audit) =>
  audit(`select b.external_id, b.version, e.sequences from buyers b left join (
    select platform_id, external_id, array_agg(sequence order by sequence) as sequences,
      array_agg(type order by sequence) as types from (${BUYER_EVENTS}) e group by 1, 2
  ) e using (platform_id, external_id)
  where e.sequences is distinct from array(select generate_series(1, b.version))
    or e.types[1] <> 'BUYER.CREATED' or exists (select from unnest(e.types[2:]) t where t <> 'BUYER.UPDATED')`);

/** Events about a buyer, or a version of it, that does not exist. */
export const eventsWithoutBuyer = (audit: Audit) =>
  audit(`select e.* from (${BUYER_EVENTS}) e left join buyers b using (platform_id, external_id)
  where b.version is null or e.sequence > b.version`);

const TABLES = {
  order: { table: 'order_transitions', id: 'order_external_id', events: `type like 'ORDER.%'` },
  facility: { table: 'facility_transitions', id: 'buyer_external_id', events: `type like 'FACILITY.%'` },
  // INVOICE.UPDATED also reports changes without a transition.
  invoice: {
    table: 'invoice_transitions',
    id: 'invoice_external_id',
    events: String.raw`type ~ '^INVOICE\.[A-Z]+$' and type <> 'INVOICE.UPDATED'`,
  },
  payout: { table: 'payout_transitions', id: 'payout_external_id', events: `type like 'PAYOUT.%'` },
} as const;

/**
 * Differences between the transitions and the events of orders, facilities, invoices or payouts: a transition whose event is missing,
 * duplicated, or not the one in the lifecycle, and an event without a transition.
 */
export async function transitionsWithOtherEvents<Status extends string, Trigger extends string>(
  audit: Audit,
  resource: keyof typeof TABLES,
  lifecycle: Lifecycle<Status, Trigger>,
): Promise<string[]> {
  const { table, id, events } = TABLES[resource];
  const transitions = await audit(
    `select platform_id, ${id} as id, version, from_status, trigger, to_status from ${table}`,
  );
  const eventOf = new Map(
    lifecycle.transitions.map(({ from, trigger, to, event }) => [`${from} ${trigger} ${to}`, event]),
  );
  const expected = transitions.flatMap(({ platform_id, id, version, from_status, trigger, to_status }) => {
    const event = eventOf.get(`${from_status} ${trigger} ${to_status}`);
    // A transition that the lifecycle does not have is reported as one whose event is missing.
    return event === null || event === 'INVOICE.UPDATED'
      ? []
      : [`${platform_id} ${id} ${version} ${event} ${from_status} ${to_status}`];
  });
  const recorded = await audit(`select platform_id, resource_external_id as id, type,
      body::json -> 'data' ->> 'sequence' as version, body::json -> 'data' ->> 'previous_status' as from_status,
      body::json -> 'data' ->> 'status' as to_status
    from events where ${events}`);
  const seen = recorded.map(
    ({ platform_id, id, version, type, from_status, to_status }) =>
      `${platform_id} ${id} ${version} ${type} ${from_status} ${to_status}`,
  );
  return differences(expected, seen);
}

/** The items that one list contains more often than the other. */
function differences(one: string[], other: string[]): string[] {
  const counts = new Map<string, number>();
  for (const each of one) counts.set(each, (counts.get(each) ?? 0) + 1);
  for (const each of other) counts.set(each, (counts.get(each) ?? 0) - 1);
  return [...counts].filter(([, count]) => count !== 0).map(([each, count]) => `${each}: ${count}`);
}

/** Platforms whose events are not numbered 1, 2, 3 … to their last. */
export const platformsWithGaps = (audit: Audit) =>
  audit(`select platform_id, count(*), min(position), max(position) from events group by 1
  having count(position) <> count(*) or min(position) <> 1 or max(position) <> count(*)`);

/** Missing, duplicate or undelivered deliveries. Each subscription must have one DELIVERED delivery per event of its type. */
export const deliveriesAmiss = (audit: Audit) =>
  audit(`select s.type as subscription, e.event_id, array_agg(d.status) as statuses
  from webhook_subscriptions s
  join events e on e.platform_id = s.platform_id and (e.type = s.type or starts_with(e.type, s.type || '.'))
  left join webhook_deliveries d on d.platform_id = e.platform_id and d.event_id = e.event_id
    and d.subscription_id = s.subscription_id
  group by s.platform_id, s.subscription_id, s.type, e.event_id
  having array_agg(d.status) is distinct from array['DELIVERED'] limit 1000`);

/** The number of deliveries that are not made yet. */
export async function pendingDeliveries(audit: Audit): Promise<number> {
  const [row] = await audit(
    "select count(*)::int as pending from webhook_deliveries where status = 'PENDING'",
  );
  return Number(row?.pending);
}

/** Sales of `trade` without exactly one closed order, invoice and payment, and sales whose money was transferred twice. */
export const salesAmiss = (audit: Audit) =>
  audit(`select o.external_id, o.status, i.status as invoice, p.payments, l.lines
  from orders o
  left join invoices i on i.platform_id = o.platform_id and i.external_id = replace(o.external_id, 'order-', 'invoice-')
  cross join lateral (select count(*)::int as payments from invoice_payments
    where platform_id = i.platform_id and invoice_external_id = i.external_id) p
  cross join lateral (select count(*)::int as lines from payout_lines
    where platform_id = i.platform_id and invoice_external_id = i.external_id) l
  where o.external_id like 'order-of-sale-%' and ((o.status, i.status, p.payments) is distinct from ('CLOSED', 'CLOSED', 1) or l.lines > 1)`);
