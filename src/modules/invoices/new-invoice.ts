/** The resources that a request to create an invoice names, and the checks that need no lock on the orders. */
import { readAddress } from '#kernel/address';
import type { Currency } from '#kernel/currency';
import { namedNotFound, referenceNotFound } from '#kernel/missing-entity';
import { notFound, refusal } from '#kernel/problem';
import { blankToNull } from '#kernel/text';
import {
  buyerIncomplete,
  findBuyer,
  findContact,
  findInvoiceContact,
  hasActiveMandate,
  isKnown,
  type KnownBuyer,
  missingBuyer,
} from '#modules/buyers';
import {
  assertMerchantEnrolled,
  findMerchantStatus,
  findSoleMerchant,
  unknownMerchant,
} from '#modules/merchants';
import { findOrder, type OrderRow, readLineItems } from '#modules/orders';
import { assertCurrencyEnabled, findPlatform, type PlatformRow } from '#modules/platforms';
import { assertMerchantAllowed } from '#operation/caller';
import type { Context } from '#operation/operation';
import { existsInvoice } from './invoice.queries.ts';
import { assertInvoiceCreation, assertLineCurrency } from './invoice.rules.ts';
import type { InvoiceCreation } from './invoice.schemas.ts';
import { orderMismatch } from './invoice-terms.rules.ts';
import { paymentScriptOf } from './payment-script.ts';
import { type InvoiceRequest, invoiceExists } from './place-invoice.ts';

/**
 * Looks up the resources that a new invoice names. Throws every refusal that does not depend on credit or on the remaining amounts of
 * the orders.
 */
export async function readInvoiceCreation(context: Context, body: InvoiceCreation): Promise<InvoiceRequest> {
  const { db, platformId, caller, now, actor, timeZone } = context;
  const platform = await findPlatform(db, platformId);
  if (!platform) throw notFound();
  assertInvoiceCreation(body, platform, now);
  const [orders, isTaken] = await Promise.all([
    findOrdersNamed(context, body.order_external_ids ?? []),
    existsInvoice(db, { platformId, externalId: body.external_id }),
  ]);
  const currency = body.amount.currency ?? orders[0]?.currency ?? platform.currency;
  assertLineCurrency(body, currency);
  if (body.merchant_external_id !== undefined) assertMerchantAllowed(caller, body.merchant_external_id);
  const parties = orders.length > 0 ? partiesOf(body, orders, currency) : null;
  const [buyer, merchantExternalId] = await Promise.all([
    findBuyerNamed(context, parties?.buyerExternalId ?? (body.buyer_external_id as string)),
    parties?.merchantExternalId ?? findMerchantNamed(context, body, platform, currency),
  ]);
  await assertMethodAllowed(context, buyer.external_id, body.payment_method ?? null);
  const [contactExternalId, paymentScript] = await Promise.all([
    findContactNamed(context, buyer.external_id, body.contact_external_id),
    paymentScriptOf(context, buyer),
  ]);
  if (isTaken) throw invoiceExists();
  return {
    platformId,
    orderExternalIds: orders.map(({ external_id }) => external_id),
    grossMinor: body.amount.gross,
    invoicedAt: body.invoiced_at ?? now,
    dueAt: body.due_at ?? null,
    paymentMethod: body.payment_method ?? null,
    timeZone,
    columns: {
      external_id: body.external_id,
      buyer_external_id: buyer.external_id,
      merchant_external_id: merchantExternalId,
      currency,
      amount_net: body.amount.net,
      amount_tax: body.amount.tax ?? 0,
      invoice_number: blankToNull(body.invoice_number),
      payment_script: paymentScript,
      contact_external_id: contactExternalId,
      line_items: readLineItems(body.line_items, currency),
      ...addressesOf(body, orders, buyer),
      custom_data: body.custom_data ?? null,
    },
    actor,
    now,
  };
}

/** The orders as listed. To a key restricted to a merchant, orders of other merchants do not exist. */
async function findOrdersNamed(
  { db, platformId, caller }: Context,
  externalIds: readonly string[],
): Promise<OrderRow[]> {
  const orders = await Promise.all(
    externalIds.map((externalId) => findOrder(db, { platformId, externalId })),
  );
  return orders.map((order, index) => {
    const isVisible =
      (caller.merchantExternalId ?? order?.merchant_external_id) === order?.merchant_external_id;
    if (order && isVisible) return order;
    throw referenceNotFound('There is no order with this external_id', {
      field: `body.order_external_ids.${index}`,
      value: externalIds[index] as string,
      remedy: 'GET /v1/orders lists the orders; POST /v1/orders creates one.',
    });
  });
}

