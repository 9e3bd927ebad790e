import { Type } from 'typebox';
import { closed, unixSeconds } from '#kernel/fields';
import { transitionOf } from '#kernel/lifecycle';
import { notFound } from '#kernel/problem';
import { assertVisible, findOrder, OrderParams, type OrderStatus, orderLifecycle } from '#modules/orders';
import { findPlatform } from '#modules/platforms';
import { operation } from '#operation/operation';
import { createLink, linkUrl } from '../links/link.ts';
import { readReturnUrls } from '../links/return-url.rules.ts';

const returnUrl = (outcome: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2_048,
      format: 'uri',
      description:
        `Where the buyer goes ${outcome}: https, at an origin of the platform (in a sandbox also http to this machine). ` +
        "Left out: the platform's redirect_url",
    }),
  );

const CheckoutLink = closed(
  {
    url: Type.String({ description: 'For the buyer alone: whoever has it acts for the buyer' }),
    expires_at: unixSeconds('From when it leads nowhere any more'),
  },
  'CheckoutLink',
);

/** A HEAD makes a link too, whose token is told to nobody: no harm is in it. */
export const getRedirectUrl = operation({
  id: 'getRedirectUrl',
  summary: "Get a link to the order's checkout",
  description:
    'The address of the hosted checkout of a draft order, in which the buyer fills in what is missing and chooses how to pay. ' +
    'Each call makes a new link, good for seven days; earlier ones stay good until their own end. The buyer comes back with ' +
    '`order_external_id`, `status`, `t` and `signature` in the query: verify them as the guide to the checkout shows.',
  tag: 'Orders',
  scope: 'orders:write',
  effect: 'statement',
  params: OrderParams,
  query: closed({
    success_url: returnUrl('when the order is placed'),
    error_url: returnUrl('when it is not'),
  }),
  status: 200,
  response: CheckoutLink,
  problems: ['NOT_FOUND', 'INVALID_STATUS_TRANSITION'],
  example: {
    params: { external_id: 'order-1009' },
    query: { success_url: 'https://markthalle.example/orders/order-1009/thanks' },
  },
  async run({ db, platformId, caller, now, baseUrl, isSandbox }, { params, query }) {
    const platform = await findPlatform(db, platformId);
    if (!platform) throw notFound();
    const urls = readReturnUrls(query, platform, isSandbox);
    const order = await findOrder(db, { platformId, externalId: params.external_id });
    if (!order) throw notFound();
    assertVisible(order, caller);
    transitionOf(orderLifecycle, order.status as OrderStatus, 'complete_checkout');
    const { token, expiresAt } = await createLink(db, {
      platformId,
      orderExternalId: order.external_id,
      now,
      ...urls,
    });
    return { body: { url: linkUrl(baseUrl, token), expires_at: expiresAt } };
  },
});
