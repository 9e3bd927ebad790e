import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Language } from '#kernel/language';
import { axeViolations } from '#test/axe';
import { hasBrowser, launchBrowser, recordPage, takePicture } from '#test/browser';
import { enterBuyerPage } from '#test/buyer-page-browser';
import { heading, walker } from '#test/checkout-walk';
import { type DisputeForm, tellDisputeForm } from '#test/dispute-form';
import { FILES } from '#test/files';
import { patience } from '#test/patience';
import { tabTo } from '#test/tab-to';

const VARIANTS = [
  { name: 'light', language: 'DE', colorScheme: 'light', width: 1280, height: 900 },
  { name: 'phone', language: 'DE', colorScheme: 'light', width: 360, height: 800 },
  { name: 'right-to-left-dark-phone', language: 'AR', colorScheme: 'dark', width: 360, height: 800 },
  { name: 'right-to-left', language: 'AR', colorScheme: 'light', width: 1280, height: 900 },
  { name: 'zoomed', language: 'EN', colorScheme: 'dark', width: 320, height: 640 },
] as const;

const photo = { name: 'Zerrissene Tüten, Palette 3.png', mimeType: 'image/png', buffer: FILES['image/png'] };
const note = { name: 'lieferschein.exe', mimeType: 'image/png', buffer: Buffer.from('MZ') };

describe.skipIf(!hasBrowser)('disputes on the buyer’s page', () => {
  let browser: Browser;
  let form: DisputeForm;
  beforeAll(async () => {
    [form, browser] = await Promise.all([tellDisputeForm(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await form?.close();
  });
  beforeEach(() => form.newInvoice());

  const speak = (language: Language) =>
    form.world.put('/v1/buyers/buyer/settings', { language, formality: 'NEUTRAL' });

  it.each(VARIANTS)('look the same in every state: $name', async ({ name, language, ...screen }) => {
    await speak(language);
    const { width, height, colorScheme } = screen;
    // The page's policy would block axe.
    const context = await browser.newContext({ viewport: { width, height }, colorScheme, bypassCSP: true });
    context.setDefaultTimeout(patience(10));
    const page = await context.newPage();
    const record = recordPage(page);
    const own = await enterBuyerPage(context, form.world, form.page);
    const judge = async (state: string) => {
      await takePicture(page, `buyer-${name}-dispute-${state}`);
      expect(await axeViolations(page), state).toEqual([]);
      const root = 'document.documentElement';
      expect(await page.evaluate(`${root}.scrollWidth - ${root}.clientWidth`), state).toBe(0);
    };
    await page.goto(`${own}invoices/${form.invoice()}/dispute`);
    await judge('empty');
    await page.locator('main .main').click();
    await page.locator('#wrong:focus').waitFor();
    await judge('refused');
    await page.locator('[value=LINES]').check();
    await page.locator('#f-lines').check();
    await page.locator('#f-amount1').fill('900');
    await page.locator('#f-reason').selectOption('DAMAGED');
    await page.locator('#f-comment').fill('Zwei Tüten waren aufgerissen.\nDie Fotos zeigen Palette 3.');
    await page.locator('#f-files').setInputFiles([photo, note]);
    await page.locator('main .main').click();
    await page.locator('[name=kept]').waitFor();
    await judge('lines');
    await page.locator('#f-amount1').fill('20');
    await page.locator('main .main').click();
    await page.getByRole('status').waitFor();
    await judge('opened');
    await page.locator('.disputes summary').click();
    await judge('withdrawing');
    await form.world.post(
      `/v1/invoices/${form.invoice()}/disputes/${(await form.disputes())[0]?.external_id}/reject`,
      {
        comment: 'Laut Lieferschein waren alle Tüten ganz.',
      },
    );
    await page.goto(`${own}invoices/${form.invoice()}/dispute`);
    await page.locator('[value=AMOUNT]').check();
    await page.locator('#f-amount').fill('5');
    await page.locator('#f-reason').selectOption('WRONG_PRICE');
    await page.locator('main .main').click();
    await page.getByRole('status').waitFor();
    await judge('decided');
    expect(record.faults.filter((fault) => !fault.includes('status of 422'))).toEqual([]);
    await context.close();
  });

  it('are opened and withdrawn without script, on a phone', async () => {
    await speak('EN');
    const { page, record, context } = await walker(browser, { hasScript: false, width: 360 });
    const own = await enterBuyerPage(context, form.world, form.page);
    await page.goto(`${own}invoices/${form.invoice()}`);
    await page.getByRole('link', { name: 'Dispute this invoice' }).click();
    await heading(page, 'Dispute this invoice');
    await page.getByLabel('Another amount').check();
    await page.getByLabel('Amount', { exact: true }).fill('1,234,5');
    await page.getByLabel('What happened?').fill('Two bags\nwere torn.');
    await page.getByLabel('Photos or documents').setInputFiles([photo]);
    await page.getByRole('button', { name: 'Send dispute' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('What happened?').inputValue()).toBe('Two bags\nwere torn.');
    expect(await page.getByLabel('Amount', { exact: true }).inputValue()).toBe('1,234,5');
    await page.getByLabel('Amount', { exact: true }).fill('12.34');
    await page.getByLabel('Reason').selectOption({ label: 'Damaged or faulty' });
    await page.getByRole('button', { name: 'Send dispute' }).click();
    await page.getByRole('status').getByText('Dispute received').waitFor();
    expect(await form.disputes()).toMatchObject([{ amount: 1_234, comment: 'Two bags\nwere torn.' }]);
    expect(await form.files()).toMatchObject([{ name: photo.name }]);
    await page.getByText('Withdraw dispute').first().click();
    await page.getByRole('button', { name: 'Withdraw dispute' }).click();
    await page.getByText('Withdrawn').waitFor();
    expect(record.referers).toEqual([]);
    await context.close();
  });

  it('are opened with the keyboard only, twice clicked once', async () => {
    await speak('EN');
    const { page, context } = await walker(browser);
    const { keyboard } = page;
    const own = await enterBuyerPage(context, form.world, form.page);
    await page.goto(`${own}invoices/${form.invoice()}`);
    await tabTo(page, 'a[href$="/dispute"]');
    await keyboard.press('Enter');
    await heading(page, 'Dispute this invoice');
    await tabTo(page, '#f-about');
    await keyboard.press('ArrowDown');
    await tabTo(page, '#f-lines');
    await keyboard.press('Space');
    await tabTo(page, '#f-amount1');
    await keyboard.press('ControlOrMeta+a');
    await keyboard.type('9.99');
    await tabTo(page, '#f-reason');
    await keyboard.type('Wrong');
    await tabTo(page, '#f-comment');
    await keyboard.type('Agreed on 20.');
    await tabTo(page, 'main .main');
    await Promise.all([keyboard.press('Enter'), keyboard.press('Enter')]);
    await page.getByRole('status').waitFor();
    expect(await form.disputes()).toMatchObject([
      { amount: 999, line_number: 1, reason: 'WRONG_PRICE', comment: 'Agreed on 20.' },
    ]);
    await tabTo(page, '.disputes summary');
    await keyboard.press('Enter');
    await tabTo(page, '.disputes button');
    await keyboard.press('Enter');
    await page.getByText('Withdrawn').waitFor();
    await context.close();
  });
});
