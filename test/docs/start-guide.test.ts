/** The checkout of docs/start.md: its company and address lead to an order, with the code from the mailbox. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, launchBrowser } from '#test/browser';
import {
  chooseFromRegistry,
  choosePayment,
  enterCode,
  enterPerson,
  placeOrder,
  walker,
} from '#test/checkout-walk';
import { readGuide } from '#test/guide-fences';
import { endPrograms, type RunningProgram, startProgram } from '#test/program';
import { get } from '#test/program-requests';

const guide = readGuide('start');
const [, query = '', company = ''] = /Type `([^`]+)` and choose ([^.]+ GmbH)\./.exec(guide) ?? [];
const [, email = ''] = /e-mail address `([^`]+)`/.exec(guide) ?? [];

// The npm package of the browser is for one platform; other platforms skip this test.
describe.skipIf(!hasBrowser)('docs/start.md', () => {
  let program: RunningProgram;
  let browser: Browser;
  beforeAll(async () => {
    [program, browser] = await Promise.all([startProgram(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await endPrograms();
  });
  /** A line of the banner. */
  const shown = (name: string) => new RegExp(`${name} +(http\\S+)`).exec(program.output())?.[1] as string;

  it('leads a newcomer through the checkout of the banner', async () => {
    const { context, page } = await walker(browser);
    await page.goto(shown('Checkout'));
    await chooseFromRegistry(page, { query, company, hasScript: true });
    await enterPerson(page, email);
    const mailbox = await context.newPage();
    await mailbox.goto(shown('Mailbox'));
    const subject = await mailbox
      .getByText(/^\d{6} /)
      .first()
      .textContent();
    await enterCode(page, subject?.trim().slice(0, 6) ?? '');
    await choosePayment(page, 'Pay in 30 days');
    await placeOrder(page);
    await page.getByRole('heading', { name: 'Thank you, your order is confirmed' }).waitFor();
    expect((await get(program, '/v1/orders/order-1020')).body.status).toBe('CONFIRMED');
  });
});