/** The buyer and merchant of all orders, which the request may repeat. Throws ORDER_MISMATCH. */
function partiesOf(body: InvoiceCreation, orders: readonly OrderRow[], currency: Currency) {
  const [first] = orders as [OrderRow];
  const buyerExternalId = body.buyer_external_id ?? first.buyer_external_id;
  const merchantExternalId = body.merchant_external_id ?? first.merchant_external_id;
  for (const order of orders) {
    if (order.buyer_external_id !== buyerExternalId) throw orderMismatch('buyer_external_id', order);
    if (order.merchant_external_id !== merchantExternalId) throw orderMismatch('merchant_external_id', order);
    if (order.currency !== currency) throw orderMismatch('amount.currency', order);
  }
  return { buyerExternalId, merchantExternalId };
}

async function findBuyerNamed({ db, platformId }: Context, externalId: string): Promise<KnownBuyer> {
  const buyer = await findBuyer(db, { platformId, externalId });
  if (!buyer) throw namedNotFound(missingBuyer('body.buyer_external_id', externalId));
  if (!isKnown(buyer)) throw buyerIncomplete();
  return buyer;
}

/** The merchant of an invoice without orders. It must be enrolled because the invoice is new business. */
async function findMerchantNamed(
  context: Context,
  { merchant_external_id: named }: InvoiceCreation,
  platform: PlatformRow,
  currency: Currency,
): Promise<string> {
  assertCurrencyEnabled(currency, platform);
  if (named === undefined) {
    const only = await findSoleMerchant(context);
    assertMerchantEnrolled(only.external_id, only.status);
    return only.external_id;
  }
  const { db, platformId } = context;
  const status = await findMerchantStatus(db, { platformId, externalId: named });
  if (status === undefined) throw unknownMerchant('body.merchant_external_id', named);
  assertMerchantEnrolled(named, status);
  return named;
}

/**
 * The contact that the request names, which must belong to the buyer. If left out, the buyer's contact for all invoices. Null means no
 * contact.
 */
export async function findContactNamed(
  { db, platformId }: Pick<Context, 'db' | 'platformId'>,
  buyerExternalId: string,
  named: string | null | undefined,
): Promise<string | null> {
  if (named === null) return null;
  if (named === undefined) return findInvoiceContact(db, { platformId, buyerExternalId });
  const contact = await findContact(db, { platformId, externalId: named });
  if (!contact)
    throw referenceNotFound('There is no contact with this external_id', {
      field: 'body.contact_external_id',
      value: named,
      remedy: 'GET /v1/contacts lists the contacts; POST /v1/contacts registers one.',
    });
  if (contact.buyer_external_id === buyerExternalId) return named;
  throw refusal('CONTACT_OF_OTHER_BUYER', 'The contact belongs to another buyer', {
    contact_external_id: named,
    buyer_external_id: contact.buyer_external_id,
  });
}

/** The addresses that the request names. If left out, those of the first order that has one, or else the buyer's. */
export function addressesOf(
  body: Pick<InvoiceCreation, 'billing_address' | 'delivery_address'>,
  orders: readonly Pick<OrderRow, 'billing_address' | 'delivery_address'>[],
  buyer: Pick<KnownBuyer, 'business_address' | 'delivery_address'>,
) {
  const ofOrders = (name: 'billing_address' | 'delivery_address') =>
    orders.map((order) => order[name]).find((address) => address !== null);
  return {
    billing_address:
      readAddress(body.billing_address) ?? ofOrders('billing_address') ?? buyer.business_address,
    delivery_address:
      body.delivery_address === null
        ? null
        : (readAddress(body.delivery_address) ?? ofOrders('delivery_address') ?? buyer.delivery_address),
  };
}

/** Throws NO_ACTIVE_MANDATE for a debit if the buyer has no active mandate. */
export async function assertMethodAllowed(
  { db, platformId }: Pick<Context, 'db' | 'platformId'>,
  buyerExternalId: string,
  method: string | null,
): Promise<void> {
  if (method !== 'DEBIT' || (await hasActiveMandate(db, { platformId, externalId: buyerExternalId }))) return;
  throw refusal('NO_ACTIVE_MANDATE', 'DEBIT needs an active mandate of the buyer', {
    buyer_external_id: buyerExternalId,
  });
}
