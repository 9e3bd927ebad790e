/** The lookups and the first row that every creation of an order needs. */
import { readAddress } from '#kernel/address';
import type { Currency } from '#kernel/currency';
import type { Transition } from '#kernel/lifecycle';
import { namedNotFound } from '#kernel/missing-entity';
import { notFound } from '#kernel/problem';
import { blankToNull } from '#kernel/text';
import { findBuyerName, missingBuyer } from '#modules/buyers';
import {
  assertMerchantEnrolled,
  findMerchantStatus,
  findSoleMerchant,
  unknownMerchant,
} from '#modules/merchants';
import { assertCurrencyEnabled, findPlatform, type PlatformRow } from '#modules/platforms';
import { assertMerchantAllowed, isOfMerchant } from '#operation/caller';
import type { Context } from '#operation/operation';
import type { OrderStatus, OrderTrigger } from './order.lifecycle.ts';
import { type NewOrder, NOTHING_YET, sealOrderEmail } from './order.queries.ts';
import { assertCreation, currencyOf, readLineItems } from './order.rules.ts';
import type { DraftOrderCreation, OrderCreation } from './order.schemas.ts';

/** The resources that a new order names. */
export interface OrderReferences {
  platform: PlatformRow;
  /** Null for an invited buyer without details. */
  buyerLegalName: string | null;
  merchantExternalId: string;
  currency: Currency;
}

/** Looks up the resources that a new order names. Throws every refusal that does not depend on credit. */
export async function findOrderReferences(
  context: Context,
  body: DraftOrderCreation | OrderCreation,
): Promise<OrderReferences> {
  const { db, platformId, caller, now } = context;
  const named = body.merchant_external_id;
  const [platform, buyerLegalName, merchantStatus] = await Promise.all([
    findPlatform(db, platformId),
    findBuyerName(db, { platformId, externalId: body.buyer_external_id }),
    named === undefined ? undefined : findMerchantStatus(db, { platformId, externalId: named }),
  ]);
  if (!platform) throw notFound();
  assertCreation(body, platform, now);
  if (buyerLegalName === undefined)
    throw namedNotFound(missingBuyer('body.buyer_external_id', body.buyer_external_id));
  if (named !== undefined) assertMerchantAllowed(caller, named);
  const merchant =
    named !== undefined && merchantStatus !== undefined
      ? { external_id: named, status: merchantStatus }
      : await merchantLeftOut(context, named);
  assertMerchantEnrolled(merchant.external_id, merchant.status);
  const currency = currencyOf(body, platform);
  assertCurrencyEnabled(currency, platform);
  return { platform, buyerLegalName, merchantExternalId: merchant.external_id, currency };
}

function merchantLeftOut(context: Context, named: string | undefined) {
  if (named !== undefined) throw unknownMerchant('body.merchant_external_id', named);
  return findSoleMerchant(context);
}

/** The first row of an order. */
export function newOrder(
  { platformId, caller, actor, now, vault }: Context,
  body: DraftOrderCreation,
  { buyerLegalName, merchantExternalId, currency }: OrderReferences,
  transition: Transition<OrderStatus, OrderTrigger>,
): NewOrder {
  return {
    ...NOTHING_YET,
    platform_id: platformId,
    external_id: body.external_id,
    status: transition.to,
    buyer_external_id: body.buyer_external_id,
    merchant_external_id: merchantExternalId,
    created_at: now,
    updated_at: now,
    ordered_at: now,
    payment_method: null,
    payment_term: null,
    currency,
    amount_net: body.amount.net,
    amount_gross: body.amount.gross,
    amount_tax: body.amount.tax ?? 0,
    comment: blankToNull(body.comment),
    delivery_address: null,
    custom_data: body.custom_data ?? null,
    line_items: readLineItems(body.line_items, currency),
    contact_email_sealed: sealOrderEmail(vault, body.external_id, 'contact_email', body.contact_email),
    purchase_order_number: blankToNull(body.purchase_order_number),
    invoice_email_sealed: sealOrderEmail(vault, body.external_id, 'invoice_email', body.invoice_email),
    billing_address: readAddress(body.billing_address),
    is_email_from_merchant: isOfMerchant(caller),
    buyer_legal_name: buyerLegalName,
    trigger: transition.trigger,
    actor,
  };
}
