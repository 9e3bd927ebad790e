/** Late charges, their history, and the parts of payments that settle them. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { inlineOnCluster, storedPlatform } from '#infra/database/one-node';
import { json, namesOf, type RowOf, table, text } from '#infra/database/table';
import { arrayOf, unnestRows } from '#infra/database/unnest-rows';
import type { Currency } from '#kernel/currency';
import type { Transition } from '#kernel/lifecycle';
import type { CursorPage } from '#operation/list';
import { type ListContext, type ListTable, listRows } from '#operation/list-table.queries';
import type { InvoiceKey } from '../invoice.queries.ts';
import type { PaymentKey } from '../payment.queries.ts';
import type { LateChargeStatus, LateChargeTrigger } from './late-charge.lifecycle.ts';
import type { LateChargeComputation, LateChargeCreditor, LateChargeKind } from './late-charge.schemas.ts';

const lateChargesTable = table('late_charges', {
  platform_id: 'int',
  external_id: 'text',
  status: text<LateChargeStatus>(),
  version: 'int',
  kind: text<LateChargeKind>(),
  invoice_external_id: 'text',
  buyer_external_id: 'text',
  merchant_external_id: 'text',
  creditor: text<LateChargeCreditor>(),
  created_at: 'bigint',
  updated_at: 'bigint',
  charged_on: 'text',
  accrued_until: 'text',
  currency: text<Currency>(),
  amount: 'bigint',
  paid_amount: 'bigint',
  outstanding_amount: 'bigint',
  computation: json<LateChargeComputation>(),
});

/** A charge that a buyer owes for paying an invoice late. */
export type LateChargeRow = RowOf<typeof lateChargesTable>;

const NEW_LATE_CHARGE = [
  'external_id',
  'status',
  'kind',
  'invoice_external_id',
  'buyer_external_id',
  'merchant_external_id',
  'creditor',
  'created_at',
  'updated_at',
  'charged_on',
  'accrued_until',
  'currency',
  'amount',
  'computation',
] as const;
export type NewLateChargeRow = Pick<LateChargeRow, (typeof NEW_LATE_CHARGE)[number]>;
const NEW_NAMES = namesOf(NEW_LATE_CHARGE);
const unnestNew = unnestRows<NewLateChargeRow>('t', lateChargesTable.list(...NEW_LATE_CHARGE), {
  withNth: true,
});

/** Inserts late charges of locked invoices with the first row of their history. Returns them in the same order. */
export async function insertLateCharges(
  db: Db,
  platformId: number,
  charges: readonly NewLateChargeRow[],
  { trigger, actor, reason }: { trigger: LateChargeTrigger; actor: string; reason: string | null },
): Promise<LateChargeRow[]> {
  const ofInvoice = storedPlatform(
    db,
    platformId,
    'invoices',
    sql`stored.external_id = i.invoice_external_id`,
  );
  const { rows } = await sql<LateChargeRow>`
    with inserted as (
      insert into late_charges as c (platform_id, ${NEW_NAMES})
      select ${platformId}::int, ${NEW_NAMES} from ${unnestNew(charges)} order by nth
      returning ${lateChargesTable.of('c')}
    ), history as (
      insert into late_charge_transitions (platform_id, late_charge_external_id, version, to_status, trigger,
        transitioned_at, actor, reason)
      select ${ofInvoice.platformId}, i.external_id, i.version, i.status, ${trigger}, i.created_at, ${actor}, ${reason}
      from inserted i ${ofInvoice.join}
    )
    select * from inserted`.execute(db);
  const inserted = new Map(rows.map((row) => [row.external_id, row]));
  return charges.map(({ external_id }) => inserted.get(external_id) as LateChargeRow);
}

/** The unpaid charges of locked invoices, earliest first. */
export async function listOpenLateCharges(
  db: Db,
  platformId: number,
  invoiceExternalIds: readonly string[],
): Promise<LateChargeRow[]> {
  const { rows } = await sql<LateChargeRow>`
    select ${lateChargesTable.of('c')} from late_charges c
    where c.platform_id = ${platformId} and c.invoice_external_id = any(${arrayOf('text', invoiceExternalIds)})
      and c.outstanding_amount > 0
    order by c.ordinal`.execute(db);
  return rows;
}

