/** The changes of the debts of a buyer or of one invoice, in the order in which they were recorded. Statements of account list them. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { unnestRows } from '#infra/database/unnest-rows';
import type { Currency } from '#kernel/currency';
import type { LateChargeKind } from './late-charges/late-charge.schemas.ts';

/**
 * PAYMENT_RELEASED: a credit note or a refund released money of a payment that had settled the invoice. CANCELLATION: the rest of the
 * claim, such as its fee, is no longer owed. WAIVER: of a late charge.
 */
export const OWED_ENTRY_KINDS = [
  'INVOICE',
  'PAYMENT',
  'PAYMENT_RETURNED',
  'PAYMENT_RELEASED',
  'CREDIT_NOTE',
  'CANCELLATION',
  'INTEREST',
  'COMPENSATION',
  'REMINDER',
  'WAIVER',
] as const satisfies readonly (LateChargeKind | string)[];
export type OwedEntryKind = (typeof OWED_ENTRY_KINDS)[number];

/** The buyer whose debts are read, with optional restrictions. */
export interface OwedScope {
  buyerExternalId: string;
  /** Only debts to this merchant. */
  merchantExternalId: string | null;
  /** Only debts of this invoice. */
  invoiceExternalId: string | null;
}

export interface OwedEntryRow {
  currency: Currency;
  kind: OwedEntryKind;
  /** When it was recorded, in unix seconds. */
  at: number;
  /** The day of the document if it has one, such as the day on which money came. Else null. */
  document_on: string | null;
  /** The instant of the document, such as the date of an invoice. */
  document_at: number;
  invoice_external_id: string;
  invoice_number: string | null;
  /** The invoice, payment, credit note or late charge. */
  document_external_id: string;
  /** Minor units; below 0 if the change lowers the debt. */
  amount: number;
}

/** Every change of what is owed, up to and including an instant. A change of the invoice itself has no `charge`. */
function entriesUntil(platformId: number, scope: OwedScope, until: number): RawBuilder<unknown> {
  return sql`
    mine as materialized (
      select external_id, currency, invoice_number, created_at, invoiced_at, amount_gross + term_fee_gross as claim
      from invoices
      where platform_id = ${platformId} and buyer_external_id = ${scope.buyerExternalId} and created_at <= ${until}
        and (${scope.merchantExternalId}::text is null or merchant_external_id = ${scope.merchantExternalId})
        and (${scope.invoiceExternalId}::text is null or external_id = ${scope.invoiceExternalId})
    ), charges as materialized (
      select l.external_id, l.invoice_external_id, l.kind, l.created_at, l.charged_on, l.amount
      from mine m
      join late_charges l on l.platform_id = ${platformId} and l.invoice_external_id = m.external_id
      where l.created_at <= ${until}
    ), settled as materialized (
      select external_id as invoice, null::text as charge, 1 as rank, 'INVOICE' as kind, created_at as at,
        null::text as document_on, invoiced_at as document_at, external_id::text as document, claim as amount
      from mine
      union all
      select c.invoice_external_id, null, 3, 'CREDIT_NOTE', c.created_at, null, c.invoiced_at, c.external_id, -c.amount_gross
      from mine m
      join credit_notes c on c.platform_id = ${platformId} and c.invoice_external_id = m.external_id
      where c.created_at <= ${until}
      union all
      select a.invoice_external_id, null, 4, ${kindOfCause}, a.allocated_at, p.paid_on, p.paid_at, p.external_id,
        -sum(a.fee_amount + a.goods_amount)
      from mine m
      join payment_allocations a on a.platform_id = ${platformId} and a.invoice_external_id = m.external_id
      join invoice_payments p on p.platform_id = ${platformId} and p.external_id = a.payment_external_id
      where a.allocated_at <= ${until}
      group by a.invoice_external_id, a.cause, a.allocated_at, p.paid_on, p.paid_at, p.external_id
      union all
      select invoice_external_id, external_id, 2, kind, created_at, charged_on, created_at, external_id, amount
      from charges
      union all
      select c.invoice_external_id, c.external_id, 4, ${kindOfCause}, a.allocated_at, p.paid_on, p.paid_at, p.external_id,
        -sum(a.amount)
      from charges c
      join late_charge_allocations a on a.platform_id = ${platformId} and a.late_charge_external_id = c.external_id
      join invoice_payments p on p.platform_id = ${platformId} and p.external_id = a.payment_external_id
      where a.allocated_at <= ${until}
      group by c.invoice_external_id, c.external_id, a.cause, a.allocated_at, p.paid_on, p.paid_at, p.external_id
    ), entries as materialized (
      select * from settled where amount <> 0
      union all
      select t.invoice_external_id, null, 5, 'CANCELLATION', t.transitioned_at, null, t.transitioned_at, t.invoice_external_id,
        -sum(s.amount)
      from mine m
      join invoice_transitions t on t.platform_id = ${platformId} and t.invoice_external_id = m.external_id
      join settled s on s.invoice = t.invoice_external_id and s.charge is null and s.at <= t.transitioned_at
      where t.to_status = 'CANCELLED' and t.transitioned_at <= ${until}
      group by t.invoice_external_id, t.transitioned_at having sum(s.amount) <> 0
      union all
      -- What a reversed payment had settled of a waived charge is waived too.
      select c.invoice_external_id, c.external_id, 5, 'WAIVER', w.at, null, w.at, c.external_id, -sum(s.amount)
      from charges c
      join late_charge_transitions t on t.platform_id = ${platformId} and t.late_charge_external_id = c.external_id
      join settled s on s.charge = c.external_id
      cross join lateral (select greatest(s.at, t.transitioned_at) as at) w
      where t.to_status = 'WAIVED' and t.transitioned_at <= ${until}
      group by c.invoice_external_id, c.external_id, w.at having sum(s.amount) <> 0
    )`;
}

