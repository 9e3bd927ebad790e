import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FieldError } from '#modules/checkout';
import { hasBrowser, launchBrowser } from '#test/browser';
import { type CheckoutWorld, createCheckout } from '#test/checkout';
import { VIEWS } from '#test/checkout-views';
import { enterPerson, enterSoleTrader, heading, walker } from '#test/checkout-walk';
import { type ShownCheckout, showCheckout } from '#test/shown-checkout';
import { createWorld, type World } from '#test/world';

const FIELDS = ['legalName', 'legalForm', 'street', 'firstName', 'email', 'code', 'consent'];
const ERRORS: FieldError[] = FIELDS.map((field) => ({ field, error: 'error.required' }));

/** Presses and releases the mouse at the previous position of the button, as a hand does. */
async function clickAt(page: Page, { x, y }: { x: number; y: number }): Promise<void> {
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.up();
}

const BUTTON = 'main form:has(.error) button.main';
const buttonOf = (page: Page) => page.locator(BUTTON);

/** The position in the window, after scrolling to the button. */
async function middleOf(page: Page): Promise<{ x: number; y: number }> {
  await buttonOf(page).scrollIntoViewIfNeeded();
  const box = await buttonOf(page).boundingBox();
  if (!box) throw new Error('The page has no button.');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** The upper edge of the button, relative to the page. */
const edgeOf = (page: Page) =>
  page.evaluate<number>(`document.querySelector('${BUTTON}').getBoundingClientRect().top + scrollY`);

describe.skipIf(!hasBrowser)('a click in the checkout', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  describe('after a wrong entry was corrected', () => {
    let world: World;
    let checkout: CheckoutWorld;
    beforeAll(async () => {
      world = await createWorld();
      checkout = await createCheckout(world);
    });
    afterAll(() => world?.close());

    it('sends the right code, which the sixth digit sent already, once', async () => {
      const { id, token } = await checkout.draft({ buyer: { external_id: 'clicks-accepted' } });
      const { page, context } = await walker(browser, { width: 360 });
      await page.goto(`${world.baseUrl}/checkout/${token}`);
      await enterSoleTrader(page);
      await enterPerson(page);
      await heading(page, 'Verify it’s you');
      const code = (await checkout.codes(id)).at(-1)?.code ?? '';
      await page.getByLabel('Code').fill(code === '000000' ? '111111' : '000000');
      await page.locator('#wrong').waitFor();
      const middle = await middleOf(page);
      await page.getByLabel('Code').pressSequentially(code);
      await clickAt(page, middle);
      await heading(page, 'How would you like to pay?');
      const [sent] = await world.sql<{ attempts: number }>('select attempts from checkout_codes');
      expect(sent?.attempts).toBe(2);
      await context.close();
    });

    it('sends the corrected details', async () => {
      const { token } = await checkout.draft({ buyer: { external_id: 'details-accepted' } });
      const { page, context } = await walker(browser, { width: 360 });
      await page.goto(`${world.baseUrl}/checkout/${token}`);
      await enterSoleTrader(page);
      await enterPerson(page, 'amina at morgenrot');
      await page.locator('#wrong').waitFor();
      await page.getByLabel('Email', { exact: true }).fill('amina@morgenrot.example');
      await clickAt(page, await middleOf(page));
      await heading(page, 'Verify it’s you');
      await context.close();
    });
  });

  it.each(['company', 'details', 'code-sent', 'review'] as const)(
    'finds its button where it was: on the page of the state %s nothing moves when a field loses the focus',
    async (state) => {
      const shown: ShownCheckout = await showCheckout({ views: VIEWS, errors: ERRORS });
      const { page, context } = await walker(browser, { width: 360 });
      await page.goto(`${shown.baseUrl}/checkout/${state}/`);
      if (state === 'company') await page.locator('#manual > summary').click();
      await page.locator('main form:has(.field) button.main').first().click();
      await page.locator('#wrong').waitFor();
      const before = await edgeOf(page);
      const fields = page.locator('main form:has(.error) input:visible:not([type=radio], [type=checkbox])');
      for (const field of await fields.all()) {
        await field.fill('12345');
        await field.blur();
        expect(await edgeOf(page)).toBe(before);
        await field.fill('');
        await field.blur();
        expect(await edgeOf(page)).toBe(before);
      }
      for (const box of await page.getByRole('checkbox').all()) {
        await box.check();
        await box.blur();
        expect(await edgeOf(page)).toBe(before);
      }
      await context.close();
      await shown.close();
    },
  );
});
