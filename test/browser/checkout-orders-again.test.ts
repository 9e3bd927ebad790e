/** Invite, order, order again, order a third time: a buyer gets the limit that it qualifies for, and keeps it. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { hasBrowser, launchBrowser } from '#test/browser';
import { type CheckoutWorld, createCheckout, type Drafted } from '#test/checkout';
import {
  chooseFromRegistry,
  choosePayment,
  enterCode,
  enterPerson,
  goOn,
  heading,
  placeOrder,
  walker,
} from '#test/checkout-walk';
import { auditCredit, facilityOf, grantFacility } from '#test/credit';
import { registeredCompany } from '#test/registered-company';
import { createWorld, type World } from '#test/world';

const BROWSERS = [
  { hasScript: true, width: 390 },
  { hasScript: false, width: 1_280 },
];
const YEAR_2003 = 1_041_379_200;
/** The limit that the default policy grants to a cooperative that has long been in the registry. */
const LIMIT = 3_000_000;
const GROSS = 1_190_000;
const amount = (gross: number) => ({ net: gross, gross });

describe.skipIf(!hasBrowser)('a buyer that orders more than once', () => {
  let world: World;
  let checkout: CheckoutWorld;
  let browser: Browser;
  beforeAll(async () => {
    [world, browser] = await Promise.all([createWorld(), launchBrowser()]);
    checkout = await createCheckout(world);
  });
  afterAll(async () => {
    await browser?.close();
    expect(await auditCredit(world)).toEqual([]);
    await world?.close();
  });

  const confirmAddress = async (page: Page, { id }: Drafted) => {
    await heading(page, 'Verify it’s you');
    await page.waitForLoadState();
    const send = page.getByRole('button', { name: 'Send code' });
    if (await send.isVisible()) await send.click();
    await page.getByLabel('Code').waitFor();
    const codes = await checkout.codes(id);
    await enterCode(page, codes.at(-1)?.code ?? '');
  };

  const company = (external_id: string) =>
    registeredCompany(
      world,
      buyerBody({
        external_id,
        contact_email: 'einkauf@morgenrot.example',
        legal_name: `Genossenschaft ${external_id} eG`,
        legal_form: 'COOPERATIVE',
        business_address: { street: 'Kastanienallee', postcode: '10435', city: 'Berlin', country: 'DE' },
      }),
      { website: 'https://morgenrot.example', incorporatedAt: YEAR_2003 },
    );

  describe.each(BROWSERS)('with script: $hasScript, $width px wide', (options) => {
    /** Opens the checkout of a draft in a new browser, which states its language: the company's country would make it German. */
    async function open(drafted: Drafted): Promise<Page> {
      const { page } = await walker(browser, { ...options, locale: 'en-GB' });
      await page.goto(`${world.baseUrl}/checkout/${drafted.token}`);
      return page;
    }

    async function orderOnCredit(page: Page, { id }: Drafted): Promise<void> {
      await choosePayment(page, 'Pay in 30 days');
      await placeOrder(page);
      await heading(page, 'Thank you, your order is confirmed');
      expect((await world.get(`/v1/orders/${id}`)).body).toMatchObject({
        status: 'CONFIRMED',
        payment_term: 'DEFER_30D',
      });
      await page.context().close();
    }

    it('is invited, orders, orders again, and orders a third time', async () => {
      const { legal_name } = await company(`invited-${options.width}`);
      const invited = await checkout.draft({ order: { amount: amount(GROSS) } });
      const page = await open(invited);
      await chooseFromRegistry(page, { query: legal_name, company: legal_name, ...options });
      await enterPerson(page);
      await confirmAddress(page, invited);
      await orderOnCredit(page, invited);
      expect(await facilityOf(world, invited.buyer)).toMatchObject({ total: LIMIT, pending: GROSS });

      const again = { buyer_external_id: invited.buyer };
      for (const gross of [GROSS, LIMIT - 2 * GROSS]) {
        const drafted = await checkout.draft({ buyer: null, order: { ...again, amount: amount(gross) } });
        const page = await open(drafted);
        await confirmAddress(page, drafted);
        await orderOnCredit(page, drafted);
      }
      expect(await facilityOf(world, invited.buyer)).toMatchObject({ total: LIMIT, pending: LIMIT });
    });

    it('gets a higher limit where the one it has is too small for the order', async () => {
      const known = await company(`grown-${options.width}`);
      await world.post('/v1/buyers', known);
      await grantFacility(world, { buyer: known.external_id, totalMinor: GROSS });
      const order = { buyer_external_id: known.external_id, amount: amount(GROSS) };
      const first = await checkout.draft({ buyer: null, order });
      const page = await open(first);
      await confirmAddress(page, first);
      await enterPerson(page);
      await orderOnCredit(page, first);

      const second = await checkout.draft({ buyer: null, order });
      const next = await open(second);
      await confirmAddress(next, second);
      await heading(next, 'Contact and delivery');
      await goOn(next);
      await orderOnCredit(next, second);
      expect(await facilityOf(world, known.external_id)).toMatchObject({ total: LIMIT, pending: 2 * GROSS });
    });
  });
});
