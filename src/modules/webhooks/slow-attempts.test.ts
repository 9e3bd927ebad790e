import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '#infra/database/database';
import { type Claims, openClaims } from '#test/claims';
import { releaseLeases, renewLeases } from './delivery.queries.ts';
import { endExpiredLeases, releaseHeldDeliveries } from './due-again.queries.ts';

describe('A delivery whose lease was renewed', () => {
  let claims: Claims;
  let db: Db;
  let keys: { platformId: number; deliveryId: number }[];
  beforeAll(async () => {
    claims = await openClaims();
    ({ db } = claims.world.installation);
  });
  beforeEach(async () => {
    for (const name of ['one', 'other'])
      await claims.add({ platformId: claims.platformIds[0] as number, name, deliveries: 2 });
    const claimed = await claims.claimAll();
    keys = claimed.map((each) => ({ platformId: each.platform_id, deliveryId: each.delivery_id }));
    await renewLeases(db, keys, 60);
  });
  afterEach(() => claims.clear());
  afterAll(() => claims.world.close());

  it('is held, so that claims do not examine it', async () => {
    expect(keys).toHaveLength(4);
    expect(await claims.held()).toBe(4);
    expect(await claims.claimAll()).toEqual([]);
    expect(await releaseHeldDeliveries(db)).toBe(0);
  });

  it('is due once its worker releases it', async () => {
    await releaseLeases(db, keys);
    expect(await claims.held()).toBe(0);
    expect(await claims.claimAll()).toHaveLength(4);
  });

  it('is due after its worker was killed, one of each subscription at a time', async () => {
    await claims.world.sql('update webhook_leases set leased_until = now()');
    expect(await endExpiredLeases(db)).toBe(4);
    expect(await releaseHeldDeliveries(db)).toBe(2);
    expect(await claims.claimAll()).toHaveLength(2);
  });
});
