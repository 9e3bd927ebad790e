export { findDeliveryBacklog, findUnderWay, isDeliveryWritten } from './backlog.queries.ts';
export {
  type ClaimedDelivery,
  claimDeliveries,
  type SubscriptionKey,
} from './claim.queries.ts';
export { DELIVERY_SLOTS } from './claim.rules.ts';
export { attemptDelivery, type DeliverySender } from './deliver.ts';
export { deliveryLifecycle } from './delivery.lifecycle.ts';
export {
  type AttemptResult,
  finishAbandonedDeliveries,
  finishAttempt,
  releaseLeases,
  renewLeases,
} from './delivery.queries.ts';
export { endExpiredLeases, releaseHeldDeliveries } from './due-again.queries.ts';
export { type NewEvent, pruneEvents, recordEvents } from './event.queries.ts';
export { EXAMPLE_EVENT_ID, type RecordedEvent } from './event.schemas.ts';
export {
  type ArchivedAttempt,
  type ArchivedDelivery,
  type ArchivedEvent,
  type ArchivedPart,
  readEventsToArchive,
} from './event-archive.queries.ts';
export { createWebhook } from './operations/create-webhook.ts';
export { deleteWebhook } from './operations/delete-webhook.ts';
export { getEvent } from './operations/get-event.ts';
export { listEvents } from './operations/list-events.ts';
export { listWebhookDeliveries } from './operations/list-webhook-deliveries.ts';
export { listWebhookHistory } from './operations/list-webhook-history.ts';
export { listWebhooks } from './operations/list-webhooks.ts';
export { recoverWebhook } from './operations/recover-webhook.ts';
export { redeliverEvent } from './operations/redeliver-event.ts';
export { replaceWebhook } from './operations/replace-webhook.ts';
export { rotateWebhookKey } from './operations/rotate-webhook-key.ts';
export { testWebhook } from './operations/test-webhook.ts';
export { recoverDeliveries } from './recovery.queries.ts';
export { requestHeaders } from './request-headers.ts';
export { newSigningSecret } from './signing-secret.ts';
export { webhookEvents } from './subscription.events.ts';
export { subscriptionLifecycle } from './subscription.lifecycle.ts';
export { takeDisabledSubscriptions, takeWaitingSubscriptions } from './subscription.queries.ts';
