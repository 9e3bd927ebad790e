/** The queue of webhook deliveries. */

import type { Db } from '#infra/database/database';
import {
  type AttemptResult,
  attemptDelivery,
  type ClaimedDelivery,
  claimDeliveries,
  DELIVERY_SLOTS,
  type DeliverySender,
  finishAttempt,
  releaseLeases,
  renewLeases,
  type SubscriptionKey,
} from '#modules/webhooks';
import { createLeasedQueue, type LeasedQueue, type LeasedQueueOptions } from './leased-queue.ts';

/** A receiver that takes longer to acknowledge has failed. */
const ATTEMPT_TIMEOUT_MS = 15_000;
/** Short, so that the deliveries of a killed worker are due again soon. */
const LEASE_SECONDS = 4;
const IN_FLIGHT_MAX = 256;
/** Deliveries are expected immediately, and some receivers occupy their slots for long. */
const ROOM_REST_MS_MAX = 10;

export type DispatcherOptions = LeasedQueueOptions &
  Omit<DeliverySender, 'timeoutMs' | 'signal'> & { db: Db };

export function createDispatcher({ db, onSlotFree, ...others }: DispatcherOptions): LeasedQueue {
  const { log, metrics } = others;
  const keysOf = (deliveries: ClaimedDelivery[]) =>
    deliveries.map(({ platform_id, delivery_id }) => ({ platformId: platform_id, deliveryId: delivery_id }));
  let finished: SubscriptionKey[] = [];
  return createLeasedQueue<ClaimedDelivery>(
    {
      name: 'webhook',
      inFlightMax: IN_FLIGHT_MAX,
      slotsKept: DELIVERY_SLOTS.kept,
      leaseSeconds: LEASE_SECONDS,
      roomRestMsMax: ROOM_REST_MS_MAX,
      // An imported platform keeps the numbers of its deliveries, so they are unique per platform only.
      idOf: ({ platform_id, delivery_id }) => `${platform_id}/${delivery_id}`,
      logFieldsOf: ({ platform_id, delivery_id }) => ({ platform_id, delivery_id }),
      async claim(batchSizeMax, leaseSeconds, isMoreKnown) {
        const subscriptions = finished;
        finished = [];
        const claim = await claimDeliveries(db, {
          ...{ batchSizeMax, leaseSeconds, isMoreKnown },
          finished: subscriptions,
        });
        return { jobs: claim.deliveries, hasMore: claim.hasMore };
      },
      renew: (deliveries, leaseSeconds) => renewLeases(db, keysOf(deliveries), leaseSeconds),
      release: (deliveries) => releaseLeases(db, keysOf(deliveries)),
      async run(delivery, signal) {
        const sender = { ...others, timeoutMs: ATTEMPT_TIMEOUT_MS, signal };
        const result = await attemptDelivery(delivery, sender);
        metrics.attempted('webhook', outcomeOf(result));
        const isDisabled = await finishAttempt(db, result);
        const { platform_id, subscription_id } = delivery;
        finished.push({ platformId: platform_id, subscriptionId: subscription_id });
        if (isDisabled) log.warn({ platform_id, subscription_id }, 'webhook subscription disabled');
      },
    },
    { ...others, onSlotFree },
  );
}

/** A label from a small set: the class of the status, or why there was no complete answer. */
function outcomeOf({ statusCode, failure }: Pick<AttemptResult, 'statusCode' | 'failure'>): string {
  return failure ?? (statusCode === null ? 'INTERNAL' : `${Math.floor(statusCode / 100)}xx`);
}
