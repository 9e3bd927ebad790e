/** The queue of webhook deliveries. */

import type { Db } from '#infra/database/database';
import {
  attemptDelivery,
  type ClaimedDelivery,
  claimDeliveries,
  type DeliverySender,
  finishAttempt,
  releaseLeases,
  renewLeases,
} from '#modules/webhooks';
import { createLeasedQueue, type LeasedQueue, type LeasedQueueOptions } from './leased-queue.ts';

/** A receiver that takes longer to acknowledge has failed. */
const ATTEMPT_TIMEOUT_MS = 15_000;
/** Short, so that the deliveries of a killed worker are due again soon. */
const LEASE_SECONDS = 4;
const IN_FLIGHT_MAX = 256;
/** Without it, one receiver that never answers took so many slots that 67 % of all other events waited. */
const PER_ENDPOINT_MAX = 4;

export type DispatcherOptions = LeasedQueueOptions &
  Omit<DeliverySender, 'timeoutMs' | 'signal'> & { db: Db };

export function createDispatcher({ db, onSlotFree, ...others }: DispatcherOptions): LeasedQueue {
  const { log } = others;
  const keysOf = (deliveries: ClaimedDelivery[]) =>
    deliveries.map(({ platform_id, delivery_id }) => ({ platformId: platform_id, deliveryId: delivery_id }));
  return createLeasedQueue<ClaimedDelivery>(
    {
      name: 'webhook',
      inFlightMax: IN_FLIGHT_MAX,
      leaseSeconds: LEASE_SECONDS,
      idOf: ({ delivery_id }) => delivery_id,
      logFieldsOf: ({ platform_id, delivery_id }) => ({ platform_id, delivery_id }),
      claim: (batchSizeMax, leaseSeconds) =>
        claimDeliveries(db, { batchSizeMax, perEndpointMax: PER_ENDPOINT_MAX, leaseSeconds }),
      renew: (deliveries, leaseSeconds) => renewLeases(db, keysOf(deliveries), leaseSeconds),
      release: (deliveries) => releaseLeases(db, keysOf(deliveries)),
      async run(delivery, signal) {
        const sender = { ...others, timeoutMs: ATTEMPT_TIMEOUT_MS, signal };
        const isDisabled = await finishAttempt(db, await attemptDelivery(delivery, sender));
        const { platform_id, subscription_id } = delivery;
        if (isDisabled) log.warn({ platform_id, subscription_id }, 'webhook subscription disabled');
      },
    },
    { log, onSlotFree },
  );
}
