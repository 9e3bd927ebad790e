import { readAddress } from '#kernel/address';
import { transitionOf } from '#kernel/lifecycle';
import { buyerIncomplete } from '#modules/buyers';
import { findStanding } from '#modules/facilities';
import { operation } from '#operation/operation';
import { gatherOrder } from '../gather-order.ts';
import { newOrder } from '../new-order.ts';
import { orderLifecycle } from '../order.lifecycle.ts';
import { existsOrder, toOrder } from '../order.queries.ts';
import { timeLimitOf } from '../order.rules.ts';
import { Order, OrderCreation } from '../order.schemas.ts';
import { openOrderReview, scriptOfOrder } from '../order-review.ts';
import { agreeTerm } from '../order-terms.rules.ts';
import { alreadyExists, placeOrder } from '../place-order.ts';

export const createOrder = operation({
  id: 'createOrder',
  summary: 'Create an order with its payment term',
  description:
    "For a platform that has a checkout of its own. On credit the gross amount is reserved in the buyer's facility at once; " +
    'prepayment needs no facility. Refused, nothing is stored. An order that a person must look at first is answered as ' +
    'PENDING_CONFIRMATION, and told of by an ORDER.* event when it is decided.',
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
    const key = { platformId, externalId: body.external_id };
    const [ground, standing, isTaken] = await Promise.all([
      gatherOrder(context, body),
      findStanding(db, { platformId, buyerExternalId: body.buyer_external_id, at: now }),
      // Told before the credit: to an order that is sent again, what the first one reserved would look like too little.
      existsOrder(db, key),
    ]);
    if (isTaken) throw alreadyExists();
    if (ground.buyerLegalName === null) throw buyerIncomplete();
    const script = scriptOfOrder(context, body.buyer_external_id, body.contact_email);
    const request = {
      paymentMethod: body.payment_method,
      paymentTerm: body.payment_term,
      grossMinor: body.amount.gross,
      currency: ground.currency,
      orderedAt: body.ordered_at ?? now,
    };
    const { max_payment_term: daysMax } = ground.platform;
    const { reviewReasons, columns } = agreeTerm(request, standing, daysMax, script, now);
    const isReviewed = reviewReasons.length > 0;
    const transition = transitionOf(orderLifecycle, null, isReviewed ? 'create_for_review' : 'create');
    const order = {
      ...newOrder(context, body, ground, transition),
      ...columns,
      delivery_address: readAddress(body.delivery_address),
      expires_at: timeLimitOf(transition.to, standing.limitPolicy, now),
    };
    const refused = await placeOrder(db, {
      order,
      transition,
      standing,
      ...(isReviewed && {
        also: (transaction) => openOrderReview({ ...context, db: transaction }, order, reviewReasons, script),
      }),
    });
    if (refused) throw refused;
    return { body: toOrder(order, vault), version: 1 };
  },
});
