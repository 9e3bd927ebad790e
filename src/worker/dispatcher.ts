/** Delivers webhooks: claims what is due, sends it, writes down what came of it. */

import type { Clock } from '#infra/clock';
import type { Db } from '#infra/database';
import type { Log } from '#infra/log';
import type { OutboundHttp } from '#infra/outbound-http';
import type { Vault } from '#infra/vault';
import {
  attemptDelivery,
  type ClaimedDelivery,
  claimDeliveries,
  finishAttempt,
  releaseLeases,
  renewLeases,
} from '#modules/webhooks';

/** Short, so that a killed worker's deliveries come back soon; renewed while an attempt lasts. */
const LEASE_SECONDS = 4;
const LEASE_RENEWAL_MS = 1_500;
const IN_FLIGHT_MAX = 256;
/** With one receiver that never answers, a pool without this left 67 % of everybody else's events waiting. */
const PER_ENDPOINT_MAX = 4;
/** How long a stopping worker waits for receivers before it gives its claims back. */
const STOP_GRACE_MS = 1_000;

export interface Dispatcher {
  /** Claims and sends until nothing is due; answers once the claiming is over, not the sending. */
  dispatch(): Promise<void>;
  stop(): Promise<void>;
}

export function createDispatcher(options: {
  db: Db;
  clock: Clock;
  outbound: OutboundHttp;
  vault: Vault;
  log: Log;
  onSlotFree: () => void;
}): Dispatcher {
  const { db, clock, outbound, vault, log } = options;
  const inFlight = new Map<number, { delivery: ClaimedDelivery; done: Promise<void> }>();
  let isStopping = false;

  const deliver = async (delivery: ClaimedDelivery): Promise<void> => {
    try {
      const result = await attemptDelivery(delivery, {
        outbound,
        vault,
        unixSeconds: clock.now(),
        elapsedMs: clock.elapsedMs,
      });
      const isDisabled = await finishAttempt(db, result);
      if (isDisabled)
        log.warn(
          { platform_id: delivery.platform_id, subscription_id: delivery.subscription_id },
          'webhook subscription disabled',
        );
    } catch (error) {
      // The lease ends and the delivery is due again: nothing is lost.
      log.error(
        { err: error as Error, platform_id: delivery.platform_id, delivery_id: delivery.delivery_id },
        'webhook attempt not recorded',
      );
    } finally {
      inFlight.delete(delivery.delivery_id);
      if (!isStopping) options.onSlotFree();
    }
  };

  const keysInFlight = () =>
    [...inFlight.values()].map(({ delivery }) => ({
      platformId: delivery.platform_id,
      deliveryId: delivery.delivery_id,
    }));

  const renewal = setInterval(() => {
    if (inFlight.size > 0)
      renewLeases(db, keysInFlight(), LEASE_SECONDS).catch((error) =>
        log.warn({ err: error }, 'leases not renewed'),
      );
  }, LEASE_RENEWAL_MS);

  return {
    async dispatch() {
      while (!isStopping && inFlight.size < IN_FLIGHT_MAX) {
        const claimed = await claimDeliveries(db, {
          batchSizeMax: IN_FLIGHT_MAX - inFlight.size,
          perEndpointMax: PER_ENDPOINT_MAX,
          leaseSeconds: LEASE_SECONDS,
        });
        if (claimed.length === 0) return;
        for (const delivery of claimed)
          inFlight.set(delivery.delivery_id, { delivery, done: deliver(delivery) });
      }
    },
    async stop() {
      isStopping = true;
      clearInterval(renewal);
      const all = Promise.all([...inFlight.values()].map(({ done }) => done));
      await Promise.race([all, new Promise((resolve) => setTimeout(resolve, STOP_GRACE_MS))]);
      if (inFlight.size > 0) await releaseLeases(db, keysInFlight());
    },
  };
}
