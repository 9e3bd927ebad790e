import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invoiceBody, merchantBody } from '#test/bodies';
import { englishBuyer, openedPage, pageBrowser, pageCodes, pageToken } from '#test/buyer-page';
import { mailsOf } from '#test/mails';
import { createWorld, type World } from '#test/world';

const NOW = 1_763_640_000;
const DAY = 86_400;
const EMAIL = 'einkauf@morgenrot.example';

let world: World;
beforeAll(async () => {
  world = await createWorld({
    settings: { TRADELINE_WORKER: 'off' },
    platform: { name: 'Markthalle', communication_bcc_email: 'archive@markthalle.example' },
  });
  world.clock.set(NOW);
  await world.post('/v1/merchants', merchantBody({}));
});
afterAll(() => world.close());

let made = 0;
/** A new buyer with an address and an invoice. */
async function addBuyer(more: object = {}): Promise<{ id: string; email: string; invoice: string }> {
  const id = `buyer-${++made}`;
  const email = `${id}@morgenrot.example`;
  await world.post('/v1/buyers', englishBuyer({ external_id: id, contact_email: email, ...more }));
  const invoice = `invoice-of-${id}`;
  const { status } = await world.post(
    '/v1/invoices',
    invoiceBody({ external_id: invoice, buyer_external_id: id, invoice_number: `RE-${id}` }),
  );
  expect(status).toBe(201);
  return { id, email, invoice };
}

