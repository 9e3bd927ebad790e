import { randomUUID } from 'node:crypto';
import { readAddress } from '#kernel/address';
import { transitionOf } from '#kernel/lifecycle';
import { buyerIncomplete } from '#modules/buyers';
import { findStanding, hasMandateFor } from '#modules/facilities';
import { operation } from '#operation/operation';
import { findOrderReferences, newOrder } from '../new-order.ts';
import { orderLifecycle } from '../order.lifecycle.ts';
import { findPrecedingOrders, toOrder } from '../order.queries.ts';
import { timeLimitOf } from '../order.rules.ts';
import { Order, OrderCreation } from '../order.schemas.ts';
import { judgementOf, referOrder, scriptOfOrder } from '../order-review.ts';
import { agreeTerm } from '../order-terms.rules.ts';
import { alreadyExists, placeOrder } from '../place-order.ts';

export const createOrder = operation({
  id: 'createOrder',
  summary: 'Create an order with its payment term',
  description:
    "For platforms with their own checkout. On credit the gross amount is reserved immediately in the buyer's facility; " +
    'prepayment needs no facility. Prepayment allows every payment method; credit allows TRANSFER, and DEBIT if the buyer has an active ' +
    'mandate. A refused order is not ' +
    'stored. An order that needs a review is PENDING_CONFIRMATION, and an ORDER.* event reports the decision.',
  tag: 'Orders',
  scope: 'orders:write',
  effect: 'own',
  body: OrderCreation,
  isVersioned: true,
  status: 201,
  response: Order,
  problems: [
    'NOT_FOUND',
    'MERCHANT_NOT_ALLOWED',
    'EXTERNAL_ID_ALREADY_EXISTS',
    'REFERENCED_ENTITY_NOT_FOUND',
    'MERCHANT_NOT_ENROLLED',
    'CURRENCY_NOT_ENABLED',
    'BUYER_INCOMPLETE',
    'NO_ACTIVE_FACILITY',
    'FACILITY_EXPIRED',
    'FACILITY_FROZEN',
    'FACILITY_CURRENCY_CONFLICT',
    'FACILITY_EXCEEDED_AVAILABLE_AMOUNT',
    'BUYER_OVERDUE',
    'PAYMENT_TERM_NOT_AVAILABLE',
  ],
  example: {
    body: {
      external_id: 'example-order-on-credit',
      buyer_external_id: 'cafe-morgenrot',
      merchant_external_id: 'roastery-north',
      amount: { net: 10000, tax: 1900, gross: 11900 },
      payment_method: 'TRANSFER',
      payment_term: 'DEFER_30D',
      line_items: [{ name: 'Espresso beans, 1 kg', category: 'Coffee', price: 2500, quantity: 4 }],
    },
  },
  async run(context, { body }) {
    const { db, platformId, now, vault } = context;
    const buyer = { platformId, buyerExternalId: body.buyer_external_id };
    const [references, standing, { isTaken, isFirst }, hasMandate] = await Promise.all([
      findOrderReferences(context, body),
      findStanding(db, { ...buyer, at: now }),
      findPrecedingOrders(db, { ...buyer, externalId: body.external_id }),
      hasMandateFor(db, buyer, body.payment_method),
    ]);
    // Checked before the credit: otherwise the first order's reservation would refuse a repetition of the request.
    if (isTaken) throw alreadyExists();
    if (references.buyerLegalName === null) throw buyerIncomplete();
    const script = scriptOfOrder(context, body.buyer_external_id, body.contact_email);
    const deliveryAddress = readAddress(body.delivery_address);
    const purchase = {
      paymentTerm: body.payment_term,
      grossMinor: body.amount.gross,
      currency: references.currency,
    };
    const toJudge = { ...buyer, ...purchase, deliveryAddress, isVouchedFor: false };
    const judgement = isFirst ? await judgementOf(context, toJudge, script) : null;
    const request = {
      ...purchase,
      paymentMethod: body.payment_method,
      hasMandate,
      orderedAt: body.ordered_at ?? now,
      judgement,
    };
    const { reviewReasons, columns } = agreeTerm(request, standing, references.platform, script, now);
    const isReviewed = reviewReasons.length > 0;
    const transition = transitionOf(orderLifecycle, null, isReviewed ? 'create_for_review' : 'create');
    const order = {
      ...newOrder(context, body, references, transition),
      ...columns,
      delivery_address: deliveryAddress,
      expires_at: timeLimitOf(transition.to, standing.limitPolicy, now),
      decision_id: isReviewed ? randomUUID() : null,
    };
    const refused = await placeOrder(db, {
      order,
      transition,
      standing,
      ...(isReviewed && {
        also: (transaction) =>
          referOrder({ ...context, db: transaction }, order, { reasons: reviewReasons, script, judgement }),
      }),
    });
    if (refused) throw refused;
    return { body: toOrder(order, vault), version: 1 };
  },
});
