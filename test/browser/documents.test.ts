import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOCUMENTS } from '#api/reference/documents';
import { axeViolations } from '#test/axe';
import { hasBrowser, launchBrowser, recordPage, takePicture } from '#test/browser';
import { patience } from '#test/patience';
import { createWorld, type World } from '#test/world';

const SIZES = { desktop: { width: 1_440, height: 900 }, phone: { width: 360, height: 844 } };

// The npm package of the browser is for one platform; other platforms skip these tests.
describe.skipIf(!hasBrowser)('the guides in a browser', () => {
  let world: World;
  let browser: Browser;
  beforeAll(async () => {
    [world, browser] = await Promise.all([createWorld(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  async function open(size: keyof typeof SIZES, colorScheme: 'light' | 'dark', bypassCSP = false) {
    const context = await browser.newContext({ viewport: SIZES[size], colorScheme, bypassCSP });
    context.setDefaultTimeout(patience(10));
    const page = await context.newPage();
    return { context, page, record: recordPage(page) };
  }

  it.each([
    ['desktop', 'light'],
    ['desktop', 'dark'],
    ['phone', 'light'],
    ['phone', 'dark'],
  ] as const)('have no violation of accessibility and no sideways scroll: %s, %s', async (size, scheme) => {
    // The policy of the pages blocks scripts such as axe.
    const { context, page } = await open(size, scheme, true);
    for (const path of ['guides', ...DOCUMENTS]) {
      await page.goto(`${world.baseUrl}/docs/${path}`);
      await takePicture(page, `${size}-${scheme}-${path.replace('/', '-')}`);
      expect([path, await axeViolations(page)]).toEqual([path, []]);
      expect([path, await widthOf(page)]).toEqual([path, SIZES[size].width]);
    }
    await context.close();
  });

  it('are read from the reference on, from one to the next, without a fault', async () => {
    const { context, page, record } = await open('desktop', 'light');
    await page.goto(`${world.baseUrl}/docs`);
    await page
      .getByRole('navigation', { name: 'Documentation' })
      .getByRole('link', { name: 'Guides' })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Guides' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Your first order' }).click();
    for (const heading of ['Place orders on credit', 'Send a buyer to the checkout']) {
      await page.getByRole('main').getByRole('link', { name: heading }).last().click();
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    }
    await page.getByRole('link', { name: 'say that it is paid' }).click();
    await page.waitForURL(/\/docs\/guides\/orders#wait-for-a-payment-in-advance$/);
    const heading = page.getByRole('heading', { name: 'Wait for a payment in advance' });
    const { y } = (await heading.boundingBox()) ?? { y: -1 };
    expect(y).toBeGreaterThan(52);
    expect(y).toBeLessThan(900);
    expect(record.faults).toEqual([]);
    expect(
      record.requests.filter((url) => !url.startsWith(`${world.baseUrl}/`) && !url.startsWith('data:')),
    ).toEqual([]);
    await context.close();
  });

  it('have commands that a button copies as printed, and answers without a button', async () => {
    const { context, page } = await open('desktop', 'light');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${world.baseUrl}/docs/guides/checkout`);
    const block = page.locator('.code', { hasText: 'my-checkout-order' }).first();
    await block.getByRole('button', { name: 'Copy' }).click();
    await block.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toBe(await block.locator('code').textContent());
    expect(copied).toMatch(/^curl -s \$BASE\/v1\/orders\/draft /);
    expect(await page.locator('pre.answer').count()).toBeGreaterThan(0);
    expect(await page.locator('.code pre.answer').count()).toBe(0);
    await context.close();
  });

  it('are whole without script', async () => {
    const context: BrowserContext = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${world.baseUrl}/docs/start`);
    await page.getByText('npm ci && npm start').waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    await context.close();
  });
});

function widthOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth');
}