/** All charges of an invoice, earliest first. */
export async function listLateChargesOfInvoice(
  db: Db,
  { platformId, externalId }: InvoiceKey,
): Promise<LateChargeRow[]> {
  return db
    .selectFrom('late_charges')
    .select(lateChargesTable.columns)
    .where('platform_id', '=', platformId)
    .where('invoice_external_id', '=', externalId)
    .orderBy('ordinal')
    .$castTo<LateChargeRow>()
    .execute();
}

/** The charges of an invoice for reminders that were never sent. The service waived them. */
export async function listUnsentReminderCharges(
  db: Db,
  { platformId, externalId }: InvoiceKey,
): Promise<string[]> {
  const { rows } = await sql<{ external_id: string }>`
    select c.external_id from late_charges c
    join late_charge_transitions h on h.platform_id = ${platformId} and h.late_charge_external_id = c.external_id
    where c.platform_id = ${platformId} and c.invoice_external_id = ${externalId} and c.kind = 'REMINDER'
      and h.trigger = 'waive' and h.actor = 'service'`.execute(db);
  return rows.map(({ external_id }) => external_id);
}

const CHARGES: ListTable<{ invoice_external_id: string[] }> = {
  table: 'late_charges',
  key: 'ordinal',
  of: 'invoice_external_id',
  sort: 'ordinal',
  values: ['invoice_external_id'],
  ranges: [],
};

/** A page of the charges of an invoice, earliest first. */
export async function listLateChargeRows(context: ListContext, externalId: string, page: CursorPage) {
  const ofInvoice = { invoice_external_id: [externalId] };
  return listRows<typeof ofInvoice, LateChargeRow>(
    context,
    CHARGES,
    ofInvoice,
    page,
    lateChargesTable.of('t'),
  );
}

/** The charges of a platform with these statuses, latest first. */
export async function listLateCharges(
  db: Db,
  platformId: number,
  filter: { statuses: readonly string[]; buyerExternalId: string | null; limit: number },
): Promise<LateChargeRow[]> {
  const { rows } = await sql<LateChargeRow>`
    select ${lateChargesTable.of('c')} from late_charges c
    where c.platform_id = ${platformId} and c.status = any(${filter.statuses}::text[])
      and (${filter.buyerExternalId}::text is null or c.buyer_external_id = ${filter.buyerExternalId})
    order by c.ordinal desc limit ${filter.limit}`.execute(db);
  return rows;
}

/** The charges with these external_ids, earliest first. Unknown ones are missing. */
export async function findLateCharges(
  db: Db,
  platformId: number,
  externalIds: readonly string[],
): Promise<LateChargeRow[]> {
  const { rows } = await sql<LateChargeRow>`
    select ${lateChargesTable.of('c')} from late_charges c
    where c.platform_id = ${platformId} and c.external_id = any(${arrayOf('text', externalIds)})
    order by c.ordinal`.execute(db);
  return rows;
}

/** Returns undefined for an unknown charge. */
export async function findLateCharge(
  db: Db,
  platformId: number,
  externalId: string,
): Promise<LateChargeRow | undefined> {
  return db
    .selectFrom('late_charges')
    .select(lateChargesTable.columns)
    .where('platform_id', '=', platformId)
    .where('external_id', '=', externalId)
    .$castTo<LateChargeRow>()
    .executeTakeFirst();
}

/** The part of a payment that settles a late charge. */
export interface ChargeAllocation {
  paymentId: string;
  lateChargeExternalId: string;
  invoiceExternalId: string;
  amountMinor: number;
}

