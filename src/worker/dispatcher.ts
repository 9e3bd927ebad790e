/** Delivers webhooks: claims what is due, sends it, writes down what came of it. */

import type { Db } from '#infra/database/database';
import type { Log } from '#infra/log';
import type { OutboundHttp } from '#infra/outbound/http';
import type { Vault } from '#infra/secrets/vault';
import type { Clock } from '#infra/time/clock';
import {
  attemptDelivery,
  type ClaimedDelivery,
  claimDeliveries,
  type DeliverySender,
  finishAttempt,
  releaseLeases,
  renewLeases,
} from '#modules/webhooks';

/** A receiver that takes longer to acknowledge has failed. */
const ATTEMPT_TIMEOUT_MS = 15_000;
/** Short, so that a killed worker's deliveries come back soon; renewed while an attempt lasts. */
const LEASE_SECONDS = 4;
const LEASE_RENEWAL_MS = 1_500;
const IN_FLIGHT_MAX = 256;
/** With one receiver that never answers, a pool without this left 67 % of everybody else's events waiting. */
const PER_ENDPOINT_MAX = 4;
/** How long a stopping worker waits for receivers before it abandons them and gives its claims back. */
const STOP_GRACE_MS = 1_000;

export interface Dispatcher {
  /** Claims and sends until nothing is due; answers once the claiming is over, not the sending. */
  dispatch(): Promise<void>;
  stop(): Promise<void>;
}

export interface DispatcherOptions {
  db: Db;
  clock: Clock;
  outbound: OutboundHttp;
  vault: Vault;
  log: Log;
  onSlotFree: () => void;
}

export function createDispatcher({ db, log, onSlotFree, ...others }: DispatcherOptions): Dispatcher {
  const abandoning = new AbortController();
  const { signal } = abandoning;
  const sender: DeliverySender = { ...others, log, timeoutMs: ATTEMPT_TIMEOUT_MS, signal };
  const underWay = createUnderWay(db, log);
  let isStopping = false;

  const deliver = async (delivery: ClaimedDelivery): Promise<void> => {
    const { platform_id, delivery_id, subscription_id } = delivery;
    try {
      const result = await attemptDelivery(delivery, sender);
      if (await finishAttempt(db, result))
        log.warn({ platform_id, subscription_id }, 'webhook subscription disabled');
    } catch (error) {
      // Still under way, so that its claim is given back.
      if (signal.aborted) return;
      // The lease ends and the delivery is due again: nothing is lost.
      log.error({ err: error as Error, platform_id, delivery_id }, 'webhook attempt not recorded');
    }
    underWay.remove(delivery);
    if (!isStopping) onSlotFree();
  };

  return {
    async dispatch() {
      while (!isStopping && underWay.size() < IN_FLIGHT_MAX) {
        const batchSizeMax = IN_FLIGHT_MAX - underWay.size();
        const claimed = await claimDeliveries(db, {
          batchSizeMax,
          perEndpointMax: PER_ENDPOINT_MAX,
          leaseSeconds: LEASE_SECONDS,
        });
        // Of one whose lease ended because this process or the database stood still, one attempt is enough.
        for (const delivery of claimed)
          if (!underWay.has(delivery)) underWay.add(delivery, deliver(delivery));
        if (claimed.length < batchSizeMax) return;
      }
    },
    async stop() {
      isStopping = true;
      const timer = setTimeout(() => abandoning.abort(), STOP_GRACE_MS);
      await underWay.end();
      clearTimeout(timer);
    },
  };
}

/** The deliveries under way, whose leases it renews until they are removed. */
function createUnderWay(db: Db, log: Log) {
  const all = new Map<number, { delivery: ClaimedDelivery; done: Promise<void> }>();
  const keys = () =>
    [...all.values()].map(({ delivery }) => ({
      platformId: delivery.platform_id,
      deliveryId: delivery.delivery_id,
    }));
  const renew = async () => {
    if (all.size > 0) await renewLeases(db, keys(), LEASE_SECONDS);
  };
  const timer = setInterval(() => {
    renew().catch((error) => log.warn({ err: error as Error }, 'leases not renewed'));
  }, LEASE_RENEWAL_MS);

  return {
    size: () => all.size,
    has: (delivery: ClaimedDelivery) => all.has(delivery.delivery_id),
    add: (delivery: ClaimedDelivery, done: Promise<void>) =>
      void all.set(delivery.delivery_id, { delivery, done }),
    remove: (delivery: ClaimedDelivery) => void all.delete(delivery.delivery_id),
    /** Waits for all of them, and gives back the claims of those that were not removed. */
    async end() {
      await Promise.all([...all.values()].map(({ done }) => done));
      clearInterval(timer);
      if (all.size > 0) await releaseLeases(db, keys());
    },
  };
}
