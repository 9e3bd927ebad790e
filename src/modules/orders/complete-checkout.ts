import { randomUUID } from 'node:crypto';
import type { PlatformVault } from '#infra/secrets/vault';
import type { Address } from '#kernel/address';
import type { PaymentMethod, PaymentTerm } from '#kernel/payment-term';
import { notFound } from '#kernel/problem';
import { buyerIncomplete } from '#modules/buyers';
import { hasMandateFor } from '#modules/facilities';
import { assertMerchantEnrolled, findMerchantStatus } from '#modules/merchants';
import { findPlatform } from '#modules/platforms';
import type { Context } from '#operation/operation';
import { type OrderRow, openOrderEmail, sealOrderEmail } from './order.queries.ts';
import { purchaseOf, timeLimitOf } from './order.rules.ts';
import { reserve } from './order-credit.ts';
import { judgementOf, referOrder, scriptOfOrder } from './order-review.ts';
import { agreeAtMost, agreeTerm } from './order-terms.rules.ts';
import { findStandingForOrder, isAwaitingFacility } from './pending-orders.ts';
import { lockOrderAndFacility, orderTransitionOf, transitionOrder } from './transition-order.ts';

/** The buyer's choice in the checkout, with consent. */
export interface CheckoutChoice {
  paymentMethod: PaymentMethod;
  paymentTerm: PaymentTerm;
  /** Null if nothing is delivered. */
  deliveryAddress: Address | null;
  /** The address of the person who orders. An order that already has an address keeps it. */
  contactEmail: string;
  /** The invoice details that the buyer entered. They replace those that the platform sent with the draft. */
  invoice?: InvoiceDetails;
}

/** Each field is null if the buyer entered nothing. */
export interface InvoiceDetails {
  purchaseOrderNumber: string | null;
  email: string | null;
  billingAddress: Address | null;
}

const NO_DETAILS: InvoiceDetails = { purchaseOrderNumber: null, email: null, billingAddress: null };

/**
 * Turns a draft into an order: CONFIRMED, or PENDING_CONFIRMATION if the order or the buyer's facility is under review. The payment
 * term counts from now. A refusal of the term is thrown before anything is written, so the buyer can choose another one.
 */
export async function completeCheckout(
  context: Pick<Context, 'db' | 'platformId' | 'actor' | 'now' | 'vault' | 'isSandbox'>,
  externalId: string,
  { paymentMethod, paymentTerm, deliveryAddress, contactEmail, invoice = NO_DETAILS }: CheckoutChoice,
): Promise<OrderRow> {
  const { db, platformId, now, vault } = context;
  const draft = await lockOrderAndFacility(context, externalId);
  orderTransitionOf(draft, 'complete_checkout');
  if (draft.buyer_legal_name === null) throw buyerIncomplete();
  const platform = await findPlatform(db, platformId);
  const seller = { platformId, externalId: draft.merchant_external_id };
  const sellerStatus = await findMerchantStatus(db, seller);
  if (!platform || !sellerStatus) throw notFound();
  assertMerchantEnrolled(seller.externalId, sellerStatus);
  const standing = await findStandingForOrder(context, draft);
  const email = openOrderEmail(vault, draft) ?? contactEmail;
  const script = scriptOfOrder(context, draft.buyer_external_id, email);
  const isWaiting = isAwaitingFacility(standing, paymentTerm, draft, now);
  const toJudge = orderToJudge(draft, { paymentTerm, deliveryAddress });
  const judgement = isWaiting ? null : await judgementOf(context, toJudge, script);
  const buyer = { platformId, buyerExternalId: draft.buyer_external_id };
  const hasMandate = await hasMandateFor(db, buyer, paymentMethod);
  const placement = { paymentMethod, hasMandate, orderedAt: now };
  const request = { ...placement, paymentTerm, ...purchaseOf(draft), judgement };
  const agree = isWaiting ? agreeAtMost : agreeTerm;
  const { reviewReasons, columns } = agree(request, standing, platform, script, now);
  const isReviewed = reviewReasons.length > 0;
  const trigger = isReviewed || isWaiting ? 'complete_checkout_for_review' : 'complete_checkout';
  await reserve(context, draft, columns.reserved_amount, standing);
  // An order waits for its own review or for that of the facility.
  const awaited = standing.increaseDecisionId ?? standing.facility?.decision_id;
  const decisionId = isReviewed ? randomUUID() : isWaiting && awaited;
  const order = await transitionOrder(context, draft, trigger, {
    ...columns,
    delivery_address: deliveryAddress,
    contact_email_sealed:
      draft.contact_email_sealed ?? sealOrderEmail(vault, externalId, 'contact_email', email),
    ...invoiceColumns(vault, draft, invoice),
    expires_at: timeLimitOf(orderTransitionOf(draft, trigger).to, standing.limitPolicy, now),
    ...(decisionId && { decision_id: decisionId }),
  });
  if (isReviewed) await referOrder(context, order, { reasons: reviewReasons, script, judgement });
  return order;
}

function orderToJudge(draft: OrderRow, choice: Pick<CheckoutChoice, 'paymentTerm' | 'deliveryAddress'>) {
  const { buyer_external_id: buyerExternalId, vouched_by } = draft;
  return { ...choice, ...purchaseOf(draft), buyerExternalId, isVouchedFor: vouched_by !== null };
}

function invoiceColumns(
  vault: PlatformVault,
  draft: OrderRow,
  { purchaseOrderNumber, email, billingAddress }: InvoiceDetails,
) {
  return {
    purchase_order_number: purchaseOrderNumber ?? draft.purchase_order_number,
    invoice_email_sealed:
      sealOrderEmail(vault, draft.external_id, 'invoice_email', email) ?? draft.invoice_email_sealed,
    billing_address: billingAddress ?? draft.billing_address,
  };
}
