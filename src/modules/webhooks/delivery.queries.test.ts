import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Database, openDatabase } from '#infra/database/database';
import { createWorld, type World } from '#test/world';
import { type ClaimedDelivery, claimDeliveries, finishAttempts, renewLeases } from './delivery.queries.ts';

const SUBSCRIPTIONS = 20;
const EVENTS = 2_500;
/** Ten times what it takes; with the plans of an empty database each takes seconds. */
const LIMIT_MS = 700;

describe('The worker’s statements', () => {
  let world: World;
  let database: Database;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    const [row] = await world.sql<{ name: string }>('select current_database() as name');
    // One connection, so that all of it happens on the one whose plans were made early.
    database = openDatabase({
      connection: { ...inject('postgres').service, database: row?.name as string },
      connectionsMax: 1,
    });
  });
  afterAll(async () => {
    await database.close();
    await world.close();
  });

  const claim = () =>
    claimDeliveries(database.db, { batchSizeMax: 256, perEndpointMax: 50, leaseSeconds: 60 });
  const renew = (claimed: ClaimedDelivery[]) =>
    renewLeases(
      database.db,
      claimed.map((each) => ({ platformId: each.platform_id, deliveryId: each.delivery_id })),
      60,
    );
  const finish = (claimed: ClaimedDelivery[]) =>
    finishAttempts(
      database.db,
      claimed.map((each) => ({
        platformId: each.platform_id,
        deliveryId: each.delivery_id,
        subscriptionId: each.subscription_id,
        url: each.url,
        at: 0,
        attempt: 1,
        durationMs: 1,
        statusCode: 200,
        failure: null,
        status: 'DELIVERED',
        delaySeconds: null,
        isLost: false,
        isGone: false,
      })),
    );
  const timed = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
    const startedMs = performance.now();
    return [await work(), performance.now() - startedMs];
  };

  it('stay quick on a connection that learned them in an empty database', async () => {
    // From the sixth time on a connection goes on with the plan it has.
    for (let i = 0; i < 7; i++) {
      const nothing = await claim();
      await renew(nothing);
      await finish(nothing);
    }
    const platformId = world.platform.platform_id;
    await world.sql(
      `insert into webhook_subscriptions (platform_id, subscription_id, type, url, status, created_at, updated_at, secret_sealed)
      select ${platformId}, gen_random_uuid(), 'T' || i, 'http://127.0.0.1:9/', 'ACTIVE', 0, 0, ''
      from generate_series(1, ${SUBSCRIPTIONS}) i`,
    );
    await world.sql(
      `insert into events (platform_id, event_id, type, resource_external_id, occurred_at, body)
      select ${platformId}, gen_random_uuid(), 'T', 'r', 0, '{}' from generate_series(1, ${EVENTS})`,
    );
    await world.sql(
      `insert into webhook_deliveries (platform_id, subscription_id, event_id, status)
      select e.platform_id, s.subscription_id, e.event_id, 'PENDING' from events e cross join webhook_subscriptions s`,
    );
    const [claimed, claimMs] = await timed(claim);
    expect(claimed).toHaveLength(256);
    const [, renewMs] = await timed(() => renew(claimed));
    const [, finishMs] = await timed(() => finish(claimed));
    expect(Math.max(claimMs, renewMs, finishMs)).toBeLessThan(LIMIT_MS);
  });
});
