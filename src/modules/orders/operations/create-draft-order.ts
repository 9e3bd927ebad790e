import { transitionOf } from '#kernel/lifecycle';
import { assertPlatformWide } from '#operation/caller';
import { type Context, operation } from '#operation/operation';
import { findOrderReferences, newOrder } from '../new-order.ts';
import { orderLifecycle } from '../order.lifecycle.ts';
import { insertOrder, toOrder } from '../order.queries.ts';
import { DraftOrderCreation, Order } from '../order.schemas.ts';
import { alreadyExists } from '../place-order.ts';

export const createDraftOrder = operation({
  id: 'createDraftOrder',
  summary: 'Create a draft order',
  description:
    'Starts a hosted checkout, in which the buyer completes the order. Drafts reserve no credit and never expire. With ' +
    '`vouched_by` the platform answers for the buyer: read the checkout guide before you send it.',
  tag: 'Orders',
  scope: 'orders:write',
  effect: 'statement',
  body: DraftOrderCreation,
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
  ],
  example: {
    body: {
      external_id: 'example-order',
      buyer_external_id: 'cafe-morgenrot',
      merchant_external_id: 'roastery-north',
      amount: { net: 10000, tax: 1900, gross: 11900 },
      line_items: [
        { name: 'Espresso beans, 1 kg', category: 'Coffee', price: 2500, quantity: 4 },
        {
          name: 'Welcome discount',
          category: 'Discount',
          price: -500,
          quantity: 1,
          description: 'First order',
        },
      ],
      comment: 'Deliver to the back door.',
    },
  },
  async run(context, { body }) {
    if (body.vouched_by) assertPlatformWide(context.caller);
    const references = await findOrderReferences(context, body);
    const order = {
      ...newOrder(context, body, references, transitionOf(orderLifecycle, null, 'create_draft')),
      ...vouchingOf(context, body),
      // The worker finds the address and sends the invitation.
      is_invitation_due: references.platform.sends_checkout_invitations,
    };
    if (!(await insertOrder(context.db, order))) throw alreadyExists();
    return { body: toOrder(order, context.vault), version: 1 };
  },
});

/** Only the platform can vouch: a key that is restricted to one merchant belongs to the merchant. */
function vouchingOf({ actor, now }: Context, { vouched_by: vouchedBy }: DraftOrderCreation) {
  return vouchedBy ? { vouched_by: vouchedBy, vouched_at: now, vouched_actor: actor } : {};
}
