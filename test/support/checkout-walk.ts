/** The actions of a buyer on the checkout's pages, by their visible texts. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type PageRecord, recordPage } from './browser.ts';
import { patience } from './patience.ts';

export interface WalkOptions {
  hasScript?: boolean;
  width?: number;
  /** The preferred locale of the browser, such as `en-GB`. By default it sends none. */
  locale?: string;
}

/** A fresh browser context. `record` also contains every Referer sent. */
export interface Walker {
  context: BrowserContext;
  page: Page;
  record: PageRecord & { referers: string[] };
}

/** Opens a page whose errors are recorded. A click waits at most ten seconds. */
export async function walker(
  browser: Browser,
  { hasScript = true, width = 1_280, locale }: WalkOptions = {},
): Promise<Walker> {
  const context = await browser.newContext({
    javaScriptEnabled: hasScript,
    viewport: { width, height: 900 },
    ...(locale && { locale }),
  });
  context.setDefaultTimeout(patience(10));
  return addPage(context);
}

export async function addPage(context: BrowserContext): Promise<Walker> {
  const page = await context.newPage();
  const record = { ...recordPage(page), referers: [] as string[] };
  page.on('request', async (request) => {
    const referer = await request.headerValue('referer').catch(() => null);
    if (referer) record.referers.push(referer);
  });
  return { context, page, record };
}

export async function goOn(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'Continue' }).click();
}

export async function heading(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** Chooses a company of the registry, from the suggestions or, without scripts, from the page of results. */
export async function chooseFromRegistry(
  page: Page,
  options: { query: string; company: string; hasScript: boolean },
): Promise<void> {
  await heading(page, 'Which company are you ordering for?');
  const field = page.getByLabel('Company name, VAT number or registration number').and(page.locator('input'));
  await field.fill(options.query);
  if (options.hasScript)
    await page.locator('#found [role=option]', { hasText: options.company }).first().click();
  else {
    await page.getByRole('button', { name: 'Search' }).click();
    await page
      .getByRole('button', { name: `Select ${options.company}` })
      .first()
      .click();
  }
}

export async function enterSoleTrader(page: Page): Promise<void> {
  await heading(page, 'Which company are you ordering for?');
  await page.getByText('Enter company manually').click();
  const form = page.locator('#manual');
  await form.getByLabel('Country').selectOption({ label: 'Germany' });
  await form.getByLabel('Legal company name').fill('Jürgen O’Brien-Şahin');
  await form.getByLabel('Legal form').selectOption({ label: 'Sole trader' });
  await form.getByLabel('Street').fill('Kastanienallee');
  await form.getByLabel('House number').fill('85');
  await form.getByLabel('Postcode').fill('10435');
  await form.getByLabel('Town or city').fill('Berlin');
  await goOn(page);
}

export async function enterPerson(page: Page, email = 'amina@morgenrot.example'): Promise<void> {
  await heading(page, 'Contact and delivery');
  await page.getByLabel('First name').fill('Amina');
  await page.getByLabel('Last name').fill('Yılmaz');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Phone').fill('030 1234567');
  await goOn(page);
}

/** Enters the mailed code. If the page's script runs, the last digit sends it. */
export async function enterCode(page: Page, code: string): Promise<void> {
  await heading(page, 'Verify it’s you');
  await page.waitForLoadState();
  const isSentByItself = await page.getByText('Submits automatically').isVisible();
  await page.getByLabel('Code').fill(code);
  if (!isSentByItself) await goOn(page);
}

export async function choosePayment(page: Page, name: string): Promise<void> {
  await heading(page, 'How would you like to pay?');
  const radio = page.getByRole('radio', { name, includeHidden: true });
  if (!(await radio.isVisible())) await page.getByText('More payment options').click();
  await radio.check();
  await goOn(page);
}

export async function placeOrder(page: Page): Promise<void> {
  await heading(page, 'Review your order');
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Place order' }).click();
}
