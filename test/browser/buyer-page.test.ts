import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccountStory, STORY_EMAIL, tellAccountStory } from '#test/account-story';
import { axeViolations } from '#test/axe';
import { hasBrowser, launchBrowser, recordPage, takePicture } from '#test/browser';
import { englishBuyer, openedPage, type PageBrowser, pageToken } from '#test/buyer-page';
import { enterBuyerPage } from '#test/buyer-page-browser';
import { patience } from '#test/patience';

const VARIANTS = [
  { name: 'light', language: 'DE', colorScheme: 'light', width: 1280, height: 900 },
  { name: 'dark', language: 'DE', colorScheme: 'dark', width: 1280, height: 900 },
  { name: 'phone', language: 'DE', colorScheme: 'light', width: 360, height: 800 },
  { name: 'right-to-left', language: 'AR', colorScheme: 'light', width: 1280, height: 900 },
  { name: 'right-to-left-dark-phone', language: 'AR', colorScheme: 'dark', width: 360, height: 800 },
  { name: 'zoomed', language: 'EN', colorScheme: 'light', width: 320, height: 640 },
] as const;

/** Each page of a buyer that owes something. */
const PAGES: Record<string, string> = {
  open: 'invoices',
  past: 'past',
  statements: 'statements',
  overdue: 'invoices/overdue',
  split: 'invoices/split',
  paid: 'invoices/paid',
  credit: 'credit',
  settings: 'settings',
  saved: 'settings?saved',
};

const REFUSED = 'cafe-rejected';

describe.skipIf(!hasBrowser)('the buyer’s page in a browser', () => {
  let browser: Browser;
  let story: AccountStory;
  let opened: PageBrowser;
  let openedRefused: PageBrowser;
  beforeAll(async () => {
    [story, browser] = await Promise.all([tellAccountStory(), launchBrowser()]);
    const { world } = story;
    const email = 'einkauf@refused.example';
    await world.post('/v1/buyers', englishBuyer({ external_id: REFUSED, contact_email: email }));
    await world.post(`/v1/buyers/${REFUSED}/facility`, {});
    opened = await openedPage(world, story.buyer, STORY_EMAIL);
    openedRefused = await openedPage(world, REFUSED, email);
  });
  afterAll(async () => {
    await browser?.close();
    await story?.close();
  });

  describe.each(VARIANTS)('$name', ({ name, language, colorScheme, width, height }) => {
    let context: BrowserContext;
    let own: string;
    let refused: string;
    beforeAll(async () => {
      const { world } = story;
      const settings = { language, formality: 'NEUTRAL' };
      const waiting = `waits-${name}`;
      await world.post(
        '/v1/buyers',
        englishBuyer({ external_id: waiting, contact_email: `${name}@waits.example` }),
      );
      for (const buyer of [story.buyer, REFUSED, waiting])
        await world.put(`/v1/buyers/${buyer}/settings`, settings);
      // The page's policy would block axe.
      context = await browser.newContext({ viewport: { width, height }, colorScheme, bypassCSP: true });
      context.setDefaultTimeout(patience(10));
      own = await enterBuyerPage(context, world, opened);
      refused = await enterBuyerPage(context, world, openedRefused);
    });
    afterAll(() => context?.close());

    async function judge(page: Page, state: string): Promise<void> {
      await takePicture(page, `buyer-${name}-${state}`);
      expect(await axeViolations(page), state).toEqual([]);
      const root = 'document.documentElement';
      expect(
        await page.evaluate(`${root}.scrollWidth - ${root}.clientWidth`),
        `${state} scrolls sideways`,
      ).toBe(0);
      expect(await page.locator('html').getAttribute('lang')).toMatch(
        RegExp(`^${language.toLowerCase()}\\b`),
      );
    }

    it.each(Object.entries(PAGES))('%s: axe finds nothing, and nothing overflows', async (state, path) => {
      const page = await context.newPage();
      await page.goto(`${own}${path}`);
      await judge(page, state);
      await page.close();
    });

    it('a refused limit: axe finds nothing, and nothing overflows', async () => {
      const page = await context.newPage();
      await page.goto(`${refused}credit`);
      await judge(page, 'refused');
      await page.goto(`${refused}invoices`);
      await judge(page, 'nothing');
      await page.close();
    });

    it('the code, before and after it is sent, and wrong: axe finds nothing', async () => {
      const page = await context.newPage();
      await page.goto(`${story.world.baseUrl}/buyer/${pageToken(story.world, `waits-${name}`)}`);
      await judge(page, 'code');
      await page.locator('main button.main').click();
      await page.locator('#f-code').waitFor();
      await judge(page, 'code-sent');
      await page.locator('main button.main').click();
      await page.locator('#wrong').waitFor();
      await judge(page, 'code-wrong');
      await page.close();
    });
  });

  it('loads only from its own server, and violates none of its policies', async () => {
    const context = await browser.newContext();
    const own = await enterBuyerPage(context, story.world, opened);
    for (const path of Object.values(PAGES)) {
      const page = await context.newPage();
      const { faults, requests } = recordPage(page);
      await page.goto(`${own}${path}`);
      expect(faults, path).toEqual([]);
      expect(requests.filter((url) => !url.startsWith(`${story.world.baseUrl}/`))).toEqual([]);
      await page.close();
    }
    await context.close();
  });
});
