import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Database, openDatabase } from '#infra/database/database';
import { buyerBody } from '#test/bodies';
import { type Claims, openClaims } from '#test/claims';
import { isOnCluster } from '#test/cluster';
import { createWorld, type World } from '#test/world';
import { type ClaimedDelivery, claimDeliveries } from './claim.queries.ts';
import { DELIVERY_SLOTS } from './claim.rules.ts';
import { type AttemptResult, finishAttempts, renewLeases } from './delivery.queries.ts';

const SUBSCRIPTIONS = 20;
const EVENTS = 2_500;
const BATCH_SIZE = 64;
const BATCHES = 3;
/** With the plans of an empty database, each takes a hundred times as long as with plans made for the data. */
const RATIO_MAX = 10;

const deliveredBy = (claimed: ClaimedDelivery): AttemptResult => ({
  platformId: claimed.platform_id,
  deliveryId: claimed.delivery_id,
  subscriptionId: claimed.subscription_id,
  url: claimed.url,
  at: 0,
  round: 1,
  attempt: 1,
  durationMs: 1,
  statusCode: 200,
  failure: null,
  failureDetail: null,
  address: null,
  answerSealed: null,
  status: 'DELIVERED',
  delaySeconds: null,
  isLost: false,
  isGone: false,
});

describe('The worker’s statements', () => {
  let world: World;
  let database: Database;
  let fresh: Database;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    const [row] = await world.sql<{ name: string }>('select current_database() as name');
    // One connection, whose plans are made early.
    const open = () =>
      openDatabase({
        connection: { ...inject('postgres').service, database: row?.name as string },
        connectionsMax: 1,
      });
    database = open();
    fresh = open();
  });
  afterAll(async () => {
    await database.close();
    await fresh.close();
    await world.close();
  });

  const slots = { ...DELIVERY_SLOTS, perSubscription: 50, kept: 0 };
  const claim = async ({ db }: Database) =>
    (await claimDeliveries(db, { batchSizeMax: BATCH_SIZE, leaseSeconds: 60, slots })).deliveries;
  const renew = ({ db }: Database, claimed: ClaimedDelivery[]) =>
    renewLeases(
      db,
      claimed.map((each) => ({ platformId: each.platform_id, deliveryId: each.delivery_id })),
      60,
    );
  const finish = ({ db }: Database, claimed: ClaimedDelivery[]) =>
    finishAttempts(
      db,
      claimed.map((each) => deliveredBy(each)),
    );
  /** Milliseconds of each statement on a batch. */
  const times = async (connection: Database): Promise<number[]> => {
    const startedMs = performance.now();
    const claimed = await claim(connection);
    const claimedMs = performance.now();
    expect(claimed).toHaveLength(BATCH_SIZE);
    await renew(connection, claimed);
    const renewedMs = performance.now();
    await finish(connection, claimed);
    return [claimedMs - startedMs, renewedMs - claimedMs, performance.now() - renewedMs];
  };
  /** The best of several batches: while other tests run, any statement may wait. */
  const bestTimes = async (connection: Database): Promise<number[]> => {
    const batches: number[][] = [];
    for (let nth = 0; nth < BATCHES; nth++) batches.push(await times(connection));
    return [0, 1, 2].map((statement) => Math.min(...batches.map((all) => all[statement] as number)));
  };

  // A cluster plans how each statement is routed.
  it.skipIf(isOnCluster())('stay fast on a connection that prepared them in an empty database', async () => {
    // From the sixth execution on, a connection uses the generic plan.
    for (let i = 0; i < 7; i++) {
      const nothing = await claim(database);
      await renew(database, nothing);
      await finish(database, nothing);
    }
    const platformId = world.platform.platform_id;
    await world.sql(
      `insert into webhook_subscriptions (platform_id, subscription_id, type, url, status, created_at, updated_at, secret_sealed, last_outcome)
      select ${platformId}, gen_random_uuid(), 'T' || i, 'http://127.0.0.' || i || ':9/', 'ACTIVE', 0, 0, '', 'DELIVERED'
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
    const early = await bestTimes(database);
    const late = await bestTimes(fresh);
    for (const [index, ms] of early.entries()) expect(ms).toBeLessThan(RATIO_MAX * (late[index] as number));
  });
});

describe('The last outcome of a subscription', () => {
  let claims: Claims;
  beforeAll(async () => {
    claims = await openClaims();
  });
  afterEach(() => claims.clear());
  afterAll(() => claims.world.close());

  const subscribe = () =>
    claims.add({ platformId: claims.platformIds[0] as number, name: 'a', deliveries: 8 });
  /** Records attempts that ended together, in the order in which they began. */
  const finish = async (...outcomes: Partial<AttemptResult>[]) => {
    const { deliveries } = await claims.claim({ batchSizeMax: outcomes.length });
    const results = outcomes.map((outcome, nth) => ({
      ...deliveredBy(deliveries[nth] as ClaimedDelivery),
      ...{ at: nth, ...outcome },
    }));
    await finishAttempts(claims.world.installation.db, results);
  };
  const health = async () =>
    (
      await claims.world.sql(
        'select last_outcome, failures_in_row, windows_lost, last_success_at::text from webhook_subscriptions',
      )
    )[0];
  const refused = { statusCode: 500, status: 'PENDING', delaySeconds: 10 };
  const hung = { ...refused, statusCode: null, failure: 'TIMEOUT', durationMs: 15_000 };

  it.each<[string, Partial<AttemptResult>[]]>([
    ['DELIVERED', [{ durationMs: 1_999 }]],
    ['SLOW', [{ durationMs: 2_000 }]],
    ['SLOW', [{ durationMs: 10 }, { durationMs: 9_000 }]],
    ['DELIVERED', [{ durationMs: 9_000 }, { durationMs: 10 }]],
    ['SLOW', [{ durationMs: 9_000 }, { ...refused, durationMs: 10 }]],
    ['DELIVERED', [{ durationMs: 10 }, hung]],
    ['FAILED', [{ ...refused, durationMs: 9_000 }]],
    ['TIMEOUT', [hung]],
  ])('is %s after %j', async (lastOutcome, outcomes) => {
    await subscribe();
    await finish(...outcomes);
    expect(await health()).toMatchObject({ last_outcome: lastOutcome });
  });

  it('is a success where it is slow, noted like any other', async () => {
    await subscribe();
    await claims.world.sql('update webhook_subscriptions set failures_in_row = 3, windows_lost = 4');
    await finish({ durationMs: 5_000 });
    const noted = await health();
    expect(noted).toEqual({
      ...{ last_outcome: 'SLOW', failures_in_row: 0, windows_lost: 0 },
      last_success_at: expect.any(String),
    });
    await finish({ durationMs: 5_000 });
    expect(await health()).toEqual(noted);
    await finish({ durationMs: 5 });
    expect(await health()).toMatchObject({ last_outcome: 'DELIVERED' });
  });
});

describe('A 410 from a URL that was replaced during the request', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  });
  afterAll(() => world.close());

  it('leaves its delivery due at the new URL, whatever is recorded with it', async () => {
    const { db } = world.installation;
    const claim = async () => (await claimDeliveries(db, { batchSizeMax: 10, leaseSeconds: 60 })).deliveries;
    await world.post('/v1/webhooks', { url: 'http://127.0.0.1:9/old', type: 'BUYER' });
    // A success that need not be noted: nothing else writes the row of the subscription.
    const note = () =>
      world.sql("update webhook_subscriptions set last_outcome = 'DELIVERED', last_success_at = now()");
    await note();
    for (const external_id of ['b1', 'b2']) await world.post('/v1/buyers', buyerBody({ external_id }));
    const [first, second] = (await claim()) as [ClaimedDelivery, ClaimedDelivery];
    await world.put('/v1/webhooks/BUYER', { url: 'http://127.0.0.1:9/new' });
    await note();
    const gone = { ...deliveredBy(first), statusCode: 410, status: 'DISCARDED', isGone: true };
    expect(await finishAttempts(db, [gone, deliveredBy(second)])).toEqual([false, false]);
    expect(
      await world.sql(
        `select status, attempts, finished_at is not null as is_finished, next_attempt_at <= now() as is_due
        from webhook_deliveries order by delivery_id = $1 desc`,
        [first.delivery_id],
      ),
    ).toEqual([
      { status: 'PENDING', attempts: 1, is_finished: false, is_due: true },
      { status: 'DELIVERED', attempts: 1, is_finished: true, is_due: true },
    ]);
    expect(await world.sql('select status_code from webhook_attempts order by 1')).toEqual([
      { status_code: 200 },
      { status_code: 410 },
    ]);
    expect(await claim()).toMatchObject([
      { delivery_id: first.delivery_id, attempts: 1, url: 'http://127.0.0.1:9/new' },
    ]);
  });
});