describe('a link', () => {
  it('shows the name of the platform and a masked address, and nothing of the buyer', async () => {
    const { id, email } = await addBuyer({ legal_name: 'Café Morgenrot eG' });
    const browser = pageBrowser(world, pageToken(world, id, { to: email }));
    const pages = ['', '', 'invoices', 'past', 'statements', 'statements/today', 'credit', 'settings'];
    for (const page of [...pages, `invoices/invoice-of-${id}`]) {
      const { status, headers } = await browser.get(page);
      expect([page, status]).toEqual([page, 303]);
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    }
    const { status, text } = await browser.get('code');
    expect(status).toBe(200);
    expect(text).toContain('Markthalle');
    expect(text).toContain('b•••@m•••.example');
    for (const secret of ['Morgenrot', id, email, browser.token]) expect(text).not.toContain(secret);
    expect(browser.cookie()).toBeNull();
    expect(await world.sql('select 1 from buyer_page_sessions')).toEqual([]);
  });

  it('leads to its invoice once the code is entered', async () => {
    const { id, email, invoice } = await addBuyer();
    const browser = await openedPage(world, id, email, { invoiceExternalId: invoice });
    const { status, headers } = await browser.get('');
    expect([status, headers.get('location')]).toEqual([303, `${browser.token}/`]);
    expect((await browser.get('code')).headers.get('location')).toBe(`invoices/${invoice}`);
    expect((await browser.get(`invoices/${invoice}`)).text).toContain(`RE-${id}`);
  });

  it('ends after its time, of the platform’s clock', async () => {
    const { id, email } = await addBuyer();
    const browser = pageBrowser(world, pageToken(world, id, { to: email, expiresAt: NOW + DAY }));
    expect((await browser.get('code')).status).toBe(200);
    world.clock.set(NOW + DAY);
    expect((await browser.get('code')).status).toBe(404);
    world.clock.set(NOW);
  });

  it('that is forged, foreign, expired, cut off or of nobody gets one answer', async () => {
    const { id, email } = await addBuyer();
    const good = pageToken(world, id, { to: email });
    const { platform: other } = await world.addPlatform();
    const foreign = Buffer.from(good, 'base64url');
    foreign.writeUInt32BE(other.platform_id);
    const far = Buffer.from(good, 'base64url');
    far.writeUInt32BE(2 ** 32 - 1);
    const disabled = await world.addPlatform();
    await world.sql('update platforms set disabled_at = 1 where platform_id = $1', [
      disabled.platform.platform_id,
    ]);
    const tokens = [
      randomBytes(100).toString('base64url'),
      good.slice(0, -1),
      `${good.slice(0, -1)}${good.endsWith('A') ? 'B' : 'A'}`,
      `${good}=`,
      `${good}A`,
      'x'.repeat(5_000),
      'x',
      '%00',
      foreign.toString('base64url'),
      far.toString('base64url'),
      pageToken(world, id, { expiresAt: NOW }),
      pageToken(world, 'nobody'),
      pageToken(world, id, { of: other }),
      pageToken(world, id, { of: disabled.platform }),
    ];
    const answers = await Promise.all(
      tokens.map(async (token) => {
        const { status, text, headers } = await pageBrowser(world, token).get('code');
        const { date: _, 'request-id': __, ...rest } = Object.fromEntries(headers);
        return JSON.stringify([status, rest, text]);
      }),
    );
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toMatch(/^\[404,.*This link no longer works/);
    const posted = await pageBrowser(world, tokens[0] as string).post('code/send');
    expect(posted.status).toBe(404);
  });

  it('cut off within a percent sign is answered by a page', async () => {
    const { status, text } = await pageBrowser(world, 'abc%2').get('code');
    expect(status).toBe(404);
    expect(text).toContain('This link no longer works');
  });
});

describe('the code', () => {
  it('goes to the address of the link if it is on file, else to the buyer’s', async () => {
    const { id, email } = await addBuyer();
    const contact = 'buchhaltung@morgenrot.example';
    await world.post('/v1/contacts', {
      ...{ external_id: `contact-${id}`, buyer_external_id: id, email: contact },
    });
    await pageBrowser(world, pageToken(world, id, { to: contact.toUpperCase() })).post('code/send');
    expect(await pageCodes(world, contact)).toHaveLength(1);
    await pageBrowser(world, pageToken(world, id, { to: 'left@company.example' })).post('code/send');
    expect(await pageCodes(world, email)).toHaveLength(1);
  });

  it('is masked in the copy for the platform', async () => {
    const { id, email } = await addBuyer();
    await pageBrowser(world, pageToken(world, id, { to: email })).post('code/send');
    const [code = ''] = await pageCodes(world, email);
    const copies = await mailsOf(world, { to: 'archive@markthalle.example' });
    const copy = copies.find(({ cause }) => cause.startsWith(`buyer/${id}/page_code/`));
    expect(copy?.text).toContain('••••••');
    expect(JSON.stringify(copy)).not.toContain(code);
  });

  it('opens the page only for the browser that asked for it', async () => {
    const { id, email } = await addBuyer();
    const token = pageToken(world, id, { to: email });
    const [asking, other] = [pageBrowser(world, token), pageBrowser(world, token)];
    expect((await asking.post('code/send')).headers.get('location')).toBe('../code');
    expect((await asking.get('code')).text).toContain('name="code"');
    expect((await other.get('code')).text).not.toContain('name="code"');
    const [code = ''] = await pageCodes(world, email);
    const refused = await other.post('code', { code });
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('blocked a cookie');
    expect((await asking.post('code', { code: ` ${code.slice(0, 3)}-${code.slice(3)} ` })).status).toBe(303);
    expect((await asking.get('invoices')).text).toContain(`RE-${id}`);
    expect((await other.get('invoices')).status).toBe(303);
  });

  it('can be tried five times, and then not even the right one opens', async () => {
    const { id, email } = await addBuyer();
    const browser = pageBrowser(world, pageToken(world, id, { to: email }));
    await browser.post('code/send');
    const [code = ''] = await pageCodes(world, email);
    const wrong = code === '000000' ? '111111' : '000000';
    expect((await browser.post('code', { code: '' })).text).toContain('This field is required.');
    for (const left of ['4 tries', '3 tries', '2 tries', 'one try', 'Request a new one'])
      expect((await browser.post('code', { code: wrong })).text).toContain(left);
    expect((await browser.post('code', { code })).status).toBe(422);
    expect((await browser.get('invoices')).status).toBe(303);
  });

  it('of two attempts at once each is counted', async () => {
    const { id, email } = await addBuyer();
    const browser = pageBrowser(world, pageToken(world, id, { to: email }));
    await browser.post('code/send');
    const [code = ''] = await pageCodes(world, email);
    const wrong = code === '000000' ? '111111' : '000000';
    await Promise.all(Array.from({ length: 4 }, () => browser.post('code', { code: wrong })));
    const [row] = await world.sql('select attempts from buyer_page_codes where buyer_external_id = $1', [id]);
    expect(row).toEqual({ attempts: 4 });
  });

  it('expires, and is sent again after half a minute, five times an hour', async () => {
    const { id, email } = await addBuyer();
    const browser = pageBrowser(world, pageToken(world, id, { to: email }));
    await browser.post('code/send');
    await browser.post('code/send');
    expect(await pageCodes(world, email)).toHaveLength(1);
    const [code = ''] = await pageCodes(world, email);
    world.clock.set(NOW + 600);
    expect((await browser.post('code', { code })).text).toContain('This code has expired');
    for (let nth = 1; nth <= 4; nth++) {
      world.clock.set(NOW + 600 + 31 * nth);
      expect((await browser.post('code/send')).status).toBe(303);
    }
    world.clock.set(NOW + 600 + 31 * 5);
    const refused = await browser.post('code/send');
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('Too many codes requested'),
    ]);
    expect(await pageCodes(world, email)).toHaveLength(5);
    world.clock.set(NOW);
  });

  it('is not sent to an address that a merchant gave', async () => {
    const key = await world.addKey({ merchantExternalId: 'merchant', scopes: ['orders:write', 'read'] });
    const email = 'merchant-says@somewhere.example';
    const body = englishBuyer({ external_id: 'of-a-merchant', contact_email: email });
    expect((await world.post('/v1/buyers', body, { key })).status).toBe(201);
    const browser = pageBrowser(world, pageToken(world, 'of-a-merchant', { to: email }));
    const { text } = await browser.get('code');
    expect(text).toContain('no address on file');
    expect(text).not.toContain('<form');
    await browser.post('code/send');
    expect(await pageCodes(world, email)).toEqual([]);
  });
});

