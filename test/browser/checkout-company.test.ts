/** The company of an invited buyer: shown with its address before the buyer confirms it, and changed afterwards. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, launchBrowser } from '#test/browser';
import { type CheckoutWorld, createCheckout, type Drafted } from '#test/checkout';
import {
  chooseFromRegistry,
  choosePayment,
  enterCode,
  enterPerson,
  heading,
  placeOrder,
  walker,
} from '#test/checkout-walk';
import { createWorld, type World } from '#test/world';
import { loadDemoRegistry } from '../../src/cli/demo.ts';

const BROWSERS = [
  { hasScript: true, width: 390 },
  { hasScript: false, width: 1_280 },
];
const MORGENROT = { query: 'Morgenrot', company: 'Café Morgenrot eG' };
const NORDLICHT = { query: 'Nordlicht', company: 'Nordlicht Kaffeerösterei GmbH' };

describe.skipIf(!hasBrowser)('the company in the checkout', () => {
  let world: World;
  let checkout: CheckoutWorld;
  let browser: Browser;
  beforeAll(async () => {
    [world, browser] = await Promise.all([createWorld(), launchBrowser()]);
    checkout = await createCheckout(world);
    await loadDemoRegistry(world.installation);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  describe.each(BROWSERS)('with script: $hasScript, $width px wide', (options) => {
    async function open(): Promise<{ page: Page; drafted: Drafted }> {
      const external_id = `buyer-${options.width}-${Date.now()}-accepted`;
      const drafted = await checkout.draft({ buyer: { external_id } });
      const { page } = await walker(browser, options);
      await page.goto(`${world.baseUrl}/checkout/${drafted.token}`);
      return { page, drafted };
    }
    const buyerOf = async ({ buyer }: Drafted) => (await world.get(`/v1/buyers/${buyer}`)).body;

    it('is suggested with its address and number, before anything is taken', async () => {
      const { page, drafted } = await open();
      await page.locator('input[name=query]').fill(MORGENROT.query);
      if (!options.hasScript) await page.getByRole('button', { name: 'Search' }).click();
      const suggested = options.hasScript ? page.locator('#found [role=option]') : page.locator('.found li');
      const text = await suggested.filter({ hasText: MORGENROT.company }).first().innerText();
      expect(text).toContain('Kastanienallee 85, 10435 Berlin, Germany');
      expect(text).toContain('DE136695976');
      expect(new URL(page.url()).pathname).toMatch(/\/company(\/search)?$/);
      expect((await buyerOf(drafted)).legal_name).toBeNull();
      await page.context().close();
    });

    it('is changed after the details, and the order is that of the second one', async () => {
      const { page, drafted } = await open();
      await chooseFromRegistry(page, { ...MORGENROT, ...options });
      await enterPerson(page);
      await heading(page, 'Verify it’s you');
      await page.getByRole('link', { name: 'Use a different email' }).click();
      await page.getByRole('link', { name: 'Change: Company' }).click();
      await chooseFromRegistry(page, { ...NORDLICHT, ...options });
      await heading(page, 'Contact and delivery');
      await page.getByText('Am Sandtorkai 30').waitFor();
      await page.getByRole('main').getByRole('button', { name: 'Continue' }).click();
      await heading(page, 'Verify it’s you');
      const codes = await checkout.codes(drafted.id);
      await enterCode(page, codes.at(-1)?.code ?? '');
      await choosePayment(page, 'Pay in advance');
      await heading(page, 'Review your order');
      await page.getByText('Am Sandtorkai 30').waitFor();
      expect(await page.getByRole('link', { name: 'Change: Company' }).count()).toBe(0);
      await placeOrder(page);
      await heading(page, 'We’re waiting for your payment');
      expect((await buyerOf(drafted)).legal_name).toBe(NORDLICHT.company);
      await page.context().close();
    });
  });
});
