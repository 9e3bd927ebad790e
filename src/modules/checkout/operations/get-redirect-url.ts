import { Type } from 'typebox';
import { closed, unixSeconds } from '#kernel/fields';
import { transitionOf } from '#kernel/lifecycle';
import { notFound } from '#kernel/problem';
import { assertMerchantEnrolled, findMerchantStatus } from '#modules/merchants';
import { lockOrder, OrderParams, orderLifecycle } from '#modules/orders';
import { findPlatform } from '#modules/platforms';
import { assertVisible } from '#operation/caller';
import { operation } from '#operation/operation';
import { createLinkToGiveAgain, findLink, linkUrl } from '../links/link.ts';
import { readReturnUrls } from '../links/return-url.rules.ts';

const returnUrl = (outcome: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2_048,
      format: 'uri',
      description:
        `Where the buyer returns ${outcome}: https, at an origin of the platform (in a sandbox also http to localhost). ` +
        "Default: the platform's redirect_url",
    }),
  );

const CheckoutLink = closed(
  {
    url: Type.String({ description: 'For the buyer only: anybody with this URL can act for the buyer' }),
    expires_at: unixSeconds('When the link expires'),
  },
  'CheckoutLink',
);

/** A HEAD request also creates a link, which the next GET returns. */
export const getRedirectUrl = operation({
  id: 'getRedirectUrl',
  summary: "Get a link to the order's checkout",
  description:
    'The link to the hosted checkout of a draft order, where the buyer completes the data and chooses how to pay. A link is ' +
    'valid for seven days. A repeated call with the same return URLs returns the same link while it is valid for at least ' +
    'another day, else a new one; `renew=true` always creates a new one. Earlier links stay valid. The buyer returns with ' +
    '`order_external_id`, `status`, `t` and `signature` in the query: verify them as the checkout guide shows.',
  tag: 'Orders',
  scope: 'orders:write',
  effect: 'transaction',
  hasSecret: true,
  params: OrderParams,
  query: closed({
    success_url: returnUrl('when the order is placed'),
    error_url: returnUrl('when it is not'),
    renew: Type.Optional(
      Type.Boolean({ description: 'true: a new link, also while an earlier one is valid' }),
    ),
  }),
  status: 200,
  response: CheckoutLink,
  problems: ['NOT_FOUND', 'INVALID_STATUS_TRANSITION', 'MERCHANT_NOT_ENROLLED'],
  example: {
    params: { external_id: 'order-1009' },
    query: { success_url: 'https://markthalle.example/orders/order-1009/thanks' },
  },
  async run({ db, platformId, caller, now, vault, baseUrl, isSandbox }, { params, query }) {
    const platform = await findPlatform(db, platformId);
    if (!platform) throw notFound();
    const urls = readReturnUrls(query, platform, isSandbox);
    // The lock makes concurrent calls return one link.
    const order = await lockOrder(db, { platformId, externalId: params.external_id });
    if (!order) throw notFound();
    assertVisible(order, caller);
    transitionOf(orderLifecycle, order.status, 'complete_checkout');
    const merchant = { platformId, externalId: order.merchant_external_id };
    const merchantStatus = await findMerchantStatus(db, merchant);
    if (merchantStatus) assertMerchantEnrolled(merchant.externalId, merchantStatus);
    const request = { platformId, orderExternalId: order.external_id, now, ...urls };
    const found = query.renew ? null : await findLink(db, request, vault);
    const { token, expiresAt } = found ?? (await createLinkToGiveAgain(db, request, vault));
    return { body: { url: linkUrl(baseUrl, token), expires_at: expiresAt } };
  },
});
