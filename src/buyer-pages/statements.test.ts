/** The statements of account on the buyer's own page. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { translatorOf } from '#messages';
import { buyerBody, invoiceBody, merchantBody } from '#test/bodies';
import { openedPage, type PageBrowser, pageBrowser, pageToken } from '#test/buyer-page';
import { readHtml } from '#test/html';
import { grossOf } from '#test/invoice-setup';
import { plainOf, readPdf } from '#test/pdf';
import { createWorld, type World } from '#test/world';

const at = (instant: string) => Date.parse(instant) / 1_000;
const { text, money } = translatorOf('EN', 'NEUTRAL');

let world: World;
beforeAll(async () => {
  world = await createWorld({
    settings: { TRADELINE_WORKER: 'off' },
    platform: { name: 'Markthalle', time_zone: 'Europe/Berlin' },
  });
  world.clock.set(at('2025-11-20T12:00:00Z'));
  await world.post('/v1/merchants', merchantBody({}));
});
afterAll(() => world.close());

const emailOf = (id: string) => `einkauf@${id}.example`;
async function addBuyer(id: string): Promise<void> {
  await world.post('/v1/buyers', buyerBody({ external_id: id, contact_email: emailOf(id) }));
  await world.put(`/v1/buyers/${id}/settings`, { language: 'EN' });
}
async function invoice(buyer: string, external_id: string, minor: number): Promise<void> {
  const body = invoiceBody({ external_id, buyer_external_id: buyer, ...grossOf(minor) });
  expect((await world.post('/v1/invoices', body)).status).toBe(201);
}
const pay = (id: string, amount: number) =>
  world.post(`/v1/invoices/${id}/payments`, { amount, received_by: 'PLATFORM' });

/** The names of the statements that the page offers. */
async function offeredBy(page: PageBrowser): Promise<string[]> {
  const { status, text: html } = await page.get('statements');
  expect(status).toBe(200);
  return readHtml(html).elements.flatMap(({ attributes: { href = '' } }) => {
    const [, name] = /^statements\/(.+)$/.exec(href) ?? [];
    return name === undefined ? [] : [name];
  });
}

/** The bytes of an answer; `browser` gives its cookie. */
async function download(page: PageBrowser, path: string): Promise<{ headers: Headers; bytes: Uint8Array }> {
  const answer = await fetch(`${world.baseUrl}/buyer/${page.token}/${path}`, {
    headers: { cookie: page.cookie() ?? '' },
  });
  expect(`${answer.status} ${answer.headers.get('content-type')}`).toBe('200 application/pdf');
  return { headers: answer.headers, bytes: new Uint8Array(await answer.arrayBuffer()) };
}
const saidBy = async (bytes: Uint8Array) => plainOf((await readPdf(bytes, { withQrCodes: false })).text);

