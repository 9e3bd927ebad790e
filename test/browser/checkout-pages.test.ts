import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Language } from '#kernel/language';
import type { FieldError } from '#modules/checkout';
import { axeViolations } from '#test/axe';
import { hasBrowser, launchBrowser, recordPage, takePicture } from '#test/browser';
import { SEARCH, VIEWS } from '#test/checkout-views';
import { patience } from '#test/patience';
import { type ShownCheckout, showCheckout } from '#test/shown-checkout';

const ERRORS: FieldError[] = ['legalName', 'legalForm', 'email', 'to', 'code', 'term', 'consent'].map(
  (field) => ({ field, error: 'error.required' }),
);

const VARIANTS = [
  { name: 'light', language: 'EN', colorScheme: 'light', width: 1280 },
  { name: 'dark', language: 'EN', colorScheme: 'dark', width: 1280 },
  { name: 'phone', language: 'EN', colorScheme: 'light', width: 360 },
  { name: 'right-to-left', language: 'AR', colorScheme: 'light', width: 1280 },
  { name: 'right-to-left-dark-phone', language: 'AR', colorScheme: 'dark', width: 360 },
  { name: 'zoomed', language: 'EN', colorScheme: 'light', width: 320 },
] as const;

/** Further pages, and how to reach them. */
const ROUTES: Record<string, (page: Page, baseUrl: string) => Promise<unknown>> = {
  'company-by-hand': async (page, baseUrl) => {
    await page.goto(`${baseUrl}/checkout/company/company`);
    await page.locator('#manual > summary').click();
  },
  'company-by-hand-refused': async (page, baseUrl) => {
    await page.goto(`${baseUrl}/checkout/company/company`);
    await page.locator('#manual > summary').click();
    await page.locator('#manual button').click();
    await page.locator('#wrong').waitFor();
  },
  'company-suggested': async (page, baseUrl) => {
    await page.goto(`${baseUrl}/checkout/company/company`);
    await page.locator('#f-query').fill('Morgen');
    await page.locator('#found [role=option]').first().waitFor();
    await page.keyboard.press('ArrowDown');
  },
  'company-found': (page, baseUrl) =>
    page.goto(`${baseUrl}/checkout/company/company/search?country=DE&query=Morgenrot`),
  'details-elsewhere': async (page, baseUrl) => {
    await page.goto(`${baseUrl}/checkout/details/details`);
    await page.locator('#to-other').check();
  },
  'details-refused': async (page, baseUrl) => {
    await page.goto(`${baseUrl}/checkout/details/details`);
    await page.locator('main button.main').click();
    await page.locator('#wrong').waitFor();
  },
  'payment-chosen': async (page, baseUrl) => {
    await page.goto(`${baseUrl}/checkout/payment/payment`);
    for (const fold of await page.locator('main .fold > summary').all()) await fold.click();
    await page.locator('input[value=SPLIT_6M]').check();
  },
  'review-refused': async (page, baseUrl) => {
    await page.goto(`${baseUrl}/checkout/review/review`);
    await page.locator('main button.main').click();
    await page.locator('#wrong').waitFor();
  },
  terms: (page, baseUrl) => page.goto(`${baseUrl}/checkout/review/terms`),
  cancel: (page, baseUrl) => page.goto(`${baseUrl}/checkout/review/cancel`),
  unknown: (page, baseUrl) => page.goto(`${baseUrl}/checkout/nothing/company`),
};

describe.skipIf(!hasBrowser)('the pages of the checkout in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  async function shownIn(language: Language): Promise<ShownCheckout> {
    const views = Object.entries(VIEWS);
    return showCheckout({
      views: Object.fromEntries(views.map(([name, view]) => [name, { ...view, language }])),
      search: SEARCH,
      errors: ERRORS,
    });
  }

  describe.each(VARIANTS)('$name', ({ name, language, colorScheme, width }) => {
    let shown: ShownCheckout;
    let context: BrowserContext;
    beforeAll(async () => {
      shown = await shownIn(language);
      // The page's policy would block axe.
      context = await browser.newContext({
        viewport: { width, height: 900 },
        colorScheme,
        bypassCSP: true,
      });
      context.setDefaultTimeout(patience(10));
    });
    afterAll(async () => {
      await context?.close();
      await shown?.close();
    });

    async function judge(page: Page, state: string): Promise<void> {
      await takePicture(page, `checkout-${name}-${state}`);
      expect(await axeViolations(page), state).toEqual([]);
      const root = 'document.documentElement';
      expect(
        await page.evaluate(`${root}.scrollWidth - ${root}.clientWidth`),
        `${state} scrolls sideways`,
      ).toBe(0);
    }

    it.each([...Object.keys(VIEWS), ...Object.keys(ROUTES)])(
      '%s: axe finds nothing, and nothing overflows the page',
      async (state) => {
        const page = await context.newPage();
        const way = ROUTES[state] ?? (() => page.goto(`${shown.baseUrl}/checkout/${state}/`));
        await way(page, shown.baseUrl);
        await judge(page, state);
        await page.close();
      },
    );
  });

  it('load only from their own server, and violate none of their policies', async () => {
    const shown = await shownIn('EN');
    const context = await browser.newContext();
    for (const state of Object.keys(VIEWS)) {
      const page = await context.newPage();
      const { faults, requests } = recordPage(page);
      await page.goto(`${shown.baseUrl}/checkout/${state}/`);
      expect(faults, state).toEqual([]);
      expect(requests.filter((url) => !url.startsWith(`${shown.baseUrl}/checkout/`))).toEqual([]);
      await page.close();
    }
    await context.close();
    await shown.close();
  });

  it('focus the errors, which link to their fields, with and without script', async () => {
    const shown = await shownIn('EN');
    for (const javaScriptEnabled of [true, false]) {
      const context = await browser.newContext({ javaScriptEnabled });
      const page = await context.newPage();
      await ROUTES['details-refused']?.(page, shown.baseUrl);
      expect(await page.locator('#wrong:focus').count()).toBe(1);
      await page.getByRole('link', { name: 'Email: This field is required.' }).press('Enter');
      await page.keyboard.type('somebody');
      expect(await page.locator('#f-email').inputValue()).toBe('somebody');
      await context.close();
    }
    await shown.close();
  });
});
