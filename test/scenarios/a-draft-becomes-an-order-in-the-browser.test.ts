/**
 * A platform drafts an order for a company of which it has only an e-mail address, and sends its buyer to the checkout, with the
 * real program. The browser comes back with a signed result, and a webhook that can be verified reports the same.
 */
import { createHmac } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { draftOrderBody } from '#test/bodies';
import { hasBrowser, launchBrowser } from '#test/browser';
import {
  chooseFromRegistry,
  choosePayment,
  enterCode,
  enterPerson,
  placeOrder,
  type Walker,
  walker,
} from '#test/checkout-walk';
import { endPrograms, type RunningProgram, runCommand, startProgram } from '#test/program';
import { post } from '#test/program-requests';
import { type Received, type Receiver, startReceiver } from '#test/receiver';

// The npm package of the browser is for one platform; other platforms skip this test.
describe.skipIf(!hasBrowser)('A draft becomes an order in the browser', () => {
  let program: RunningProgram;
  let receiver: Receiver;
  let browser: Browser;
  let buyer: Walker;
  let signingSecret: string;

  beforeAll(async () => {
    [program, receiver, browser] = await Promise.all([startProgram(), startReceiver(), launchBrowser()]);
    buyer = await walker(browser);
  });
  afterAll(async () => {
    await browser?.close();
    await receiver?.close();
    await endPrograms();
  });

  const get = async (path: string) => {
    const headers = { authorization: `Bearer ${program.apiKey}` };
    // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the step expects it to be.
    return (await (await fetch(program.baseUrl + path, { headers })).json()) as any;
  };
  const mailboxUrl = () => /(http\S+\/sandbox\/mailbox\?access=\S+)/.exec(program.output())?.[1] as string;
  const codeInMailbox = async () => {
    const mailbox = await buyer.context.newPage();
    await mailbox.goto(mailboxUrl());
    const subject = await mailbox
      .getByText(/^\d{6} is your/)
      .first()
      .textContent();
    await mailbox.close();
    return subject?.trim().slice(0, 6) ?? '';
  };
  /** The signature that a holder of the secret computes. */
  const hmacOf = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');

  it('the platform invites a buyer, drafts an order, and wants to hear of orders', async () => {
    const invited = { external_id: 'newcomer', contact_email: 'office@newcomer.example' };
    expect((await post(program, '/v1/buyers', invited)).body.legal_name).toBeNull();
    const draft = draftOrderBody({
      external_id: 'first-order',
      buyer_external_id: 'newcomer',
      merchant_external_id: 'roastery-north',
      line_items: [{ name: 'Espresso beans, 1 kg', category: 'Coffee', price: 2_500, quantity: 4 }],
    });
    expect((await post(program, '/v1/orders/draft', draft)).status).toBe(201);
    const subscribed = await post(program, '/v1/webhooks', { type: 'ORDER', url: `${receiver.url}/orders` });
    signingSecret = subscribed.body.signing_secret;
  });

  it('its buyer finds the company in the registry, chooses to pay later, and orders', async () => {
    const back = encodeURIComponent(`${program.baseUrl}/docs?shop=1`);
    const { url } = await get(`/v1/orders/first-order/redirect_url?success_url=${back}`);
    const { page } = buyer;
    await page.goto(url);
    await chooseFromRegistry(page, {
      query: 'Baeckerei',
      company: 'Bäckerei Kühtauris GmbH',
      hasScript: true,
    });
    // At the domain of the company's website in the registry.
    await enterPerson(page, 'amina@backerei-kuhtauris.example');
    await enterCode(page, await codeInMailbox());
    await choosePayment(page, 'Pay in 30 days');
    await placeOrder(page);
    await page.getByRole('heading', { name: 'Thank you, your order is confirmed' }).waitFor();
    expect(await get('/v1/orders/first-order')).toMatchObject({
      status: 'CONFIRMED',
      payment_term: 'DEFER_30D',
      buyer: { legal_name: expect.stringContaining('Bäckerei') },
    });
    expect(await get('/v1/buyers/newcomer')).toMatchObject({
      registry: { fields: expect.arrayContaining(['legal_name']) },
    });
  });

  it('the browser comes back with an answer that the platform can verify', async () => {
    await buyer.page.getByRole('link', { name: 'Back to' }).click();
    await buyer.page.waitForURL(/\/docs\?/);
    const { searchParams } = new URL(buyer.page.url());
    const { code, stdout } = await runCommand(['platform', 'return-secret', 'demo'], program.env);
    expect(code).toBe(0);
    const secret = stdout.trim().split(/\s+/).at(-1) as string;
    const t = searchParams.get('t');
    expect(Object.fromEntries(searchParams)).toEqual({
      shop: '1',
      order_external_id: 'first-order',
      status: 'CONFIRMED',
      t,
      signature: hmacOf(secret, `first-order.CONFIRMED.${t}`),
    });
    // The address of the checkout was never sent as a Referer.
    expect(buyer.record.referers.filter((referer) => referer.includes('/checkout/'))).toEqual([]);
    expect(buyer.record.faults).toEqual([]);
  });

  it('ORDER.CONFIRMED arrives, signed', async () => {
    const [heard] = (await receiver.waitFor(1, ({ event }) => event.type === 'ORDER.CONFIRMED')) as [
      Received,
    ];
    expect(heard.event.data).toMatchObject({ external_id: 'first-order', previous_status: 'DRAFT' });
    expect(heard.digests).toEqual([hmacOf(signingSecret, `${heard.raw}.${heard.t}`)]);
  });

  it('and the confirmation is in the mailbox', async () => {
    const { page } = buyer;
    await page.goto(mailboxUrl());
    await expect
      .poll(async () => {
        await page.reload();
        return page.getByText('order first-order is confirmed').count();
      })
      .toBeGreaterThan(0);
  });
});