const kindOfCause = sql`case a.cause when 'PAYMENT' then 'PAYMENT' when 'APPLICATION' then 'PAYMENT'
        when 'REVERSAL' then 'PAYMENT_RETURNED' else 'PAYMENT_RELEASED' end`;

/** The columns that identify one entry: a document can have changed several times at an instant. */
const ENTRY = sql`e.kind, e.at, e.document_on, e.document_at, e.invoice, e.document, e.rank`;

/** The changes between two instants, both included, earliest first, at most `countMax`. */
export async function listOwedEntries(
  db: Db,
  platformId: number,
  scope: OwedScope,
  { from, until, countMax }: { from: number; until: number; countMax: number },
): Promise<OwedEntryRow[]> {
  const { rows } = await sql<OwedEntryRow>`
    with ${entriesUntil(platformId, scope, until)}
    select m.currency, e.kind, e.at, e.document_on, e.document_at, e.invoice as invoice_external_id, m.invoice_number,
      e.document as document_external_id, sum(e.amount)::bigint as amount
    from entries e join mine m on m.external_id = e.invoice
    where e.at >= ${from}
    group by m.currency, m.invoice_number, ${ENTRY}
    having sum(e.amount) <> 0
    order by e.at, e.rank, e.invoice, e.document
    limit ${countMax}`.execute(db);
  return rows;
}

/** From one instant to another, both included, in unix seconds. */
export interface OwedPeriod {
  from: number;
  at: number;
}

const unnestPeriods = unnestRows<OwedPeriod>(
  'p',
  { from_at: ['bigint', 'from'], until_at: ['bigint', 'at'] },
  { withNth: true },
);

/** The number of changes in each period, and whether something was owed before it, in the order of the periods. */
export async function countOwedEntries(
  db: Db,
  platformId: number,
  scope: OwedScope,
  periods: readonly OwedPeriod[],
): Promise<{ entries: number; wasOwed: boolean }[]> {
  const until = Math.max(0, ...periods.map(({ at }) => at));
  const { rows } = await sql<{ entries: number; wasOwed: boolean }>`
    with ${entriesUntil(platformId, scope, until)}
    select (
        select count(*)::int from (
          select from entries e where e.at between p.from_at and p.until_at
          group by ${ENTRY} having sum(e.amount) <> 0
        ) changed
      ) as entries,
      exists (
        select from entries e where e.at < p.from_at group by e.invoice, e.charge having sum(e.amount) <> 0
      ) as "wasOwed"
    from ${unnestPeriods(periods)} order by p.nth`.execute(db);
  return rows;
}

/** The amounts owed of an invoice as of an instant. */
export interface OwedBalance {
  currency: Currency;
  invoice_external_id: string;
  invoice_number: string | null;
  payment_reference: string;
  invoiced_at: number;
  /** The current value, not the value as of the instant. */
  due_at: number;
  due_on: string;
  /** Minor units, without late charges. */
  outstanding: number;
  /** Minor units. */
  late_charges: number;
}

/** The invoices that were not fully paid at an instant, earliest first. */
export async function listOwedBalances(
  db: Db,
  platformId: number,
  scope: OwedScope,
  until: number,
): Promise<OwedBalance[]> {
  const { rows } = await sql<OwedBalance>`
    with ${entriesUntil(platformId, scope, until)}, owed as (
      select invoice, coalesce(sum(amount) filter (where charge is null), 0)::bigint as outstanding,
        coalesce(sum(amount) filter (where charge is not null), 0)::bigint as late_charges
      from entries group by invoice
    )
    select i.currency, i.external_id as invoice_external_id, i.invoice_number, i.payment_reference, i.invoiced_at, i.due_at,
      i.due_on, o.outstanding, o.late_charges
    from owed o join invoices i on i.platform_id = ${platformId} and i.external_id = o.invoice
    where o.outstanding <> 0 or o.late_charges <> 0
    order by i.due_at, i.external_id`.execute(db);
  return rows;
}
