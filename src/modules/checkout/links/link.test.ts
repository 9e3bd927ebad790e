import { createHmac, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPlatformClocks } from '#infra/time/platform-clocks';
import { findPlatform, returnUrlSecretOf } from '#modules/platforms';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { createWorld, type World } from '#test/world';
import { readSnapshot } from '../state/snapshot.ts';
import { revokeLinks } from './link.queries.ts';
import { createLink, pruneEndedLinks } from './link.ts';
import { returnUrlFor } from './return-url.rules.ts';

const NOW = 1_763_640_000;
const DAY_SECONDS = 86_400;
const WEEK_SECONDS = 7 * DAY_SECONDS;

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  world.clock.set(NOW);
  await world.post('/v1/buyers', buyerBody({}));
  await world.post('/v1/merchants', merchantBody({}));
});
afterAll(() => world.close());

let made = 0;
async function addOrder(): Promise<string> {
  const id = `order-${++made}`;
  await world.post('/v1/orders/draft', draftOrderBody({ external_id: id }));
  return id;
}
const platformId = () => world.platform.platform_id;
const create = (orderExternalId: string, now = NOW) =>
  createLink(world.installation.db, { platformId: platformId(), orderExternalId, now });
const find = async (token: string, clocks = createPlatformClocks(world.clock, true)) => {
  const { db, vault } = world.installation;
  const reading = await readSnapshot({ vault, clocks, isSandbox: true }, db, token, null);
  return reading?.link ?? null;
};
const revoke = (orderExternalId: string, now = NOW) =>
  revokeLinks(world.installation.db, { platformId: platformId(), orderExternalId }, now);
/** Begins with the id of this platform, like the tokens of existing links. */
const unknownToken = () => {
  const platform = Buffer.alloc(4);
  platform.writeUInt32BE(platformId());
  return Buffer.concat([platform, randomBytes(32)]).toString('base64url');
};

describe('a link to a checkout', () => {
  it('opens its order on its platform', async () => {
    const id = await addOrder();
    const { token, expiresAt } = await create(id);
    expect(expiresAt).toBe(NOW + WEEK_SECONDS);
    expect(await find(token)).toMatchObject({
      platform_id: platformId(),
      order_external_id: id,
      expires_at: expiresAt,
    });
  });

  it('is valid for seven days, to the second', async () => {
    const id = await addOrder();
    expect(await find((await create(id, NOW - WEEK_SECONDS + 1)).token)).not.toBeNull();
    expect(await find((await create(id, NOW - WEEK_SECONDS)).token)).toBeNull();
  });

  it('expires by the platform’s clock, which the process learns with the link', async () => {
    const { token } = await create(await addOrder());
    const { platform } = await world.addPlatform();
    await world.sql('update platforms set clock_ahead_seconds = $1 where platform_id = $2', [
      WEEK_SECONDS - 1,
      platformId(),
    ]);
    const clocks = createPlatformClocks(world.clock, true);
    try {
      expect(await find(token, clocks)).not.toBeNull();
      expect(clocks.now(platformId())).toBe(NOW + WEEK_SECONDS - 1);
      expect(clocks.now(platform.platform_id)).toBe(NOW);
      await world.sql('update platforms set clock_ahead_seconds = $1', [WEEK_SECONDS]);
      expect(await find(token)).toBeNull();
    } finally {
      await world.sql('update platforms set clock_ahead_seconds = 0');
    }
  });

  it('is valid beside others of its order, until all links of the order are revoked', async () => {
    const [id, other] = [await addOrder(), await addOrder()];
    const links = [await create(id), await create(id), await create(id, NOW - 2 * WEEK_SECONDS)];
    const kept = await create(other);
    expect(await revoke(id)).toBe(2);
    expect(await Promise.all(links.map(({ token }) => find(token)))).toEqual([null, null, null]);
    expect(await find(kept.token)).not.toBeNull();
    expect(await revoke(id)).toBe(0);
    expect(await find((await create(id)).token)).not.toBeNull();
  });

  it('of a disabled platform is found', async () => {
    const { token } = await create(await addOrder());
    await world.sql('update platforms set disabled_at = 1 where platform_id = $1', [platformId()]);
    expect(await find(token)).not.toBeNull();
    await world.sql('update platforms set disabled_at = null');
  });

  it('that is unknown, expired or revoked is not found, in the same time', async () => {
    const [expired, revoked] = [await addOrder(), await addOrder()];
    const tokens: [kind: 'unknown' | 'expired' | 'revoked', token: string][] = [];
    for (let nth = 0; nth < 334; nth++)
      tokens.push(
        ['unknown', unknownToken()],
        ['expired', (await create(expired, NOW - WEEK_SECONDS - nth)).token],
        ['revoked', (await create(revoked)).token],
      );
    await revoke(revoked);
    const tookMs: Record<string, number[]> = { unknown: [], expired: [], revoked: [] };
    for (const [kind, token] of tokens) {
      const startedAt = performance.now();
      const found = await find(token);
      tookMs[kind]?.push(performance.now() - startedAt);
      expect([kind, found]).toEqual([kind, null]);
    }
    const medians = Object.values(tookMs).map((times) => times.toSorted((a, b) => a - b)[167] as number);
    expect(Math.max(...medians)).toBeLessThan(1.5 * Math.min(...medians));
  });

  it('whose token does not name its platform still opens its order: it was made before tokens did', async () => {
    const id = await addOrder();
    const { token } = await create(id);
    const earlier = randomBytes(32).toString('base64url');
    await world.sql('update checkout_links set token_sha256 = sha256($1) where token_sha256 = sha256($2)', [
      Buffer.from(earlier),
      Buffer.from(token),
    ]);
    expect(await find(earlier)).toMatchObject({ platform_id: platformId(), order_external_id: id });
    expect(await find(token)).toBeNull();
  });

  it('opens nothing for a token that names another platform', async () => {
    const { token } = await create(await addOrder());
    const bytes = Buffer.from(token, 'base64url');
    for (const other of [0, platformId() + 1, 2 ** 31, 2 ** 32 - 1]) {
      bytes.writeUInt32BE(other);
      expect(await find(bytes.toString('base64url'))).toBeNull();
    }
  });

  it.each(['', ' ', 'x', 'ä', '\0', 'x'.repeat(10_000)])('%j is no token', async (token) => {
    expect(await find(token)).toBeNull();
  });

  it('is deleted 30 days after its end, by the platform’s clock', async () => {
    const [id, revoked] = [await addOrder(), await addOrder()];
    const end = NOW - 30 * DAY_SECONDS;
    await world.sql('delete from checkout_links');
    await create(id, end - WEEK_SECONDS - 1);
    await create(id, end - WEEK_SECONDS);
    await create(revoked, end - 3_600);
    await revoke(revoked, end - 1);
    await create(id);
    const left = async () =>
      (
        await world.sql<{ at: string }>(
          'select least(revoked_at, expires_at) as at from checkout_links order by 1',
        )
      ).map(({ at }) => Number(at));
    expect(await left()).toEqual([end - 1, end - 1, end, NOW + WEEK_SECONDS]);
    expect(await pruneEndedLinks(world.installation.db, NOW, 1)).toBe(1);
    expect(await pruneEndedLinks(world.installation.db, NOW, 10)).toBe(1);
    expect(await left()).toEqual([end, NOW + WEEK_SECONDS]);
    await world.sql('update platforms set clock_ahead_seconds = 1');
    expect(await pruneEndedLinks(world.installation.db, NOW, 10)).toBe(1);
    expect(await left()).toEqual([NOW + WEEK_SECONDS]);
    await world.sql('update platforms set clock_ahead_seconds = 0');
  });
});

