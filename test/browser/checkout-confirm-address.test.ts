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

const REQUEST_REVIEW = 'Ask for a review by a person';

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
      await heading(walk.page, 'Confirm that it is you');
      return { ...walk, id };
    }
    const codeOf = async (id: string) => (await checkout.codes(id)).at(-1)?.code ?? '';

    it('can be corrected, and the new one is confirmed', async () => {
      const { page, context, id } = await atCode('accepted', 'amina@morgenrto.example');
      await page.getByText('We sent a code of six digits to amina@morgenrto.example.').waitFor();
      await page.getByRole('link', { name: 'Use another address' }).click();
      await page.getByLabel('E-mail', { exact: true }).fill('amina@morgenrot.example');
      await goOn(page);
      await page.getByText('We sent a code of six digits to amina@morgenrot.example.').waitFor();
      await enterCode(page, await codeOf(id));
      await choosePayment(page, 'Pay within 30 days');
      await placeOrder(page);
      await heading(page, 'Thank you, the order is confirmed');
      await context.close();
    });

    it('may stay unconfirmed: the order is paid in advance', async () => {
      const { page, context } = await atCode('accepted');
      await page.getByRole('button', { name: 'Pay in advance, without a code' }).click();
      await heading(page, 'How would you like to pay?');
      expect(await page.getByRole('radio').count()).toBe(1);
      await choosePayment(page, 'Pay in advance');
      await placeOrder(page);
      await heading(page, 'We are waiting for the payment');
      await context.close();
    });

    it('receives the answer of a review that one button of the refusal opens', async () => {
      const { page, context, id } = await atCode('rejected');
      await enterCode(page, await codeOf(id));
      await page.getByRole('heading', { name: 'Paying later is not possible this time' }).waitFor();
      await page.getByText('A credit limit, or a higher one, is not possible at the moment.').waitFor();
      await page.getByRole('button', { name: REQUEST_REVIEW }).dblclick();
      await page.getByText('A person is looking at the decision again.').waitFor();
      expect(await page.getByRole('button', { name: REQUEST_REVIEW }).count()).toBe(0);
      expect(await world.sql('select from credit_reviews')).toHaveLength(1);
      await choosePayment(page, 'Pay in advance');
      await context.close();
    });
  },
);