describe('a session', () => {
  it('ends after a day, and when the buyer leaves', async () => {
    const { id, email } = await addBuyer();
    const browser = await openedPage(world, id, email);
    expect((await browser.get('invoices')).status).toBe(200);
    world.clock.set(NOW + DAY);
    expect((await browser.get('invoices')).status).toBe(303);
    world.clock.set(NOW);
    expect((await browser.get('invoices')).status).toBe(200);
    const left = await browser.post('leave');
    expect([left.status, left.headers.get('location')]).toEqual([303, 'code']);
    expect((await browser.get('invoices')).status).toBe(303);
  });

  it('ends once its address is no longer on file', async () => {
    const { id, email } = await addBuyer();
    const browser = await openedPage(world, id, email);
    await world.put(`/v1/buyers/${id}`, {
      ...englishBuyer({ external_id: id }),
      ...{ business_identifiers: [], contact_email: 'new@morgenrot.example' },
    });
    expect((await browser.get('invoices')).status).toBe(303);
  });

  it('opens nothing of another buyer or platform, by any token', async () => {
    const [mine, theirs] = [await addBuyer(), await addBuyer()];
    const browser = await openedPage(world, mine.id, mine.email);
    const cookie = browser.cookie() as string;
    const other = await world.addPlatform();
    await world.post('/v1/buyers', englishBuyer({ external_id: mine.id, contact_email: EMAIL }), {
      key: other.apiKey,
    });
    for (const token of [pageToken(world, theirs.id), pageToken(world, mine.id, { of: other.platform })]) {
      const answer = await fetch(`${world.baseUrl}/buyer/${token}/invoices`, {
        ...{ headers: { cookie }, redirect: 'manual' },
      });
      expect(answer.status).toBe(303);
      expect(answer.headers.get('location')).toBe('code');
    }
  });

  it('is kept as a hash, and its cookie is for its link alone', async () => {
    const { id, email } = await addBuyer();
    const browser = pageBrowser(world, pageToken(world, id, { to: email }));
    const { headers } = await browser.post('code/send');
    expect(headers.getSetCookie()[0]).toMatch(
      new RegExp(
        `^tl_buyer=[\\w-]{43}; Max-Age=86400; Path=/buyer/${browser.token}; HttpOnly; SameSite=Lax$`,
      ),
    );
    const stored = JSON.stringify(await world.sql('select * from buyer_page_sessions'));
    expect(stored).not.toContain((browser.cookie() as string).slice('tl_buyer='.length));
  });
});

describe('a form', () => {
  it('from another origin changes nothing', async () => {
    const { id, email } = await addBuyer();
    const browser = await openedPage(world, id, email);
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    for (const form of ['code/send', 'code', 'leave', 'settings', 'credit/review']) {
      const { status, text } = await browser.post(form, { language: 'FR', formality: 'FORMAL' }, headers);
      expect([form, status]).toEqual([form, 403]);
      expect(text).toContain('Nothing was changed');
    }
    expect((await browser.get('invoices')).status).toBe(200);
    expect((await world.get(`/v1/buyers/${id}/settings`)).body.language).toBeNull();
  });

  it('of a browser without a session leads to the code', async () => {
    const { id } = await addBuyer();
    const browser = pageBrowser(world, pageToken(world, id));
    for (const form of ['settings', 'credit/review'])
      expect((await browser.post(form, { language: 'FR' })).headers.get('location')).toMatch(/code$/);
  });
});
