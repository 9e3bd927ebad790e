import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { positionEvents } from '#infra/database/outbox.queries';
import { notifyOfEvents } from '#modules/notifications';
import { completeCheckout, declineOrder, expireOrder } from '#modules/orders';
import { draftOrderBody, merchantBody } from '#test/bodies';
import { act, addDebtor } from '#test/credit';
import { mailsOf, untilSent } from '#test/mails';
import { eventually } from '#test/until';
import { openWorkerProcess } from '#test/worker-process';
import { createWorld, type World } from '#test/world';
import { orderNotifier } from './outcome-mails.ts';

const NOW = 1_763_640_000;

let world: World;
let worker: Awaited<ReturnType<typeof openWorkerProcess>>;
let made = 0;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  world.clock.set(NOW);
  await world.post('/v1/merchants', merchantBody({ trading_name: 'Rösterei Nord' }));
  worker = await openWorkerProcess(world);
});
afterAll(async () => {
  await worker.close();
  await world.close();
});

/** A draft with the external_id of its buyer. */
async function drafted(more: object = {}): Promise<string> {
  const id = `buyer-${++made}`;
  await addDebtor(world, { buyer: id, totalMinor: 20_000 });
  const body = draftOrderBody({
    external_id: id,
    buyer_external_id: id,
    contact_email: emailOf(id),
    ...more,
  });
  expect((await world.post('/v1/orders/draft', body)).status).toBe(201);
  return id;
}

const emailOf = (id: string) => `${id}@example.com`;

const consent = (id: string, language = 'EN', at = NOW) =>
  world.sql(
    `insert into checkout_consents (platform_id, order_external_id, consented_at, terms_version, language, formality,
      terms_sha256, payment_term) values ($1, $2, $3, '1', $4, 'NEUTRAL', '\\x00', 'DEFER_30D')`,
    [world.platform.platform_id, id, at, language],
  );

function complete(id: string, paymentTerm: 'DEFER_30D' | 'SPLIT_3M' | 'PREPAYMENT' = 'DEFER_30D') {
  const { code, data_key_wrapped } = world.platform;
  const vault = world.installation.vault.forPlatform(code, data_key_wrapped);
  return act(world, (context) =>
    completeCheckout({ ...context, vault, isSandbox: true }, id, {
      paymentMethod: 'TRANSFER',
      paymentTerm,
      deliveryAddress: null,
      contactEmail: 'kim@bistro.example',
    }),
  );
}

async function queue(): Promise<number> {
  await positionEvents(world.installation.db, 1_000);
  return notifyOfEvents(worker, [orderNotifier]);
}

const kindsTo = async (id: string) => (await mailsOf(world, { to: emailOf(id) })).map(({ kind }) => kind);

