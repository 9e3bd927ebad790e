import { operation } from '#http/operation';
import { readAddress } from '#kernel/address';
import { moveOf } from '#kernel/lifecycle';
import { isOnCredit } from '#kernel/payment-term';
import { findStanding, needsReview, termOf } from '#modules/facilities';
import { gatherOrder } from '../gather-order.ts';
import { newOrder } from '../new-order.ts';
import { orderLifecycle } from '../order.lifecycle.ts';
import { toOrder } from '../order.queries.ts';
import { timeLimitOf } from '../order.rules.ts';
import { Order, OrderCreation } from '../order.schemas.ts';
import { placeOrder } from '../place-order.ts';

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
    const [ground, standing] = await Promise.all([
      gatherOrder(context, body),
      findStanding(db, { platformId, buyerExternalId: body.buyer_external_id, at: now }),
    ]);
    const { limitPolicy } = standing;
    const orderedAt = body.ordered_at ?? now;
    const purchase = { grossMinor: body.amount.gross, currency: ground.currency, orderedAt };
    const term = termOf(body.payment_term, standing, ground.platform.max_payment_term, purchase, now);
    if ('problem' in term) throw term.problem;

    const onCredit = isOnCredit(body.payment_term);
    const isReviewed = onCredit && needsReview(standing, now);
    const move = moveOf(orderLifecycle, null, isReviewed ? 'create_for_review' : 'create');
    const order = {
      ...newOrder(context, body, ground, move),
      ordered_at: orderedAt,
      payment_method: body.payment_method,
      payment_term: body.payment_term,
      delivery_address: body.delivery_address ? readAddress(body.delivery_address) : null,
      expires_at: timeLimitOf(move.to, limitPolicy, now),
      reserved_amount: onCredit && limitPolicy.counts === 'ORDERS' ? body.amount.gross : 0,
      term_offer: term.offer,
    };
    const refused = await placeOrder(db, { order, move, standing });
    if (refused) throw refused;
    return { body: toOrder(order, vault), version: 1 };
  },
});
