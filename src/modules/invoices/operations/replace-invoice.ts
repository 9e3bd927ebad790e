import { changedFields } from '#kernel/changes';
import { notFound, refusal } from '#kernel/problem';
import { findBuyer, type KnownBuyer } from '#modules/buyers';
import { findOrder, type OrderRow } from '#modules/orders';
import { assertVisible } from '#operation/caller';
import { type Context, operation } from '#operation/operation';
import { assertReadOnlyFields } from '#operation/read-only';
import { followDunnings } from '../dunning/follow-dunnings.ts';
import { lockReminded } from '../dunning/reminded-party.queries.ts';
import { followOverdue } from '../follow-overdue.ts';
import { findInvoice, type InvoiceColumns, type InvoiceRow, lockInvoice } from '../invoice.queries.ts';
import { Invoice, InvoiceParams, InvoiceReplacement } from '../invoice.schemas.ts';
import { postponeInstalment } from '../invoice-changes.queries.ts';
import { assertNotBeforeOrders } from '../invoice-terms.rules.ts';
import { isBeyondInvoice, showInvoices } from '../invoice-view.ts';
import { addressesOf, assertMethodAllowed, findContactNamed } from '../new-invoice.ts';
import { assertDates, assertImmutable, dueChanges } from '../replacement.rules.ts';
import { changeInvoice, type InvoiceChanges, transitionInvoice } from '../transition-invoice.ts';

export const replaceInvoice = operation({
  id: 'replaceInvoice',
  summary: 'Replace the editable fields of an invoice',
  description:
    'Amount, buyer, merchant, orders and number cannot change: refund the invoice and create another one. A ' +
    'contact that is left out stays, and null unlinks it; custom_data is cleared; the addresses are set again, and null ' +
    'removes the delivery address. A later due_at of a DUE invoice makes it OPEN. Refused while a service on the invoice is active. Read-only fields are ' +
    'accepted with their stored values. Repeating a request changes nothing.',
  tag: 'Invoices',
  scope: 'invoices:write',
  effect: 'transaction',
  params: InvoiceParams,
  body: InvoiceReplacement,
  isConditional: true,
  isVersioned: true,
  status: 200,
  response: Invoice,
  problems: [
    'NOT_FOUND',
    'IMMUTABLE_FIELD',
    'INVOICE_HAS_ACTIVE_SERVICE',
    'INVALID_STATUS_TRANSITION',
    'REFERENCED_ENTITY_NOT_FOUND',
    'CONTACT_OF_OTHER_BUYER',
    'ORDER_NOT_INVOICEABLE',
    'NO_ACTIVE_MANDATE',
  ],
  example: {
    params: { external_id: 'example-invoice' },
    body: {
      buyer_external_id: 'cafe-morgenrot',
      invoiced_at: 1_763_640_000,
      due_at: 1_900_000_000,
      amount: { net: 10000, tax: 1900, gross: 11900 },
      payment_method: 'TRANSFER',
      contact_external_id: 'cafe-morgenrot-accounting',
      custom_data: { cost_center: '4711' },
    },
  },
  async run(context, { params, body }) {
    const { db, platformId, caller, now, timeZone, assertVersion } = context;
    const row = await lockInvoice(db, { platformId, externalId: params.external_id });
    if (!row) throw notFound();
    assertVisible(row, caller);
    assertVersion(row.version);
    assertReadOnlyFields(InvoiceReplacement, body, await shown(context, row, ['services']));
    assertDates(body, now, timeZone);
    assertImmutable(body, row);
    if (row.active_services > 0)
      throw refusal(
        'INVOICE_HAS_ACTIVE_SERVICE',
        'The invoice has an active service, so it cannot be replaced',
      );
    const wanted = await wantedColumns(context, row, body);
    const { changes, isPostponed } = dueChanges(row, body.due_at, now, timeZone);
    if (changes.dunning_at !== undefined && !(await lockReminded(db, platformId, [row]))(row))
      changes.dunning_at = null;
    const changed = changedFields<InvoiceChanges>(row, { ...wanted, ...changes });
    if (changed.length > 0) await write(context, row, { ...wanted, ...changes }, isPostponed);
    const replaced = (await findInvoice(db, { platformId, externalId: row.external_id })) as InvoiceRow;
    const answer = await shown(context, replaced);
    return { body: answer, version: replaced.version, isBeyondVersion: isBeyondInvoice(answer) };
  },
});

async function shown(
  { db, platformId, vault, now, timeZone }: Context,
  row: InvoiceRow,
  expand: readonly string[] = [],
): Promise<Invoice> {
  const [invoice] = await showInvoices(db, platformId, [row], { vault, now, timeZone, expand });
  return invoice as Invoice;
}

async function wantedColumns(
  context: Context,
  row: InvoiceRow,
  body: InvoiceReplacement,
): Promise<InvoiceChanges> {
  const { db, platformId } = context;
  const found = await Promise.all(
    row.order_external_ids.map((externalId) => findOrder(db, { platformId, externalId })),
  );
  const orders = found as OrderRow[];
  assertNotBeforeOrders(body.invoiced_at, orders, context.timeZone);
  if (body.payment_method !== row.payment_method)
    await assertMethodAllowed(context, row.buyer_external_id, body.payment_method);
  const buyer = (await findBuyer(db, { platformId, externalId: row.buyer_external_id })) as KnownBuyer;
  return {
    invoiced_at: body.invoiced_at,
    payment_method: body.payment_method,
    contact_external_id:
      body.contact_external_id === undefined
        ? row.contact_external_id
        : await findContactNamed(context, row.buyer_external_id, body.contact_external_id),
    ...addressesOf(body, orders, buyer),
    custom_data: body.custom_data ?? null,
  };
}

async function write(
  context: Context,
  row: InvoiceRow,
  changes: InvoiceChanges,
  isPostponed: boolean,
): Promise<void> {
  const { db, platformId } = context;
  const installments =
    changes.due_at === undefined
      ? row.installments
      : await postponeInstalment(db, platformId, row.external_id, {
          dueAt: changes.due_at,
          dueOn: changes.due_on as string,
        });
  if (isPostponed) {
    await followPostponed(context, row, await transitionInvoice(context, row, 'postpone', changes));
    await followOverdue(db, [], [row]);
    return;
  }
  const changed = await changeInvoice(context, row, changes, 'INVOICE.UPDATED');
  await followPostponed(context, row, changed);
  if (row.status === 'DUE' && changes.due_at !== undefined)
    await followOverdue(db, [{ invoice: changed, installments }]);
}

/** Ends the reminders of an invoice that now has a later due day. */
async function followPostponed(
  { db, platformId, actor, now }: Context,
  invoice: InvoiceRow,
  settled: InvoiceColumns,
): Promise<void> {
  if (settled.due_at === invoice.due_at) return;
  const isOver = settled.due_on > invoice.due_on;
  const nextInstallment = invoice.dunning?.installment ?? null;
  await followDunnings(db, platformId, [{ invoice, settled, nextInstallment, isOver, actor, now }]);
}