/** The parts of late charges that payments settle now, in the order of the charges. */
export async function listChargeAllocations(
  db: Db,
  platformId: number,
  paymentIds: readonly string[],
): Promise<ChargeAllocation[]> {
  const { rows } = await sql<ChargeAllocation>`
    select a.payment_external_id as "paymentId", c.external_id as "lateChargeExternalId",
      c.invoice_external_id as "invoiceExternalId", sum(a.amount)::bigint as "amountMinor"
    from late_charge_allocations a
    join late_charges c on c.platform_id = ${platformId} and c.external_id = a.late_charge_external_id
    where a.platform_id = ${platformId} and a.payment_external_id = any(${arrayOf('text', paymentIds)})
    group by a.payment_external_id, c.external_id, c.invoice_external_id, c.ordinal
    having sum(a.amount) <> 0
    order by a.payment_external_id, c.ordinal`.execute(db);
  return rows;
}

/** The invoices whose late charges a payment settles now. */
export async function listChargedInvoicesOfPayment(
  db: Db,
  { platformId, externalId }: PaymentKey,
): Promise<string[]> {
  const allocations = await listChargeAllocations(db, platformId, [externalId]);
  return [...new Set(allocations.map(({ invoiceExternalId }) => invoiceExternalId))];
}

/** A change of a charge whose invoice is locked. */
export interface LateChargeChange {
  /** The charge after the change. */
  charge: LateChargeRow;
  transition: Transition<LateChargeStatus, LateChargeTrigger> | null;
  /** The amount of the payment that settles the charge; below 0 if it no longer does. */
  allocation: {
    paymentId: string;
    cause: 'PAYMENT' | 'APPLICATION' | 'REVERSAL';
    amountMinor: number;
  } | null;
  actor: string;
  reason: string | null;
}

const unnestChanges = unnestRows<LateChargeChange>('t', {
  ...lateChargesTable.listOf<
    LateChargeChange,
    'external_id' | 'status' | 'version' | 'updated_at' | 'paid_amount'
  >(({ charge }) => charge, ...(['external_id', 'status', 'version', 'updated_at', 'paid_amount'] as const)),
  from_status: ['text', ({ transition }) => transition?.from ?? null],
  trigger: ['text', ({ transition }) => transition?.trigger ?? null],
  payment_external_id: ['text', ({ allocation }) => allocation?.paymentId ?? null],
  cause: ['text', ({ allocation }) => allocation?.cause ?? null],
  allocated: ['bigint', ({ allocation }) => allocation?.amountMinor ?? null],
  actor: ['text', 'actor'],
  reason: ['text', 'reason'],
});

/** Writes changes of charges with their history and allocations, each charge at most once. Returns them in the same order. */
export async function writeLateCharges(
  db: Db,
  platformId: number,
  changes: readonly LateChargeChange[],
): Promise<LateChargeRow[]> {
  const { rows } = await sql<LateChargeRow>`
    with input as ${inlineOnCluster(db)} (
      select * from ${unnestChanges(changes)}
    ), changed as (
      update late_charges c set status = i.status, version = i.version, updated_at = i.updated_at, paid_amount = i.paid_amount
      from input i
      where c.platform_id = ${platformId} and c.external_id = i.external_id
      returning ${lateChargesTable.of('c')}
    ), history as (
      insert into late_charge_transitions (platform_id, late_charge_external_id, version, from_status, to_status, trigger,
        transitioned_at, actor, reason)
      select ${platformId}::int, external_id, version, from_status, status, trigger, updated_at, actor, reason
      from input where trigger is not null
    ), allocations as (
      insert into late_charge_allocations (platform_id, late_charge_external_id, late_charge_version, payment_external_id,
        cause, amount, allocated_at, actor)
      select ${platformId}::int, external_id, version, payment_external_id, cause, allocated, updated_at, actor
      from input where allocated is not null
    )
    select * from changed`.execute(db);
  const changed = new Map(rows.map((row) => [row.external_id, row]));
  return changes.map(({ charge }) => changed.get(charge.external_id) as LateChargeRow);
}

/** Adds to the allocated amount of a payment. The caller has locked the payment. */
export async function addAllocatedAmount(
  db: Db,
  { platformId, externalId }: PaymentKey,
  { amountMinor, at }: { amountMinor: number; at: number },
): Promise<void> {
  await sql`
    update invoice_payments set allocated_amount = allocated_amount + ${amountMinor}, version = version + 1,
      updated_at = greatest(updated_at, ${at})
    where platform_id = ${platformId} and external_id = ${externalId}`.execute(db);
}