describe('an order placed in the checkout', () => {
  it('is confirmed by mail, with its payments', async () => {
    const id = await drafted({ comment: 'Ring twice.' });
    await consent(id);
    await complete(id, 'SPLIT_3M');
    expect(await queue()).toBe(1);
    const [mail] = await mailsOf(world, { to: emailOf(id) });
    expect(mail).toMatchObject({ kind: 'order_confirmed', createdAt: NOW, locale: 'en-GB' });
    expect(mail?.text).toContain(`Your order ${id} of €119.00 from Rösterei Nord is confirmed.`);
    const centsOf = (label: string) =>
      Math.round(Number(new RegExp(`${label}: €([\\d.]+)`).exec(mail?.text ?? '')?.[1]) * 100);
    const feeMinor = centsOf('Pay later fee');
    expect(feeMinor).toBeGreaterThan(0);
    expect(centsOf('Total to pay')).toBe(11_900 + feeMinor);
    expect(centsOf('20 December 2025')).toBe(3_968 + feeMinor);
    expect(mail?.text).toContain('20 February 2026: €39.66');
    expect(mail?.text).toContain('The fee is included in the payment due on 20 December 2025.');
    expect(mail?.text).toContain('Ring twice.');
  });

  it('shows no fee that the merchant pays, in the mail and on the page', async () => {
    const id = await drafted();
    await consent(id);
    await world.sql(`update platforms set term_fee_payer = 'MERCHANT'`);
    await complete(id, 'SPLIT_3M');
    await world.sql(`update platforms set term_fee_payer = 'BUYER'`);
    await queue();
    const { term } = (await world.get(`/v1/orders/${id}`)).body;
    expect(term).toMatchObject({ fee: { gross: 0 }, merchant_fee: { gross: expect.any(Number) } });
    expect(term.merchant_fee.gross).toBeGreaterThan(0);
    const [mail] = await mailsOf(world, { to: emailOf(id) });
    expect(mail?.text).toContain('20 December 2025: €39.68');
    const [, url = ''] = /View order:\n(\S+)/.exec(mail?.text ?? '') ?? [];
    const page = await (await fetch(url, { headers: { 'accept-language': 'en' } })).text();
    expect(page).toContain('Thank you, your order is confirmed');
    for (const shown of [mail?.text, page]) expect(shown).not.toContain('Pay later fee');
    expect(page).toContain('No fee');
  });

  it('names the person, the lines, and a link that opens the order', async () => {
    const id = await drafted({
      line_items: [{ name: 'Beans', category: 'Coffee', price: 2_500, quantity: 4 }],
    });
    await consent(id);
    await world.post('/v1/contacts', {
      external_id: `contact-${id}`,
      buyer_external_id: id,
      first_name: 'Amina',
      last_name: 'Yılmaz',
      email: emailOf(id),
    });
    await complete(id);
    await queue();
    const [mail] = await mailsOf(world, { to: emailOf(id) });
    expect(mail?.text).toContain('Hello Amina Yılmaz,');
    expect(mail?.text).toContain('Beans (4 × €25.00): €100.00');
    const [, url = ''] = /View order:\n(\S+)/.exec(mail?.text ?? '') ?? [];
    const page = await fetch(url, { headers: { 'accept-language': 'en' } });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Thank you, your order is confirmed');
  });

  it('that waits for a payment in advance says what to transfer, and expires unpaid', async () => {
    const id = await drafted();
    await consent(id);
    await complete(id, 'PREPAYMENT');
    await queue();
    const [mail] = await mailsOf(world, { to: emailOf(id) });
    expect(mail).toMatchObject({ kind: 'order_payment_due' });
    expect(mail?.text).toContain(`Payment reference: ${id}`);
    await act(world, (context) => expireOrder(context, id));
    await queue();
    expect((await kindsTo(id)).toSorted()).toEqual(['order_payment_due', 'order_unpaid']);
  });

  it('is mailed once, with repeated and concurrent reads of the events', async () => {
    const id = await drafted();
    await consent(id);
    await complete(id);
    await positionEvents(world.installation.db, 1_000);
    const other = await openWorkerProcess(world);
    const counts = await Promise.all(
      [worker, other, worker, other].map((each) => notifyOfEvents(each, [orderNotifier])),
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(await queue()).toBe(0);
    // This holds even after the position in the stream is lost.
    await world.sql('update event_followers set position_last = 0');
    expect(await queue()).toBe(0);
    expect(await kindsTo(id)).toEqual(['order_confirmed']);
    await other.close();
  });

  it('under review is mailed as pending, and then the decision', async () => {
    const refused = await drafted({ contact_email: 'in-review@example.com' });
    await consent(refused);
    expect((await complete(refused)).status).toBe('PENDING_CONFIRMATION');
    expect(await queue()).toBe(1);
    await act(world, (context) => declineOrder(context, refused, 'no'));
    expect(await queue()).toBe(1);
    const mails = await mailsOf(world, { to: 'in-review@example.com' });
    // The first has not left yet, and would only confuse now.
    expect(mails.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      'order_pending WITHDRAWN',
      'order_refused PENDING',
    ]);
    expect(mails[1]?.text).toMatch(/We can’t offer .+ pay later/);
  });

  it('and then cancelled is mailed as cancelled', async () => {
    const id = await drafted();
    await consent(id);
    await complete(id);
    await world.post(`/v1/orders/${id}/cancel`, { reason: 'BUYER' });
    expect(await queue()).toBe(2);
    expect((await kindsTo(id)).toSorted()).toEqual(['order_cancelled', 'order_confirmed']);
  });

  it('that expires before it is confirmed is mailed as expired; a confirmed one that expires is not', async () => {
    const pending = await drafted({ contact_email: 'in-review@expired.example' });
    const confirmed = await drafted();
    for (const id of [pending, confirmed]) {
      await consent(id);
      await complete(id);
      await act(world, (context) => expireOrder(context, id));
    }
    await queue();
    const mails = await mailsOf(world, { to: 'in-review@expired.example' });
    expect(mails.map(({ kind }) => kind).toSorted()).toEqual(['order_expired', 'order_pending']);
    const expired = mails.find(({ kind }) => kind === 'order_expired');
    expect(expired?.subject).toBe(`Your The platform platform-1 order ${pending} has expired`);
    expect(expired?.text).toMatch(/wasn’t confirmed\s+in\s+time and has expired/);
    expect(await kindsTo(confirmed)).toEqual(['order_confirmed']);
  });

  it('whose e-mail address has been deleted is not mailed', async () => {
    const id = await drafted();
    await consent(id);
    await complete(id);
    await world.sql('update orders set contact_email_sealed = null where external_id = $1', [id]);
    expect(await queue()).toBe(0);
  });
});

