import { Type } from 'typebox';
import type { PlatformVault } from '#infra/secrets/vault';
import { closed, externalId } from '#kernel/fields';
import { notFound } from '#kernel/problem';
import { isUuid } from '#kernel/uuid';
import { assertPlatformWide } from '#operation/caller';
import { filterByList, filterBySeconds, LIMIT_MAX, paging } from '#operation/list';
import { operation } from '#operation/operation';
import { DeliveryStatusSchema, type WebhookDelivery, WebhookDeliveryPage } from '../delivery.schemas.ts';
import { openAnswer } from '../delivery-answer.ts';
import {
  type AttemptRow,
  type DeliveryRow,
  listAttempts,
  listDeliveryRows,
} from '../delivery-list.queries.ts';
import { SubscribableTypeSchema, typesCoveredBy } from '../event.schemas.ts';
import { findSubscription } from '../subscription.queries.ts';
import { SubscriptionParams } from '../subscription.schemas.ts';

export const listWebhookDeliveries = operation({
  id: 'listWebhookDeliveries',
  summary: 'List deliveries of a subscription',
  description:
    'The newest first, with every attempt and the answer of the receiver, as long as the event is kept. Pass `next` of each ' +
    'page as `before` of the next call. A page with filters may hold fewer deliveries than `limit`, or none, while `next` is not null.',
  tag: 'Webhooks',
  scope: 'read',
  effect: 'read',
  params: SubscriptionParams,
  query: closed({
    before: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'The `next` of the previous page',
      }),
    ),
    limit: paging.limit,
    status: filterByList(DeliveryStatusSchema, 'The status of the delivery'),
    event_id: filterByList(externalId('The event'), 'Events'),
    event_type: filterByList(SubscribableTypeSchema, 'Types, or prefixes that cover all types below them'),
    created_at: filterBySeconds('When the delivery was created: by a recovery, later than its event'),
  }),
  status: 200,
  response: WebhookDeliveryPage,
  problems: ['NOT_FOUND', 'MERCHANT_NOT_ALLOWED'],
  example: { params: { type: 'BUYER' } },
  async run({ db, platformId, caller, vault }, { params, query }) {
    assertPlatformWide(caller);
    const subscription = await findSubscription(db, platformId, params.type);
    if (!subscription) throw notFound();
    const limit = query.limit ?? LIMIT_MAX;
    const filters = {
      before: query.before ?? null,
      statuses: query.status ?? null,
      eventIds: query.event_id?.filter(isUuid) ?? null,
      types: query.event_type ? typesCoveredBy(query.event_type) : null,
      createdAt: query.created_at ?? null,
    };
    const { rows, next } = await listDeliveryRows(
      db,
      platformId,
      subscription.subscription_id,
      filters,
      limit,
    );
    const ids = rows.map(({ delivery_id }) => delivery_id);
    const attempts = Map.groupBy(await listAttempts(db, platformId, ids), ({ delivery_id }) => delivery_id);
    const items = rows.map((row) => toDelivery(row, attempts.get(row.delivery_id) ?? [], vault));
    return { body: { items, limit, next } };
  },
});

function toDelivery(
  { delivery_id, type, next_attempt_at, ...row }: DeliveryRow,
  attempts: readonly AttemptRow[],
  vault: PlatformVault,
): WebhookDelivery {
  return {
    ...row,
    event_type: type,
    status: row.status as WebhookDelivery['status'],
    next_attempt_at: row.status === 'PENDING' ? next_attempt_at : null,
    attempts: attempts.map(({ delivery_id: _, answer_sealed, ...attempt }) => ({
      ...attempt,
      answer: answer_sealed && openAnswer(vault, delivery_id, answer_sealed),
    })),
  };
}