describe('the return URL', () => {
  const what = { orderExternalId: 'order-1', status: 'CONFIRMED', t: NOW };
  const back = async (
    platform: { redirect_url?: string; checkout_origins?: string[] },
    link: { success_url?: string; error_url?: string } = {},
    kind: 'SUCCESS' | 'ERROR' = 'SUCCESS',
  ) => {
    const row = await findPlatform(world.installation.db, platformId());
    if (!row) throw new Error('The platform is gone.');
    const { vault } = world.installation;
    const none = { success_url: null, error_url: null };
    const own = { ...row, redirect_url: null, ...platform };
    const url = returnUrlFor({ ...none, ...link }, own, vault, what, kind);
    const signature = createHmac('sha256', returnUrlSecretOf(vault, row))
      .update(`order-1.CONFIRMED.${NOW}`)
      .digest('hex');
    return url?.replace(signature, 'SIGNATURE') ?? null;
  };
  const SIGNED = `order_external_id=order-1&status=CONFIRMED&t=${NOW}&signature=SIGNATURE`;
  const own = { redirect_url: 'https://shop.example/back', checkout_origins: ['https://pay.example'] };

  it('is the link’s, else the platform’s, else none', async () => {
    const link = { success_url: 'https://pay.example/yes', error_url: 'https://pay.example/no' };
    expect(await back(own, link)).toBe(`https://pay.example/yes?${SIGNED}`);
    expect(await back(own, link, 'ERROR')).toBe(`https://pay.example/no?${SIGNED}`);
    expect(await back(own, { success_url: link.success_url }, 'ERROR')).toBe(
      `https://shop.example/back?${SIGNED}`,
    );
    expect(await back(own)).toBe(`https://shop.example/back?${SIGNED}`);
    expect(await back({})).toBeNull();
  });

  it('appends the signed parameters, and keeps the platform’s own as written', async () => {
    const redirect_url = 'https://shop.example/a%20b?x=%20+&y&z=#part';
    expect(await back({ redirect_url })).toBe(`https://shop.example/a%20b?x=%20+&y&z=&${SIGNED}#part`);
  });

  it('uses no origin that the platform has removed', async () => {
    const link = { success_url: 'https://pay.example/yes' };
    expect(await back({ ...own, checkout_origins: [] }, link)).toBe(`https://shop.example/back?${SIGNED}`);
    expect(await back({ checkout_origins: [] }, link)).toBeNull();
  });
});
