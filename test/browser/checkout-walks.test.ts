import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, launchBrowser } from '#test/browser';
import { type CheckoutWorld, createCheckout, type Drafted } from '#test/checkout';
import {
  addPage,
  chooseFromRegistry,
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
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';
import { loadDemoRegistry } from '../../src/cli/demo.ts';

const BROWSERS = [
  { hasScript: true, width: 1_280 },
  { hasScript: true, width: 360 },
  { hasScript: false, width: 1_280 },
  { hasScript: false, width: 360 },
];
const COMPANY = { query: 'Morgenrot', company: 'Café Morgenrot eG' };

describe.skipIf(!hasBrowser)('a checkout in a browser', () => {
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

  let buyers = 0;
  const draftFor = (script: string) =>
    checkout.draft({ buyer: { external_id: `cafe-${++buyers}-${script}` } });
  const linkOf = ({ token }: Drafted) => `${world.baseUrl}/checkout/${token}`;
  const orderOf = async ({ id }: Drafted) => (await world.get(`/v1/orders/${id}`)).body;

  const confirmAddress = async (page: Page, { id }: Drafted) => {
    await heading(page, 'Verify it’s you');
    const codes = await checkout.codes(id);
    await enterCode(page, codes.at(-1)?.code ?? '');
  };

  /** No policy was violated, no foreign request was sent, and no Referer contains the token. */
  async function expectInnocent({ page, record, context }: Walker, { token }: Drafted): Promise<void> {
    expect(record.faults.filter((fault) => !/status of 4(03|09|22)/.test(fault))).toEqual([]);
    expect(record.requests.filter((url) => !url.startsWith(`${world.baseUrl}/checkout/`))).toEqual([]);
    expect(record.referers).toEqual([]);
    expect(await page.content()).not.toContain(token);
    await context.close();
  }

  describe.each(BROWSERS)('with script: $hasScript, $width px wide', ({ hasScript, width }) => {
    it('leads a company of the registry to an order on credit', async () => {
      const drafted = await draftFor('accepted');
      const walk = await walker(browser, { hasScript, width });
      const { page } = walk;
      await page.goto(linkOf(drafted));
      await chooseFromRegistry(page, { ...COMPANY, hasScript });
      await enterPerson(page);
      await confirmAddress(page, drafted);
      await choosePayment(page, 'Pay in 3 monthly instalments');
      await placeOrder(page);
      await heading(page, 'Thank you, your order is confirmed');
      expect(await page.locator('main .dues > div:not(.total)').count()).toBe(3);
      expect(await orderOf(drafted)).toMatchObject({ status: 'CONFIRMED', payment_term: 'SPLIT_3M' });
      const buyer = (await world.get(`/v1/buyers/${drafted.buyer}`)).body;
      expect(buyer.legal_name).toBe(COMPANY.company);
      await expectInnocent(walk, drafted);
    });

    it('leads a sole trader, typed by hand, to a prepaid order', async () => {
      const drafted = await draftFor('accepted');
      const walk = await walker(browser, { hasScript, width });
      const { page } = walk;
      await page.goto(linkOf(drafted));
      await enterSoleTrader(page);
      await enterPerson(page);
      await confirmAddress(page, drafted);
      await choosePayment(page, 'Pay in advance');
      await placeOrder(page);
      await heading(page, 'We’re waiting for your payment');
      expect(await orderOf(drafted)).toMatchObject({ status: 'CONFIRMED', payment_term: 'PREPAYMENT' });
      const buyer = (await world.get(`/v1/buyers/${drafted.buyer}`)).body;
      expect(buyer).toMatchObject({ legal_name: 'Jürgen O’Brien-Şahin', legal_form: 'SOLE_TRADER' });
      await expectInnocent(walk, drafted);
    });

    it('keeps the typed values on an error, and continues once corrected', async () => {
      const drafted = await draftFor('accepted');
      const walk = await walker(browser, { hasScript, width });
      const { page } = walk;
      await page.goto(linkOf(drafted));
      await enterSoleTrader(page);
      await enterPerson(page, 'amina at morgenrot');
      await page.getByRole('alert').getByText('Please check one field').waitFor();
      expect(await page.getByLabel('First name').inputValue()).toBe('Amina');
      expect(await page.title()).toContain('Error: ');
      await page.getByLabel('Email', { exact: true }).fill('amina@morgenrot.example');
      await goOn(page);
      await confirmAddress(page, drafted);
      await heading(page, 'How would you like to pay?');
      await expectInnocent(walk, drafted);
    });

    it('explains a rejected credit, and accepts prepayment', async () => {
      const drafted = await draftFor('rejected');
      const walk = await walker(browser, { hasScript, width });
      const { page } = walk;
      await page.goto(linkOf(drafted));
      await enterSoleTrader(page);
      await enterPerson(page);
      await confirmAddress(page, drafted);
      await page.getByRole('heading', { name: 'Pay later isn’t available this time' }).waitFor();
      expect(await page.getByRole('radio').count()).toBe(1);
      await choosePayment(page, 'Pay in advance');
      await placeOrder(page);
      await heading(page, 'We’re waiting for your payment');
      expect(await orderOf(drafted)).toMatchObject({ status: 'CONFIRMED', payment_term: 'PREPAYMENT' });
      await expectInnocent(walk, drafted);
    });
  });

  it.each([true, false])('shows the outcome of a review, by itself with script: %s', async (hasScript) => {
    const drafted = await draftFor('review-then-accept');
    const walk = await walker(browser, { hasScript });
    const { page } = walk;
    await page.goto(linkOf(drafted));
    await enterSoleTrader(page);
    await enterPerson(page);
    await confirmAddress(page, drafted);
    await page.getByText('We’re still checking your company.').waitFor();
    await choosePayment(page, 'Pay in 30 days');
    await placeOrder(page);
    await heading(page, 'We’re reviewing your order');
    expect((await orderOf(drafted)).status).toBe('PENDING_CONFIRMATION');
    const updates = page.getByText('This page updates automatically.');
    const refresh = page.getByRole('link', { name: 'Refresh the page' });
    await (hasScript ? updates : refresh).waitFor();
    expect([await updates.isVisible(), await refresh.isVisible()]).toEqual([hasScript, !hasScript]);
    expect(await page.content()).not.toContain('http-equiv="refresh"');
    await world.post('/v1/sandbox/clock', { advance_seconds: 2 * 86_400 });
    if (!hasScript) await refresh.click();
    await heading(page, 'Thank you, your order is confirmed');
    expect((await orderOf(drafted)).status).toBe('CONFIRMED');
    await expectInnocent(walk, drafted);
  });

  it('confirms once for repeated clicks', async () => {
    for (const hasScript of [true, false]) {
      const drafted = await draftFor('accepted');
      const walk = await walker(browser, { hasScript });
      const { page } = walk;
      await page.goto(linkOf(drafted));
      await enterSoleTrader(page);
      await enterPerson(page);
      await confirmAddress(page, drafted);
      await choosePayment(page, 'Pay in 14 days');
      await heading(page, 'Review your order');
      await page.getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Place order' }).dblclick();
      await heading(page, 'Thank you, your order is confirmed');
      const types = (await recordedEvents(world, drafted.id)).map(({ type }) => type);
      expect(types.filter((type) => type === 'ORDER.CONFIRMED')).toHaveLength(1);
      await walk.context.close();
    }
  });

  it('reports a stale window, and continues from the current state', async () => {
    const drafted = await draftFor('accepted');
    const one = await walker(browser);
    await one.page.goto(linkOf(drafted));
    await enterSoleTrader(one.page);
    await enterPerson(one.page);
    await confirmAddress(one.page, drafted);
    await heading(one.page, 'How would you like to pay?');
    const other = await addPage(one.context);
    await other.page.goto(linkOf(drafted));
    await choosePayment(other.page, 'Pay in advance');
    await heading(other.page, 'Review your order');
    await choosePayment(one.page, 'Pay in 30 days');
    await one.page.getByText('This order changed in another window.').waitFor();
    expect(await one.page.getByRole('radio', { name: 'Pay in advance' }).isChecked()).toBe(true);
    await choosePayment(one.page, 'Pay in 30 days');
    await heading(one.page, 'Review your order');
    await placeOrder(other.page);
    await other.page.getByText('This order changed in another window.').waitFor();
    expect((await orderOf(drafted)).status).toBe('DRAFT');
    await placeOrder(other.page);
    await heading(other.page, 'Thank you, your order is confirmed');
    expect((await orderOf(drafted)).payment_term).toBe('DEFER_30D');
    await one.context.close();
  });

  it('goes back and forward without sending a form twice', async () => {
    const drafted = await draftFor('accepted');
    const walk = await walker(browser);
    const { page } = walk;
    await page.goto(linkOf(drafted));
    await enterSoleTrader(page);
    await enterPerson(page);
    await confirmAddress(page, drafted);
    await choosePayment(page, 'Pay in advance');
    await heading(page, 'Review your order');
    await page.goBack();
    await heading(page, 'How would you like to pay?');
    await page.reload();
    expect(await page.getByRole('radio', { name: 'Pay in advance' }).isChecked()).toBe(true);
    await page.goto(linkOf(drafted));
    await placeOrder(page);
    await heading(page, 'We’re waiting for your payment');
    await page.goBack();
    await page.goto(`${linkOf(drafted)}/review`);
    await heading(page, 'We’re waiting for your payment');
    await expectInnocent(walk, drafted);
  });

  it('is cancelled after a confirmation', async () => {
    const drafted = await draftFor('accepted');
    const walk = await walker(browser, { hasScript: false });
    const { page } = walk;
    await page.goto(linkOf(drafted));
    await page.getByRole('link', { name: 'Cancel order' }).click();
    await page.getByRole('link', { name: 'Keep order' }).click();
    await heading(page, 'Which company are you ordering for?');
    await page.getByRole('link', { name: 'Cancel order' }).click();
    await page.getByRole('button', { name: 'Cancel order' }).click();
    await heading(page, 'Your order is cancelled');
    expect(await orderOf(drafted)).toMatchObject({ status: 'CANCELLED', cancellation_reason: 'BUYER' });
    await expectInnocent(walk, drafted);
  });

  it('shows the buyer on file only after the mailed code', async () => {
    const known = (await world.post('/v1/buyers', KNOWN_BUYER)).body;
    expect(known.external_id).toBe('known-accepted');
    const drafted = await checkout.draft({ buyer: null, order: { buyer_external_id: 'known-accepted' } });
    // The country would make it German.
    const walk = await walker(browser, { hasScript: false, locale: 'en-GB' });
    const { page } = walk;
    await page.goto(linkOf(drafted));
    await heading(page, 'Verify it’s you');
    expect(await page.content()).not.toContain('Morgenrot');
    await page.getByRole('button', { name: 'Send code' }).click();
    const field = page.getByLabel('Code');
    const [{ code } = { code: '' }] = await checkout.codes(drafted.id);
    await field.fill(code === '000000' ? '111111' : '000000');
    await goOn(page);
    await page.getByRole('alert').getByText('You have 4 tries left.').waitFor();
    await field.fill(`${code.slice(0, 3)} ${code.slice(3)}`);
    await goOn(page);
    await heading(page, 'Contact and delivery');
    await page.getByText('Kastanienallee 85').first().waitFor();

    const stranger = await walker(browser, { locale: 'en-GB' });
    await stranger.page.goto(linkOf(drafted));
    await heading(stranger.page, 'Verify it’s you');
    await stranger.context.close();
    await expectInnocent(walk, drafted);
  });

  it('shows that a link has expired', async () => {
    const drafted = await draftFor('accepted');
    const walk = await walker(browser);
    await walk.page.goto(linkOf(drafted));
    await heading(walk.page, 'Which company are you ordering for?');
    await world.post('/v1/sandbox/clock', { advance_seconds: 8 * 86_400 });
    await walk.page.reload();
    await heading(walk.page, 'This link no longer works');
    await walk.context.close();
  });
});

const KNOWN_BUYER = {
  external_id: 'known-accepted',
  legal_name: 'Café Morgenrot eG',
  legal_form: 'COOPERATIVE',
  contact_email: 'buchhaltung@morgenrot.example',
  business_address: {
    street: 'Kastanienallee',
    house: '85',
    postcode: '10435',
    city: 'Berlin',
    country: 'DE',
  },
};
