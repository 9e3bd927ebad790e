/** 200 hostile texts, each in every field of a merchant or a buyer, on every page that shows it. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { merchantBody } from '#test/bodies';
import { hasBrowser, launchBrowser } from '#test/browser';
import { type CheckoutWorld, createCheckout, visit } from '#test/checkout';
import { addPage, type Walker } from '#test/checkout-walk';
import { HOSTILE_TEXTS } from '#test/hostile-texts';
import { patience } from '#test/patience';
import { createWorld, type World } from '#test/world';

/** Pages opened concurrently. */
const WINDOWS = 4;
const PAGES = ['company', 'details', 'review', 'outcome'] as const;

// The npm package of the browser exists for one platform only. Other platforms skip these tests.
describe.skipIf(!hasBrowser)('two hundred hostile texts', () => {
  let world: World;
  let checkout: CheckoutWorld;
  let browser: Browser;
  beforeAll(async () => {
    [world, browser] = await Promise.all([createWorld(), launchBrowser()]);
    checkout = await createCheckout(world);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  /** A checkout at the review step with the text in every field, and the cookie of its browser. */
  async function filled(
    hostile: string,
    nth: number,
  ): Promise<{ token: string; session: string; order: () => Promise<void> }> {
    const merchant = merchantBody({ external_id: `evil-${nth}`, legal_name: hostile, trading_name: hostile });
    expect((await world.post('/v1/merchants', merchant)).status).toBe(201);
    const line = { name: hostile, category: hostile, description: hostile, price: 10_000, quantity: 1 };
    const { token } = await checkout.draft({
      buyer: { external_id: `hostile-${nth}-accepted` },
      order: { merchant_external_id: `evil-${nth}`, comment: hostile, line_items: [line] },
    });
    const visitor = await visit(checkout, token);
    const saveOptimistically = await visitor.enterCompany({
      legalName: hostile,
      tradingName: hostile,
      // A country whose postcodes and numbers may be any text.
      country: 'AE',
      street: hostile,
      house: hostile.slice(0, 20),
      additional: hostile,
      postcode: hostile.slice(0, 16),
      city: hostile,
      registerId: hostile.slice(0, 48),
    });
    expect(saveOptimistically).toEqual({ kind: 'DONE' });
    const person = { firstName: hostile, lastName: hostile };
    expect(await visitor.enterDetails({ person })).toEqual({ kind: 'CREDIT_DECIDED' });
    expect(await visitor.choosePayment('PREPAYMENT')).toEqual({ kind: 'DONE' });
    return {
      token,
      session: visitor.session() as string,
      async order() {
        expect(await visitor.placeOrder()).toEqual({ kind: 'DONE' });
      },
    };
  }

  it('are shown as text: no script runs, no foreign request is sent, no policy is violated', {
    timeout: patience(150),
  }, async () => {
    let next = 0;
    const window = async () => {
      const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
      const walker: Walker = await addPage(context);
      let dialogs = 0;
      walker.page.on('dialog', (dialog) => {
        dialogs++;
        dialog.dismiss().catch(() => {});
      });
      while (next < HOSTILE_TEXTS.length) {
        const nth = next++;
        const hostile = HOSTILE_TEXTS[nth] as string;
        const { token, session, order } = await filled(hostile, nth);
        const path = `/checkout/${token}`;
        await context.addCookies([{ name: 'tl_checkout', value: session, domain: '127.0.0.1', path }]);
        for (const name of PAGES) {
          if (name === 'outcome') await order();
          await walker.page.goto(`${world.baseUrl}${path}/${name}`);
          if (name === 'review') await expectShown(walker, hostile);
        }
        expect([hostile, dialogs, walker.record.faults]).toEqual([hostile, 0, []]);
      }
      const elsewhere = walker.record.requests.filter((url) => !url.startsWith(`${world.baseUrl}/checkout/`));
      expect(elsewhere).toEqual([]);
      expect(walker.record.referers).toEqual([]);
      await context.close();
    };
    await Promise.all(Array.from({ length: WINDOWS }, window));
    expect(next).toBe(200);
  });

  /** Character by character. */
  async function expectShown({ page }: Walker, hostile: string): Promise<void> {
    const shown = (await page.locator('body').innerText()).replaceAll(/\s+/g, ' ');
    expect(shown.split(hostile.replaceAll(/\s+/g, ' ')).length - 1, hostile).toBeGreaterThanOrEqual(6);
  }
});