describe('the statements of account', () => {
  it('are offered as of today, and of the ended months in which something happened or was owed', async () => {
    await addBuyer('settles');
    await addBuyer('owes');
    world.clock.set(at('2025-11-20T12:00:00Z'));
    await invoice('settles', 'settled', 11_900);
    await invoice('owes', 'owed', 5_000);
    // In Berlin, it is already December.
    world.clock.set(at('2025-11-30T23:30:00Z'));
    await pay('settled', 11_900);
    world.clock.set(at('2026-03-15T12:00:00Z'));
    const page = await openedPage(world, 'settles', emailOf('settles'));
    expect(await offeredBy(page)).toEqual(['today', '2025-12', '2025-11']);
    const { text: html } = await page.get('statements');
    for (const label of ['As of 15 March 2026', 'December 2025', 'November 2025'])
      expect(html).toContain(`<bdi>${label}</bdi>`);
    expect((await page.get('invoices')).text).toContain('<a href="statements">Statement of account</a>');
    const owing = await openedPage(world, 'owes', emailOf('owes'));
    expect(await offeredBy(owing)).toEqual([...['today', '2026-02', '2026-01'], ...['2025-12', '2025-11']]);
    world.clock.set(at('2027-05-15T12:00:00Z'));
    const later = await openedPage(world, 'owes', emailOf('owes'));
    const offered = await offeredBy(later);
    expect([offered.length, offered.at(-1)]).toEqual([13, '2026-05']);
  });

  it('are PDFs in the language of the buyer: the statements that the API and the mails have', async () => {
    await addBuyer('reader');
    world.clock.set(at('2025-11-20T12:00:00Z'));
    await invoice('reader', 'read', 23_800);
    world.clock.set(at('2025-12-10T12:00:00Z'));
    await pay('read', 3_800);
    const page = await openedPage(world, 'reader', emailOf('reader'));
    const november = await download(page, 'statements/2025-11');
    expect(Object.fromEntries(november.headers)).toMatchObject({
      'content-disposition': "attachment; filename*=UTF-8''statement-2025-11.pdf",
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex, nofollow',
    });
    expect(await saidBy(november.bytes)).toContain(
      plainOf(`${text('document.closing_balance')}${money(23_800, 'EUR')}`),
    );
    const period = `from=${at('2025-10-31T23:00:00Z')}&at=${at('2025-11-30T22:59:59Z')}`;
    const ofApi = await fetch(`${world.baseUrl}/v1/buyers/reader/statement/document?${period}`, {
      headers: { authorization: `Bearer ${world.apiKey}` },
    });
    expect(Buffer.from(await ofApi.arrayBuffer()).equals(november.bytes)).toBe(true);
    await page.post('settings', { language: 'DE', formality: 'FORMAL' });
    const german = translatorOf('DE', 'FORMAL');
    const today = await download(page, 'statements/today');
    expect(today.headers.get('content-disposition')).toContain('statement-2025-12-10.pdf');
    expect(await saidBy(today.bytes)).toContain(
      plainOf(`${german.text('document.closing_balance')}${german.money(20_000, 'EUR')}`),
    );
  });

  it('open with the code of their buyer only', async () => {
    await addBuyer('mine');
    await addBuyer('theirs');
    world.clock.set(at('2026-01-20T12:00:00Z'));
    await invoice('mine', 'invoice-of-mine', 1_000);
    await invoice('theirs', 'invoice-of-theirs', 2_000);
    const locked = pageBrowser(world, pageToken(world, 'theirs', { to: emailOf('theirs') }));
    const page = await openedPage(world, 'mine', emailOf('mine'));
    for (const path of ['statements', 'statements/today', 'statements/2026-01']) {
      const { status, headers, text: html } = await locked.get(path);
      expect([path, status, html]).toEqual([path, 303, '']);
      expect(headers.get('location')).toMatch(/code$/);
      // The session of another link opens nothing.
      const answer = await fetch(`${world.baseUrl}/buyer/${locked.token}/${path}`, {
        ...{ redirect: 'manual', headers: { cookie: page.cookie() ?? '' } },
      });
      expect([path, answer.status]).toEqual([path, 303]);
    }
    const forged = pageBrowser(world, `${page.token.slice(0, -2)}AA`);
    expect((await forged.get('statements/today')).status).toBe(404);
    const said = await saidBy((await download(page, 'statements/today')).bytes);
    expect(said).toContain(plainOf('invoice-of-mine'));
    expect(said).not.toContain(plainOf('invoice-of-theirs'));
  });

  it('that are not offered do not exist', async () => {
    await addBuyer('asks');
    world.clock.set(at('2026-01-20T12:00:00Z'));
    await invoice('asks', 'asked', 1_000);
    const page = await openedPage(world, 'asks', emailOf('asks'));
    expect(await offeredBy(page)).toEqual(['today']);
    const names = ['2025-12', '2026-01', '2099-01', 'TODAY', '%00', 'x'.repeat(200), 'today/', 'today%2F..'];
    const answers = await Promise.all(names.map((name) => page.get(`statements/${name}`)));
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 404));
  });

  it('have no more than 2,000 entries: a period with more is not offered', async () => {
    await addBuyer('busy');
    world.clock.set(at('2026-01-20T12:00:00Z'));
    const add = (count: number, prefix: string) =>
      world.sql(
        `insert into invoices (platform_id, external_id, status, buyer_external_id, merchant_external_id, created_at, updated_at,
          invoiced_at, due_at, due_on, agreed_due_at, falls_due_at, payment_method, payment_reference, currency, amount_net,
          amount_tax, amount_gross, line_items)
        select $1, $2 || n, 'OPEN', 'busy', 'merchant', $3, $3, $3, 4000000000, '2096-10-02', 4000000000, 4000000000, 'TRANSFER',
          $2 || n, 'EUR', 1, 0, 1, '[]'
        from generate_series(1, $4::int) n`,
        [world.platform.platform_id, prefix, world.clock.now(), count],
      );
    await add(2_000, 'first-');
    const page = await openedPage(world, 'busy', emailOf('busy'));
    expect(await offeredBy(page)).toEqual(['today']);
    await add(1, 'one-more-');
    expect(await offeredBy(page)).toEqual([]);
    expect((await page.get('statements/today')).status).toBe(404);
    world.clock.set(at('2026-02-10T12:00:00Z'));
    const later = await openedPage(world, 'busy', emailOf('busy'));
    expect(await offeredBy(later)).toEqual(['today']);
  });
});
