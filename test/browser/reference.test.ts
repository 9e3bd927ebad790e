import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { REASONS } from '#kernel/problem-reasons';
import { readApiDocument } from '#test/api-document';
import { hasBrowser, launchBrowser, type PageRecord, recordPage, takePicture } from '#test/browser';
import { patience } from '#test/patience';
import { createStoryWorld } from '#test/story-world';
import { until } from '#test/until';
import type { World } from '#test/world';

const { document } = readApiDocument();

// The npm package of the browser is for one platform; other platforms skip these tests.
describe.skipIf(!hasBrowser)('the interactive reference in a browser', () => {
  let world: World;
  let browser: Browser;
  let context: BrowserContext;
  beforeAll(async () => {
    [world, browser] = await Promise.all([createStoryWorld(), launchBrowser()]);
    // One page for all tests, so that the bundle is fetched once and cached, as for a reader.
    context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    context.setDefaultTimeout(patience(10));
  });
  afterEach(async () => {
    for (const page of context.pages()) await page.close();
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  async function visit(path: string, colorScheme: 'light' | 'dark' = 'light') {
    const page = await context.newPage();
    await page.emulateMedia({ colorScheme });
    const record = recordPage(page);
    await page.goto(world.baseUrl + path);
    return { page, record };
  }

  function expectInnocent(record: PageRecord): void {
    expect(record.faults).toEqual([]);
    expect(record.requests.length).toBeGreaterThan(0);
    expect(
      record.requests.filter((url) => !url.startsWith(`${world.baseUrl}/`) && !url.startsWith('data:')),
    ).toEqual([]);
  }

  describe.each(['light', 'dark'] as const)('in %s', (scheme) => {
    it('shows every tag without a fault, and sends requests to its own server only', async () => {
      const { page, record } = await visit('/docs', scheme);
      const contents = page.getByRole('complementary');
      for (const { name } of document.tags) await contents.getByRole('link', { name, exact: true }).waitFor();
      await page.getByRole('heading', { name: 'First request' }).waitFor();
      await takePicture(page, `${scheme}-introduction`);

      await page.goto(`${world.baseUrl}/docs#tag/buyers/POST/v1/buyers`);
      await page.getByRole('heading', { name: 'Register a buyer' }).waitFor();
      await page.getByText('EXTERNAL_ID_ALREADY_EXISTS').first().waitFor({ state: 'attached' });
      await takePicture(page, `${scheme}-operation`);
      expect(await backgroundOf(page)).toBe(scheme === 'dark' ? 'rgb(15, 20, 27)' : 'rgb(255, 255, 255)');
      expectInnocent(record);
    });
  });

  it('sends a request from the page, with the key that was typed in', async () => {
    const { page, record } = await visit('/docs#tag/platform/GET/v1/platform');
    await page.getByRole('button', { name: 'Test Request' }).first().click();
    await page.getByPlaceholder('Token').last().fill(world.apiKey);
    await page.getByRole('button', { name: 'Send', exact: false }).first().click();
    await page.getByText('200 OK').waitFor();
    await page.getByText('Markthalle – wholesale for gastronomy').last().waitFor();
    await takePicture(page, 'light-request');
    expect(record.requests).toContain(`${world.baseUrl}/v1/platform`);
    expectInnocent(record);
  });

  it('keeps the typed key for the tab, over a reload, and shows it to no other tab', async () => {
    const { page } = await visit('/docs#tag/platform/GET/v1/platform');
    const tokenOf = (tab: Page) => tab.getByPlaceholder('Token').first();
    await tokenOf(page).fill(world.apiKey);
    await page.getByRole('heading', { name: 'First request' }).click();
    await until(async () => {
      const kept = await page.evaluate<string>('JSON.stringify(sessionStorage)');
      return kept.includes(world.apiKey);
    });
    await page.reload();
    await until(async () => (await tokenOf(page).inputValue()) === world.apiKey);
    const { page: other } = await visit('/docs#tag/platform/GET/v1/platform');
    await tokenOf(other).waitFor();
    expect(await tokenOf(other).inputValue()).toBe('');
    const { cookies, origins } = await context.storageState();
    expect(JSON.stringify([cookies, origins])).not.toContain(world.apiKey);
  });

  it('promises no client libraries', async () => {
    const { page } = await visit('/docs');
    await page.getByRole('heading', { name: 'First request' }).waitFor();
    // It exists, or it was renamed and this test no longer finds it.
    await page.getByText('Client Libraries').waitFor({ state: 'attached' });
    await page.getByText('Client Libraries').waitFor({ state: 'hidden' });
    expect(
      await page
        .getByText(/client libraries|\bsdks?\b/i)
        .filter({ visible: true })
        .allTextContents(),
    ).toEqual([]);
  });

  it('names neither the maker of the reference nor any of its services', async () => {
    const { page } = await visit('/docs');
    await page.getByRole('heading', { name: 'First request' }).waitFor();
    const links = await page.locator('a[href]:visible').all();
    const targets = await Promise.all(links.map((link) => link.getAttribute('href')));
    expect(targets.length).toBeGreaterThan(10);
    expect(targets.filter((target) => /^([a-z]+:)?\/\//.test(target ?? ''))).toEqual([]);
    const mentions = page.getByText(/scalar|ask ai|\bmcp\b|\bagent\b/i).filter({ visible: true });
    expect(await mentions.allTextContents()).toEqual([]);
  });

  it.each([
    ['/docs', 'First request'],
    ['/docs/errors', 'Codes'],
  ])('stays usable on a telephone: %s', async (path, heading) => {
    const { page, record } = await visit(path);
    await page.setViewportSize({ width: 360, height: 844 });
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(360);
    await takePicture(page, `telephone${path.replaceAll('/', '-')}`);
    expectInnocent(record);
  });

  it.each(['light', 'dark'] as const)('explains a reason on the page of errors, in %s', async (scheme) => {
    const { page, record } = await visit('/docs/errors#EXTERNAL_ID_ALREADY_EXISTS', scheme);
    await page.getByText(REASONS.EXTERNAL_ID_ALREADY_EXISTS.when).waitFor();
    const { y } = (await page.locator('#EXTERNAL_ID_ALREADY_EXISTS').boundingBox()) ?? { y: -1 };
    expect(y).toBeGreaterThan(52);
    expect(y).toBeLessThan(900);
    await takePicture(page, `${scheme}-errors`);
    expectInnocent(record);
  });

  it('leads from a reason to the operations that have it', async () => {
    const { page, record } = await visit('/docs/errors');
    await page.getByRole('link', { name: 'POST /v1/buyers', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Register a buyer' }).waitFor();
    expectInnocent(record);
  });
});

function backgroundOf(page: Page): Promise<string> {
  return page.evaluate<string>("getComputedStyle(document.querySelector('.scalar-app')).backgroundColor");
}
