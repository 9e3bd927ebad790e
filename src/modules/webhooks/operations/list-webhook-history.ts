import { closed } from '#kernel/fields';
import { notFound } from '#kernel/problem';
import { assertPlatformWide } from '#operation/caller';
import { cursorListOf, cursorPageOf, cursorPaging } from '#operation/list';
import { operation } from '#operation/operation';
import { SubscriptionParams, WebhookHistoryEntry } from '../subscription.schemas.ts';
import { listSubscriptionTransitions, wasSubscribed } from '../subscription-history.queries.ts';

export const listWebhookHistory = operation({
  id: 'listWebhookHistory',
  summary: 'List the history of a subscription',
  description:
    'Every change of its url, its secret and its status, the latest first, with its actor. Includes deleted subscriptions ' +
    'to the type.',
  tag: 'Webhooks',
  scope: 'read',
  effect: 'read',
  params: SubscriptionParams,
  query: closed(cursorPaging),
  status: 200,
  response: cursorListOf(WebhookHistoryEntry, 'WebhookHistory'),
  problems: ['NOT_FOUND', 'MERCHANT_NOT_ALLOWED'],
  example: { params: { type: 'BUYER' } },
  async run(context, { params: { type }, query }) {
    assertPlatformWide(context.caller);
    if (!(await wasSubscribed(context.db, context.platformId, type))) throw notFound();
    const { rows, listed } = await listSubscriptionTransitions(context, type, cursorPageOf(query));
    const items = rows.map(({ platform_id: _, subscription_id: __, type: ___, version, ...row }) => ({
      sequence: version,
      ...row,
    }));
    return { body: { items, ...listed } };
  },
});
