import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, launchBrowser } from '#test/browser';
import { type CheckoutWorld, createCheckout } from '#test/checkout';
import { heading, walker } from '#test/checkout-walk';
import { createWorld, type World } from '#test/world';
import { loadDemoRegistry } from '../../src/cli/demo.ts';

describe.skipIf(!hasBrowser)('the checkout, with the keyboard only', () => {
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

  /** Tabs to the element, and checks that every element on the way has a visible focus. */
  async function tabTo(page: Page, selector: string): Promise<void> {
    for (let presses = 0; presses < 60; presses++) {
      if ((await page.locator(`${selector}:focus`).count()) > 0) return;
      await page.keyboard.press('Tab');
      const focused = page.locator(':focus');
      if ((await focused.count()) === 0) continue;
      const outline = await page.evaluate<string>(
        `(() => { const one = document.activeElement, style = getComputedStyle(one);
          const card = one.closest('.offer'); const of = card ? getComputedStyle(card) : style;
          return of.outlineStyle === 'none' ? one.outerHTML : ''; })()`,
      );
      expect(outline, 'has the focus and does not show it').toBe('');
    }
    throw new Error(`${selector} cannot be reached.`);
  }

  it('leads from the link to the confirmed order', async () => {
    const drafted = await checkout.draft({ buyer: { external_id: 'keys-accepted' } });
    const { page, context } = await walker(browser);
    const { keyboard } = page;
    await page.goto(`${world.baseUrl}/checkout/${drafted.token}`);
    await heading(page, 'Which company are you ordering for?');
    await keyboard.press('Tab');
    expect(await page.locator('.skip:focus').isVisible()).toBe(true);
    await keyboard.press('Enter');

    await tabTo(page, '#f-query');
    await keyboard.type('Morgenrot');
    await page.locator('#found [role=option]').first().waitFor();
    await keyboard.press('ArrowDown');
    const active = await page.locator('#f-query').getAttribute('aria-activedescendant');
    expect(await page.locator(`#${active}`).getAttribute('aria-selected')).toBe('true');
    await keyboard.press('Escape');
    expect(await page.locator('#found').isVisible()).toBe(false);
    expect(await page.locator('#f-query').getAttribute('aria-expanded')).toBe('false');
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowUp');
    expect(await page.locator('#f-query').getAttribute('aria-activedescendant')).toBeNull();
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');

    await heading(page, 'Contact and delivery');
    await tabTo(page, '#f-firstName');
    await keyboard.type('Amina');
    await tabTo(page, '#f-lastName');
    await keyboard.type('Yılmaz');
    await tabTo(page, '#f-email');
    await keyboard.type('amina@morgenrot.example');
    await keyboard.press('Enter');

    await heading(page, 'Verify it’s you');
    await tabTo(page, '#f-code');
    await keyboard.type((await checkout.codes(drafted.id)).at(-1)?.code ?? '');

    await heading(page, 'How would you like to pay?');
    await tabTo(page, '[name=term]');
    await keyboard.press('ArrowDown');
    await tabTo(page, 'main .main');
    await keyboard.press('Enter');

    await heading(page, 'Review your order');
    await tabTo(page, '#f-consent');
    await keyboard.press('Space');
    await tabTo(page, 'main .main');
    await keyboard.press('Enter');
    await heading(page, 'Thank you, your order is confirmed');
    expect((await world.get(`/v1/orders/${drafted.id}`)).body.status).toBe('CONFIRMED');
    await context.close();
  });

  it('takes an error back once its field is corrected', async () => {
    const drafted = await checkout.draft({ buyer: { external_id: 'corrected-accepted' } });
    const { page, context } = await walker(browser);
    await page.goto(`${world.baseUrl}/checkout/${drafted.token}`);
    await page.getByText('Enter company manually').click();
    const name = page.locator('#f-legalName');
    await name.press('Enter');
    await page.locator('#f-legalName-error', { hasText: 'This field is required.' }).waitFor();
    expect(await name.getAttribute('aria-describedby')).toBe('f-legalName-hint f-legalName-error');
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    await name.fill('Café Morgenrot eG');
    expect(await page.locator('#f-legalName-error').isVisible()).toBe(false);
    expect(await name.getAttribute('aria-invalid')).toBeNull();
    expect(await name.getAttribute('aria-describedby')).toBe('f-legalName-hint');
    await context.close();
  });
});
