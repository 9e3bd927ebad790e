import jsqr from 'jsqr';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccountStory, STORY_EMAIL, tellAccountStory } from '#test/account-story';
import { invoiceBody } from '#test/bodies';
import { englishBuyer, openedPage, type PageBrowser } from '#test/buyer-page';
import { readHtml } from '#test/html';

let story: AccountStory;
let page: PageBrowser;
beforeAll(async () => {
  story = await tellAccountStory();
  page = await openedPage(story.world, story.buyer, STORY_EMAIL);
});
afterAll(() => story.close());

const PAGES = [
  'invoices',
  'past',
  'statements',
  'credit',
  'settings',
  'settings?saved',
  'invoices/overdue',
  'invoices/split',
  'invoices/paid',
];

async function textOf(path: string): Promise<string> {
  const { status, text } = await page.get(path);
  expect([path, status]).toEqual([path, 200]);
  return readHtml(text)
    .text.replaceAll(/[\u00a0\u202f]/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

describe('every page', () => {
  it.each(PAGES)('%s is well-formed, labelled, without inline code, and guarded', async (path) => {
    const { text, headers } = await page.get(path);
    const { faults, elements } = readHtml(text);
    expect(faults).toEqual([]);
    const ids = elements.flatMap(({ attributes: { id } }) => (id === undefined ? [] : [id]));
    expect(new Set(ids).size).toBe(ids.length);
    const references = elements.flatMap(({ attributes }) =>
      ['for', 'aria-describedby', 'aria-labelledby'].flatMap((name) => attributes[name]?.split(' ') ?? []),
    );
    expect(references.filter((id) => !ids.includes(id))).toEqual([]);
    expect(elements.filter(({ name }) => name === 'style')).toEqual([]);
    expect(
      elements
        .flatMap(({ attributes }) => Object.keys(attributes))
        .filter((name) => /^(on|style)/.test(name)),
    ).toEqual([]);
    expect(text).not.toContain(page.token);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    });
  });

  it('has at most 30 KB compressed with its style sheet and script', async () => {
    const { text } = await page.get('invoices/overdue');
    const { elements } = readHtml(text);
    const assets = elements.flatMap(({ attributes: { href, src }, name }) =>
      name === 'link' || name === 'script' ? [href ?? src ?? ''] : [],
    );
    const addresses = ['', ...assets].map(
      (path) => new URL(path, `${story.world.baseUrl}/buyer/${page.token}/invoices/overdue`).href,
    );
    const sizes = await Promise.all(
      addresses.map(async (address) => {
        const headers = { 'accept-encoding': 'br', cookie: page.cookie() ?? '' };
        const { body, statusCode } = await request(address, { headers });
        expect([address, statusCode]).toEqual([address, 200]);
        return (await body.arrayBuffer()).byteLength;
      }),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(30 * 1024);
  });
});

describe('the open invoices', () => {
  it('come the first due first, each with what is due when and why', async () => {
    const text = await textOf('invoices');
    const [overdue, split] = [text.indexOf('RE-2025-1009'), text.indexOf('RE-2025-1010')];
    expect([overdue > 0, split > overdue]).toEqual([true, true]);
    expect(text).toContain('Overdue · 12 days');
    expect(text).toContain('Due on 30 November 2025');
    // 119.00 less the credit note of 11.90, and 42.58 of late charges.
    expect(text).toContain('€149.68');
    expect(text).toContain('Total to pay€270.82 Overdue€107.10 Late payment charges€42.58');
    expect(text).not.toContain('RE-2025-0988');
  });

  it('leave what is paid behind a link', async () => {
    expect((await page.get('invoices')).text).toContain('<a href="past">Past invoices</a>');
    const text = await textOf('past');
    expect(text).toContain('RE-2025-0988');
    expect(text).toContain('Paid');
    expect(text).not.toContain('RE-2025-1009');
  });

  it('come in pages of 25', async () => {
    const { world } = story;
    await world.post('/v1/buyers', englishBuyer({ external_id: 'many', contact_email: 'many@many.example' }));
    for (let nth = 0; nth < 27; nth++)
      await world.post(
        '/v1/invoices',
        invoiceBody({ external_id: `many-${nth}`, buyer_external_id: 'many', due_at: 4_000_000_000 + nth }),
      );
    const many = await openedPage(world, 'many', 'many@many.example');
    const first = (await many.get('invoices')).text;
    expect(first.match(/class="card item"/g)).toHaveLength(25);
    expect(first).toContain('href="invoices?page=2"');
    expect(first).toContain('€3,213.00');
    const second = (await many.get('invoices?page=2')).text;
    expect(second.match(/class="card item"/g)).toHaveLength(2);
    for (const typed of ['0', '-1', 'x', '99999', '1e3'])
      expect((await many.get(`invoices?page=${typed}`)).status).toBe(200);
  });
});

describe('an invoice', () => {
  it('shows its lines, its amounts, what was credited, and what is still to pay', async () => {
    const text = await textOf('invoices/overdue');
    for (const part of [
      'Espresso “Polar”, 1 kg',
      'Credit note credit-1-€11.90',
      'Late payment charges€42.58',
      'Still to pay€149.68',
    ])
      expect(text).toContain(part);
  });

  it('shows late charges line by line, with their law', async () => {
    const text = await textOf('invoices/overdue');
    expect(text).toContain('Late payment interestBGB, section 288€2.58');
    expect(text).toContain('19 days · €482.59 · 10.27%€2.58');
    expect(text).toContain('Compensation for recovery costsBGB, section 288€40.00');
  });

  it('says how to pay what is due, with a code that a banking app reads', async () => {
    const { text } = await page.get('invoices/overdue');
    const { body: details } = await story.world.get('/v1/invoices/overdue/payment_details');
    expect(text).toContain('DE89 3704 0044 0532 0130 00');
    expect(text).toContain(details.payment_reference);
    expect(readQr(text)).toBe(details.epc_qr.replace('EUR107.10', 'EUR149.68'));
  });

  it('of several instalments asks for the next one, and shows them all', async () => {
    const { text } = await page.get('invoices/split');
    const { body: details } = await story.world.get('/v1/invoices/split/payment_details');
    expect(readQr(text)).toBe(details.installments[0].epc_qr);
    expect(await textOf('invoices/split')).toContain('Payment schedule');
  });

  it('that is paid asks for nothing', async () => {
    const { text } = await page.get('invoices/paid');
    expect(text).not.toContain('id="pay"');
    expect(await textOf('invoices/paid')).toContain('Payment on 20 November 2025-€119.00');
  });

  it('offers its own files, and none that are not for buyers', async () => {
    const { text } = await page.get('invoices/overdue');
    expect(text).toContain('href="../invoices/overdue/files/invoice-pdf"');
    expect(text).not.toContain('Contract.pdf');
    const { status, headers } = await page.get('invoices/overdue/files/invoice-pdf');
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': "attachment; filename*=UTF-8''Rechnung%20RE-2025-1009.pdf",
      'x-robots-tag': 'noindex, nofollow',
    });
    for (const file of ['contract', 'unknown', '%00', 'x'.repeat(200)])
      expect((await page.get(`invoices/overdue/files/${file}`)).status).toBe(404);
    expect((await page.get('invoices/split/files/invoice-pdf')).status).toBe(404);
  });

  it('of another buyer, or of nobody, is the same page as an unknown address', async () => {
    const { world } = story;
    await world.post('/v1/buyers', englishBuyer({ external_id: 'stranger' }));
    await world.post(
      '/v1/invoices',
      invoiceBody({ external_id: 'of-a-stranger', buyer_external_id: 'stranger' }),
    );
    const answers = await Promise.all(
      ['of-a-stranger', 'unknown', '%00', "x'--"].map((id) => page.get(`invoices/${id}`)),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(404);
  });
});

