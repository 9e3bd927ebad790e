import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailExamples } from '#modules/notifications';
import { mailsOf, queueMailFor, untilSent } from '#test/mails';
import { createWorld, type World } from '#test/world';
import { mailboxToken, mailboxUrl } from './access.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const BOX = '/sandbox/mailbox';

const queueFor = (platformId: number, to: string, number = 'order-1') =>
  queueMailFor(world, platformId, {
    cause: randomUUID(),
    kind: 'order_pending',
    to,
    language: 'EN',
    formality: 'NEUTRAL',
    content: { ...mailExamples.order_pending, number },
    now: world.clock.now(),
  });

const visit = (path: string, cookie?: string) =>
  world.get(path, { key: null, ...(cookie !== undefined && { headers: { cookie } }) });

const cookieOf = (reply: { headers: Headers }) => reply.headers.get('set-cookie')?.split(';')[0];

function signIn(apiKey: string, headers: Record<string, string> = { origin: world.baseUrl }) {
  return world.send('POST', BOX, {
    key: null,
    body: `${new URLSearchParams({ api_key: apiKey })}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
}

const cookieFor = (platform: { code: string }) =>
  `tl_mailbox=${mailboxToken(world.installation.vault, platform)}`;

describe('GET /sandbox/mailbox', () => {
  it('shows the sign-in without access', async () => {
    const { status, text, headers } = await visit(BOX);
    expect(status).toBe(200);
    expect(text).toContain('name="api_key"');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('set-cookie')).toBeNull();
  });

  it('is opened by the printed link, and removes the token from the address', async () => {
    const { vault } = world.installation;
    const reply = await visit(mailboxUrl(vault, world.platform, ''));
    expect(reply.status).toBe(303);
    expect(reply.headers.get('location')).toBe(BOX);
    expect(reply.headers.get('set-cookie')).toMatch(
      /^tl_mailbox=[^;]+; Path=\/sandbox\/mailbox; HttpOnly; SameSite=Lax$/,
    );
    expect((await visit(BOX, cookieOf(reply))).text).toContain('<h1>Messages</h1>');
  });

  it.each([
    '',
    'x',
    '.',
    'platform-1.',
    'platform-1.AAAA',
    `nobody.${'A'.repeat(32)}`,
    `platform-1.${'A'.repeat(32)}`,
  ])('is not opened by the token %j', async (token) => {
    const byLink = await visit(`${BOX}?access=${encodeURIComponent(token)}`);
    expect(byLink.status).toBe(403);
    expect(byLink.headers.get('set-cookie')).toBeNull();
    expect((await visit(BOX, `tl_mailbox=${token}`)).text).toContain('name="api_key"');
  });

  it('shows fifty mails a page, newest first, of this platform only', async () => {
    const mine = await world.addPlatform();
    const other = await world.addPlatform();
    await queueFor(other.platform.platform_id, 'other@example.com');
    for (let n = 1; n <= 51; n++) {
      world.clock.set(1_764_000_000 + n);
      await queueFor(mine.platform.platform_id, `n${n}@example.com`, `order-${n}`);
    }
    const first = await visit(BOX, cookieFor(mine.platform));
    const shown = [...first.text.matchAll(/<bdi>(n\d+)@example.com/g)].map((match) => match[1]);
    expect(shown).toEqual(Array.from({ length: 50 }, (_, index) => `n${51 - index}`));
    expect(first.text).not.toContain('other@example.com');
    expect(first.text).toContain('?page=2" rel="next"');
    const second = await visit(`${BOX}?page=2`, cookieFor(mine.platform));
    expect([...second.text.matchAll(/<bdi>(n\d+)@example.com/g)].map((match) => match[1])).toEqual(['n1']);
    expect(second.text).not.toContain('rel="next"');
    for (const page of ['0', '-1', 'x', '999999', '1&page=2'])
      expect((await visit(`${BOX}?page=${page}`, cookieFor(mine.platform))).status).toBe(200);
  });
});

describe('POST /sandbox/mailbox', () => {
  it('is opened by an API key of the platform', async () => {
    const reply = await signIn(` ${world.apiKey} `);
    expect(reply.status).toBe(303);
    expect(cookieOf(reply)).toBe(cookieFor(world.platform));
  });

  it('refuses an invalid key, and one that may not read the whole platform', async () => {
    await world.post('/v1/merchants', {
      external_id: 'north',
      legal_name: 'North GmbH',
      legal_form: 'LIMITED_COMPANY',
      business_address: { city: 'Kiel', country: 'DE', postcode: '24103' },
    });
    const restricted = await world.addKey({ merchantExternalId: 'north' });
    const writer = await world.addKey({ scopes: ['orders:write'] });
    for (const key of ['', 'x', `${world.apiKey}x`, restricted, writer]) {
      const reply = await signIn(key);
      expect(reply.status).toBe(403);
      expect(reply.headers.get('set-cookie')).toBeNull();
      expect(reply.text).toContain('aria-invalid="true"');
      if (key.length > 10) expect(reply.text).not.toContain(key);
    }
  });

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['a sandboxed frame of another', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['no origin at all', {}],
  ])('refuses %s', async (_, headers) => {
    const reply = await signIn(world.apiKey, headers as Record<string, string>);
    expect(reply.status).toBe(403);
    expect(reply.headers.get('set-cookie')).toBeNull();
  });

  it('accepts only a form', async () => {
    const reply = await world.post(
      BOX,
      { api_key: world.apiKey },
      { key: null, headers: { origin: world.baseUrl } },
    );
    expect(reply.status).toBe(415);
  });
});

describe('a message', () => {
  it('is shown with its recipient, its text, and its HTML in a sandboxed frame', async () => {
    const { platform } = await world.addPlatform();
    await queueFor(platform.platform_id, 'anna@example.com', 'order-7');
    const [mail] = await untilSent(world, { to: 'anna@example.com' });
    const path = `${BOX}/${mail?.mailId}`;
    const page = await visit(path, cookieFor(platform));
    expect(page.status).toBe(200);
    expect(page.text).toContain('order order-7</h1>');
    expect(page.text).toContain('<bdi>anna@example.com</bdi>');
    expect(page.text).toContain(`<iframe src="${path}/html"`);
    const framed = await visit(`${path}/html`, cookieFor(platform));
    expect(framed.text).toContain('order-7');
    const policy = framed.headers.get('content-security-policy') as string;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(
      /; sandbox (allow-(popups|popups-to-escape-sandbox|top-navigation-by-user-activation) ?)+$/,
    );
    expect(framed.headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('of another platform is answered like one that does not exist', async () => {
    const { platform } = await world.addPlatform();
    const [other] = await mailsOf(world);
    const foreign = await visit(`${BOX}/${other?.mailId}`, cookieFor(platform));
    const never = await visit(`${BOX}/${randomUUID()}`, cookieFor(platform));
    expect(foreign.status).toBe(404);
    expect(foreign.text).toBe(never.text);
    expect((await visit(`${BOX}/nonsense`, cookieFor(platform))).text).toBe(never.text);
    expect((await visit(`${BOX}/${other?.mailId}/html`, cookieFor(platform))).status).toBe(404);
    expect((await visit(`${BOX}/${other?.mailId}/html`)).status).toBe(404);
  });

  it('with markup in its content is shown as text', async () => {
    const { platform } = await world.addPlatform();
    const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>';
    await queueFor(platform.platform_id, 'eve@example.com', hostile);
    const [mail] = await untilSent(world, { to: 'eve@example.com' });
    for (const path of [BOX, `${BOX}/${mail?.mailId}`, `${BOX}/${mail?.mailId}/html`]) {
      const { text } = await visit(path, cookieFor(platform));
      expect(text).toContain('&lt;script&gt;');
      expect(text).not.toMatch(/<script|<img/);
    }
  });
});

describe('in production', () => {
  it('there is no mailbox', async () => {
    const production = await createWorld({ settings: { TRADELINE_ENVIRONMENT: 'production' } });
    try {
      const { vault } = production.installation;
      for (const path of [BOX, `${BOX}/style.css`, mailboxUrl(vault, production.platform, '')])
        expect((await production.get(path, { key: null })).status).toBe(404);
    } finally {
      await production.close();
    }
  });
});
