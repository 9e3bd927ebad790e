/** Due deliveries, and claims of them like those of a worker. */
import { type ClaimedDelivery, claimDeliveries } from '#modules/webhooks';
import { createWorld, type World } from './world.ts';

/** Subscriptions of one platform, all alike, and their due deliveries. */
export interface Receivers {
  platformId: number;
  name: string;
  subscriptions?: number;
  deliveries?: number;
  lastOutcome?: 'DELIVERED' | 'SLOW' | 'FAILED' | 'TIMEOUT' | null;
  /** The origin of all of them; by default each has its own. */
  origin?: string;
  /** How long the first delivery has been due; each further one a second less. */
  dueForSeconds?: number;
  status?: 'ACTIVE' | 'DISABLED';
}

type ClaimOptions = Parameters<typeof claimDeliveries>[1];

export interface Claims {
  world: World;
  /** The ids of 20 platforms. */
  platformIds: number[];
  add(receivers: Receivers): Promise<void>;
  /** Claims, by default with all slots of a worker. */
  claim(options?: Partial<ClaimOptions>): ReturnType<typeof claimDeliveries>;
  /** Claims until nothing is left, like a worker with free slots. */
  claimAll(): Promise<ClaimedDelivery[]>;
  /** The number of held deliveries. */
  held(): Promise<number | undefined>;
  /** Deletes everything that was added. */
  clear(): Promise<void>;
}

const PLACES = 256;

/** Opens a world without a worker. */
export async function openClaims(): Promise<Claims> {
  const world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  const rows = await world.sql<{ platform_id: number }>(
    `insert into platforms (code, name, created_at, country, currency, data_key_wrapped)
    select 'p-' || n, 'P', 0, 'DE', 'EUR', '' from generate_series(1, 20) n returning platform_id`,
  );
  const claim = (options: Partial<ClaimOptions> = {}) =>
    claimDeliveries(world.installation.db, { batchSizeMax: PLACES, leaseSeconds: 60, ...options });
  return {
    world,
    platformIds: rows.map(({ platform_id }) => platform_id),
    add: (receivers) => addReceivers(world, receivers),
    claim,
    async claimAll() {
      const all: ClaimedDelivery[] = [];
      for (let hasMore = true; hasMore && all.length < PLACES; ) {
        const found = await claim({ batchSizeMax: PLACES - all.length });
        all.push(...found.deliveries);
        hasMore = found.hasMore;
      }
      return all;
    },
    held: async () =>
      (
        await world.sql<{ held: number }>(
          'select count(*)::int as held from webhook_deliveries where is_held',
        )
      )[0]?.held,
    async clear() {
      for (const table of ['leases', 'deliveries', 'recoveries', 'subscriptions'])
        await world.sql(`delete from webhook_${table}`);
      for (const table of ['events', 'event_positions']) await world.sql(`delete from ${table}`);
    },
  };
}

async function addReceivers(world: World, receivers: Receivers): Promise<void> {
  const { platformId, name, subscriptions = 1, deliveries = 1, lastOutcome = 'DELIVERED' } = receivers;
  const { origin = null, dueForSeconds = 10_000, status = 'ACTIVE' } = receivers;
  await world.sql(
    `insert into webhook_subscriptions (platform_id, subscription_id, type, url, status, created_at, updated_at, secret_sealed, last_outcome)
    select $1, gen_random_uuid(), $2 || n, coalesce($5, 'http://' || $2 || n || '.example') || '/hook', $6, 0, 0, '', $4
    from generate_series(1, $3) n`,
    [platformId, `${name}-`, subscriptions, lastOutcome, origin, status],
  );
  await world.sql(
    `with made as (
      insert into events (platform_id, event_id, type, resource_external_id, occurred_at, body)
      select $1, gen_random_uuid(), 'T', n, 0, '{}' from generate_series(1, $3) n returning event_id, resource_external_id::int as nth
    )
    insert into webhook_deliveries (platform_id, subscription_id, event_id, status, next_attempt_at)
    select $1, s.subscription_id, made.event_id, 'PENDING', now() - make_interval(secs => $4 - made.nth)
    from made cross join webhook_subscriptions s where s.platform_id = $1 and s.type like $2 || '-%'`,
    [platformId, name, deliveries, dueForSeconds],
  );
}

/** The number of deliveries for each value of `of`. */
export const countsBy = (deliveries: ClaimedDelivery[], of: (delivery: ClaimedDelivery) => string | number) =>
  Object.fromEntries([...Map.groupBy(deliveries, of)].map(([key, each]) => [key, each.length]).sort());
