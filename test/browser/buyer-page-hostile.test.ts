import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STORY_EMAIL, tellAccountStory } from '#test/account-story';
import { hasBrowser, launchBrowser, takePicture } from '#test/browser';
import { openedPage } from '#test/buyer-page';
import { enterBuyerPage } from '#test/buyer-page-browser';
import { walker } from '#test/checkout-walk';
import { HOSTILE_TEXTS } from '#test/hostile-texts';
import { readHtml } from '#test/html';

/** Each is as long as the API accepts. The longest name has 255 characters, the longest number 100. */
const NAMES: Record<string, string> = {
  markup: '"><script>alert(1)</script><img src=x onerror=alert(1)></bdi></h1>',
  attributes: "' autofocus onfocus='alert(1)' x='{{7*7}}'",
  emoji: '👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿'.repeat(5),
  hebrew: 'חברת הקפה של ברלין (2025) A1-B2 بيت القهوة',
  unbroken: 'Donaudampfschifffahrtsgesellschaft'.repeat(7),
};
const PAGES = [
  ...['invoices', 'past', 'statements', 'credit', 'settings'],
  ...['invoices/overdue', 'invoices/overdue/dispute', 'invoices/split'],
];

describe.skipIf(!hasBrowser)('hostile names on the buyer’s page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  it.each(Object.entries(NAMES))('%s is text, on a phone too', async (kind, name) => {
    const number = [...name].slice(0, 25).join('');
    const story = await tellAccountStory({
      ...{ company: name, merchant: name, item: name, invoiceNumber: number },
      file: `${number.replaceAll(/[/\\]/g, '')}.pdf`,
    });
    const opened = await openedPage(story.world, story.buyer, STORY_EMAIL);
    const { page, record, context } = await walker(browser, { width: 320 });
    let dialogs = 0;
    page.on('dialog', (dialog) => {
      dialogs++;
      dialog.dismiss().catch(() => {});
    });
    const own = await enterBuyerPage(context, story.world, opened);
    for (const path of PAGES) {
      await page.goto(`${own}${path}`);
      await takePicture(page, `buyer-hostile-${kind}-${path.replaceAll('/', '-')}`);
      expect(await page.locator('.whose').textContent(), path).toBe(name);
      const root = 'document.documentElement';
      expect(await page.evaluate(`${root}.scrollWidth - ${root}.clientWidth`), path).toBe(0);
      expect(await page.locator('header, main, footer').count(), path).toBe(3);
    }
    await page.goto(`${own}invoices/overdue`);
    expect(await page.locator('.lines .name').first().textContent()).toBe(name);
    expect(await page.locator('h1 bdi').textContent()).toBe(number);
    expect(dialogs).toBe(0);
    expect(record.faults).toEqual([]);
    expect(record.requests.filter((url) => !url.startsWith(`${story.world.baseUrl}/`))).toEqual([]);
    await context.close();
    await story.close();
  });
});

describe('what a browser sends to the buyer’s page', () => {
  it('is answered without a defect, however long and hostile', async () => {
    const story = await tellAccountStory();
    const page = await openedPage(story.world, story.buyer, STORY_EMAIL);
    const sent = [
      ...HOSTILE_TEXTS.filter((_, nth) => nth % 9 === 0),
      ...['x', '<', '👩‍👩‍👧‍👦', '\u202e', '%', '\0', '٣'].map((one) => one.repeat(10_000 / one.length)),
    ];
    for (const text of sent) {
      // The server accepts no longer address; this one may end within a character.
      const written = encodeURIComponent(text).slice(0, 9_999);
      const answers = [
        await page.post('settings', { language: text, formality: text }),
        await page.post('code', { code: text }),
        await page.post('credit/review', { [text]: text }),
        await page.send('invoices/overdue/dispute', [
          ...['form', 'about', 'lines', 'amount', 'amount1', 'reason', 'comment', 'held', 'kept'].map(
            (name): [string, string] => [name, text],
          ),
          ['files', new File([text], text)],
          [text, text],
        ]),
        await page.post(`invoices/overdue/disputes/${written}/withdraw`),
        await page.get(`invoices?page=${written}`),
        await page.get(`settings?${written}`),
        await page.get(`invoices/${written}`),
      ];
      for (const { status, text: html } of answers) {
        expect([200, 303, 400, 403, 404, 413, 422]).toContain(status);
        expect(html).not.toContain('alert(1)>');
        if (html.startsWith('<!')) expect(readHtml(html).faults).toEqual([]);
      }
    }
    expect((await page.get('invoices')).status).toBe(200);
    await story.close();
  });
});