describe('an order placed by the platform', () => {
  it('is not mailed', async () => {
    const id = await drafted();
    await world.post(`/v1/orders/${id}/cancel`);
    const { status } = await world.post('/v1/orders', {
      ...draftOrderBody({ external_id: `${id}-sent`, buyer_external_id: id, contact_email: emailOf(id) }),
      payment_method: 'TRANSFER',
      payment_term: 'PREPAYMENT',
    });
    expect(status).toBe(201);
    expect(await queue()).toBe(0);
    expect(await kindsTo(id)).toEqual([]);
  });
});

describe('a mail that cannot be composed', () => {
  it('does not delay other mails', async () => {
    const spoiled = await drafted();
    const good = await drafted();
    for (const id of [spoiled, good]) {
      await consent(id);
      await complete(id);
    }
    await world.sql(
      `update orders set contact_email_sealed = (
        select contact_email_sealed from orders where platform_id = $3 and external_id = $1
      ) where platform_id = $3 and external_id = $2`,
      [good, spoiled, world.platform.platform_id],
    );
    expect(await queue()).toBe(1);
    expect(await kindsTo(good)).toEqual(['order_confirmed']);
  });
});

describe('the worker', () => {
  it('queues and sends the mail without further calls', async () => {
    const running = await createWorld();
    try {
      await running.post('/v1/merchants', merchantBody({}));
      await addDebtor(running, { buyer: 'quick', totalMinor: 20_000 });
      const body = { external_id: 'quick', buyer_external_id: 'quick', contact_email: 'quick@example.com' };
      await running.post('/v1/orders/draft', draftOrderBody(body));
      await running.sql(
        `insert into checkout_consents (platform_id, order_external_id, consented_at, terms_version, language, formality,
          terms_sha256, payment_term) values ($1, 'quick', 1, '1', 'EN', 'NEUTRAL', '\\x00', 'PREPAYMENT')`,
        [running.platform.platform_id],
      );
      await running.post('/v1/orders/quick/cancel');
      await eventually(async () => expect(await mailsOf(running)).toHaveLength(1));
      expect(await untilSent(running)).toMatchObject([{ kind: 'order_cancelled', to: 'quick@example.com' }]);
    } finally {
      await running.close();
    }
  });
});
