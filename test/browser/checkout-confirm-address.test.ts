import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, launchBrowser } from '#test/browser';
import { type CheckoutWorld, createCheckout } from '#test/checkout';
import {
  choosePayment,
  enterCode,
  enterPerson,
  enterSoleTrader,
  goOn,
  heading,
  placeOrder,
  type Walker,
  walker,
} from '#test/checkout-walk';
import { createWorld, type World } from '#test/world';

const REQUEST_REVIEW = 'Ask for a human review';

describe.skipIf(!hasBrowser).each([{ hasScript: true }, { hasScript: false }])(
  'the address of an applicant, with script: $hasScript',
  ({ hasScript }) => {
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

    let buyers = 0;
    /** A phone at the code step. */
    async function atCode(script: string, email?: string): Promise<Walker & { id: string }> {
      const { id, token } = await checkout.draft({ buyer: { external_id: `cafe-${++buyers}-${script}` } });
      const walk = await walker(browser, { hasScript, width: 360 });
      await walk.page.goto(`${world.baseUrl}/checkout/${token}`);
      await enterSoleTrader(walk.page);
      await enterPerson(walk.page, email);
      await heading(walk.page, 'Verify it’s you');
      return { ...walk, id };
    }
    const codeOf = async (id: string) => (await checkout.codes(id)).at(-1)?.code ?? '';

    it('can be corrected, and the new one is confirmed', async () => {
      const { page, context, id } = await atCode('accepted', 'amina@morgenrto.example');
      await page.getByText('Enter the 6-digit code we sent to amina@morgenrto.example.').waitFor();
      await page.getByRole('link', { name: 'Use a different email' }).click();
      await page.getByLabel('Email', { exact: true }).fill('amina@morgenrot.example');
      await goOn(page);
      await page.getByText('Enter the 6-digit code we sent to amina@morgenrot.example.').waitFor();
      await enterCode(page, await codeOf(id));
      await choosePayment(page, 'Pay in 30 days');
      await placeOrder(page);
      await heading(page, 'Thank you, your order is confirmed');
      await context.close();
    });

    it('may stay unconfirmed: the order is paid in advance', async () => {
      const { page, context } = await atCode('accepted');
      await page.getByRole('button', { name: 'Pay in advance without a code' }).click();
      await heading(page, 'How would you like to pay?');
      expect(await page.getByRole('radio').count()).toBe(1);
      await choosePayment(page, 'Pay in advance');
      await placeOrder(page);
      await heading(page, 'We’re waiting for your payment');
      await context.close();
    });

    it('receives the answer of a review that one button of the refusal opens', async () => {
      const { page, context, id } = await atCode('rejected');
      await enterCode(page, await codeOf(id));
      await page.getByRole('heading', { name: 'Pay later isn’t available this time' }).waitFor();
      await page.getByText('We can’t offer a credit limit, or a higher one, at the moment.').waitFor();
      await page.getByRole('button', { name: REQUEST_REVIEW }).dblclick();
      await page.getByText('A member of our team is reviewing this decision.').waitFor();
      expect(await page.getByRole('button', { name: REQUEST_REVIEW }).count()).toBe(0);
      expect(await world.sql('select from credit_reviews')).toHaveLength(1);
      await choosePayment(page, 'Pay in advance');
      await context.close();
    });
  },
);
