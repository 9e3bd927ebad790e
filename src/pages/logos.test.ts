import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '#infra/database/transaction';
import { changePlatform, type Logo } from '#modules/platforms';
import { createWorld, type World } from '#test/world';

const png: Logo = {
  mediaType: 'image/png',
  content: Buffer.from('89504e470d0a1a0a000102ff', 'hex'),
};
const svg: Logo = {
  mediaType: 'image/svg+xml',
  content: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
};

describe('GET /checkout/logos/{file}', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ platform: { code: 'acme-2', logo: png } });
  });
  afterAll(() => world.close());

  const change = (logo: Logo | null) => {
    const { db, vault } = world.installation;
    const platformVault = vault.forPlatform(world.platform.code, world.platform.data_key_wrapped);
    const made = { at: world.clock.now(), actor: 'operator:ada', approvedBy: null, reason: 'Why' };
    return inTransaction(db, (transaction) =>
      changePlatform({ db: transaction, vault: platformVault }, world.platform, { logo }, made),
    );
  };
  const logoUrl = async () => (await world.get('/v1/platform')).body.logo_url as string;
  const fetchLogo = async (url: string) => {
    const answer = await fetch(url);
    return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
  };

  it('serves the logo without authentication, as immutable and inert', async () => {
    const url = await logoUrl();
    expect(url).toMatch(new RegExp(`^${world.baseUrl}/checkout/logos/acme-2-[\\da-f]{16}\\.png$`));
    const { answer, bytes } = await fetchLogo(url);
    expect(answer.status).toBe(200);
    expect(bytes).toEqual(png.content);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
  });

  it('serves a new logo under a new address, and no longer the old one', async () => {
    const before = await logoUrl();
    const { version } = (await world.sql<{ version: number }>('select version from platforms'))[0] as {
      version: number;
    };
    await change(svg);
    const url = await logoUrl();
    expect(url).toMatch(/\.svg$/);
    const { answer, bytes } = await fetchLogo(url);
    expect(answer.headers.get('content-type')).toBe('image/svg+xml');
    expect(bytes).toEqual(svg.content);
    expect((await fetch(before)).status).toBe(404);
    expect((await world.get('/v1/platform')).headers.get('etag')).toBe(`"${version + 1}"`);
  });

  it('answers 404 for a removed logo', async () => {
    const before = await logoUrl();
    await change(null);
    expect(await logoUrl()).toBeNull();
    expect((await fetch(before)).status).toBe(404);
    expect(await world.sql('select * from platform_logos')).toEqual([]);
  });

  it.each(['x', 'acme-2', '-', 'acme-2-0000000000000000.png', 'a%00b-0000000000000000.png', '..%2fx', '%ff'])(
    'answers 400 or 404 to %s',
    async (file) => {
      expect([400, 404]).toContain((await fetch(`${world.baseUrl}/checkout/logos/${file}`)).status);
    },
  );
});
