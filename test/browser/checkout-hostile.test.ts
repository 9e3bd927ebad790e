import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { merchantBody } from '#test/bodies';
import { hasBrowser, launchBrowser } from '#test/browser';
import { type CheckoutWorld, createCheckout } from '#test/checkout';
import { choosePayment, enterCode, goOn, heading, placeOrder, walker } from '#test/checkout-walk';
import { createWorld, type World } from '#test/world';

/** Typed and sent as a buyer would. checkout-hostile-fields covers all 200. */
const HOSTILE = [
  '"><img src=x onerror=alert(1)>',
  "'onfocus='alert(1)'autofocus='",
  '</ul><form action=//evil.example><button>',
];

describe.skipIf(!hasBrowser)('hostile texts of a merchant and a buyer', () => {
  let world: World;
  let checkout: CheckoutWorld;
  let browser: Browser;
  beforeAll(async () => {
    [world, browser] = await Promise.all([
      createWorld({ platform: { name: '"><script>alert(1)</script>' } }),
      launchBrowser(),
    ]);
    checkout = await createCheckout(world);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  it.each([...HOSTILE.entries()])('number %d is shown as text on every page: %s', async (index, hostile) => {
    await world.post(
      '/v1/merchants',
      merchantBody({ external_id: `evil-${index}`, legal_name: hostile, trading_name: hostile }),
    );
    const line = { name: hostile, category: hostile, description: hostile, price: 10_000, quantity: 1 };
    const drafted = await checkout.draft({
      buyer: { external_id: `hostile-${index}-accepted` },
      order: { merchant_external_id: `evil-${index}`, comment: hostile, line_items: [line] },
    });
    const { page, record, context } = await walker(browser);
    let dialogs = 0;
    page.on('dialog', (dialog) => {
      dialogs++;
      dialog.dismiss().catch(() => {});
    });
    await page.goto(`${world.baseUrl}/checkout/${drafted.token}`);
    await page.getByText('Enter company manually').click();
    const form = page.locator('#manual');
    await form.getByLabel('Country').selectOption('DE');
    await form.getByLabel('Legal form').selectOption('SOLE_TRADER');
    for (const label of ['Legal company name', 'Trading name', 'Street', 'Address line 2', 'Town or city'])
      await form.getByLabel(label).fill(hostile);
    await form.getByLabel('Postcode').fill('10435');
    await goOn(page);
    await heading(page, 'Contact and delivery');
    await page.getByLabel('First name').fill(hostile);
    await page.getByLabel('Last name').fill(hostile);
    await page.getByLabel('Email', { exact: true }).fill(hostile);
    await goOn(page);
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Email', { exact: true }).fill('amina@morgenrot.example');
    await goOn(page);
    await enterCode(page, (await checkout.codes(drafted.id)).at(-1)?.code ?? '');
    await choosePayment(page, 'Pay in advance');
    await heading(page, 'Review your order');
    expect(await page.locator('.order .lines .name').textContent()).toBe(hostile);
    expect(await page.locator('.facts .fact').first().locator('p').first().textContent()).toBe(hostile);
    await placeOrder(page);
    await heading(page, 'We’re waiting for your payment');
    expect(dialogs).toBe(0);
    expect(record.faults.filter((fault) => !fault.includes('status of 422'))).toEqual([]);
    expect(record.requests.filter((url) => !url.startsWith(`${world.baseUrl}/checkout/`))).toEqual([]);
    await context.close();
  });
});