describe('the credit limit', () => {
  it('shows what is left, and what uses it', async () => {
    const text = await textOf('credit');
    const { body: facility } = await story.world.get('/v1/buyers/buyer/facility');
    expect(facility.pending_orders_amount).toBeGreaterThan(0);
    for (const part of [
      'Credit limit€25,000.00',
      'Reserved for orders€',
      'Order order-reserved€',
      'Invoice RE-2025-1010€',
    ])
      expect(text).toContain(part);
  });

  it('that nobody asked for says so', async () => {
    const { world } = story;
    await world.post('/v1/buyers', englishBuyer({ external_id: 'none', contact_email: 'a@none.example' }));
    const none = await openedPage(world, 'none', 'a@none.example');
    expect((await none.get('credit')).text).toContain('doesn’t have a credit limit');
    expect((await none.get('invoices')).text).toContain('There’s nothing to pay right now.');
    expect((await none.get('past')).text).toContain('Nothing here yet.');
    await none.post('credit/review');
    expect(await world.sql("select 1 from credit_reviews where buyer_external_id = 'none'")).toEqual([]);
  });
});

describe('the settings', () => {
  it('are the buyer’s, and count at once', async () => {
    const { world } = story;
    await world.post(
      '/v1/buyers',
      englishBuyer({ external_id: 'chooser', contact_email: 'c@chooser.example' }),
    );
    const chooser = await openedPage(world, 'chooser', 'c@chooser.example');
    const { status, headers } = await chooser.post('settings', { language: 'DE', formality: 'FORMAL' });
    expect([status, headers.get('location')]).toEqual([303, 'settings?saved']);
    expect((await world.get('/v1/buyers/chooser/settings')).body).toEqual({
      ...{ language: 'DE', formality: 'FORMAL' },
    });
    const { text } = await chooser.get('settings?saved');
    expect(text).toContain('<html lang="de" dir="ltr">');
    expect(text).toContain('Änderungen gespeichert.');
    expect((await chooser.post('settings', { language: 'AR', formality: 'NEUTRAL' })).status).toBe(303);
    expect((await chooser.get('invoices')).text).toContain('dir="rtl"');
  });

  it('refuse what is no choice, and keep what was typed', async () => {
    for (const language of ['', 'XX', '<script>', 'x'.repeat(10_000)]) {
      const { status, text } = await page.post('settings', { language, formality: 'FORMAL' });
      expect(status).toBe(422);
      expect(readHtml(text).faults).toEqual([]);
      expect(text).toContain('Choose an option.');
      expect(text).toContain('<option value="FORMAL" selected>');
    }
  });

  it('show who is on file', async () => {
    const text = await textOf('settings');
    expect(text).toContain('Amina Yılmaz');
    expect(text).toContain('amina@morgenrot.example');
  });
});

// A CommonJS package with wrong types.
const decodeQr = jsqr as unknown as typeof jsqr.default;

/** The text that a reader of QR codes finds in the picture on the page. */
function readQr(page: string): string | null {
  const { elements } = readHtml(page);
  const svg = elements.findIndex(({ attributes }) => attributes.class === 'qr');
  const size = Number(elements[svg]?.attributes.viewBox?.split(' ')[2]);
  const path = elements[svg + 2]?.attributes.d ?? '';
  const scale = 4;
  const pixels = new Uint8ClampedArray(size * size * scale * scale * 4).fill(255);
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)/g))
    for (let dy = 0; dy < scale; dy++)
      for (let dx = 0; dx < Number(width) * scale; dx++) {
        const at = ((Number(y) * scale + dy) * size * scale + Number(x) * scale + dx) * 4;
        pixels.fill(0, at, at + 3);
      }
  return decodeQr(pixels, size * scale, size * scale)?.data ?? null;
}
