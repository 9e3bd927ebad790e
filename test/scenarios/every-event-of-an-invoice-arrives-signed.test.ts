/**
 * Invoices go through every transition of their lifecycle over HTTP, with payments, credit notes, files and late charges. A
 * receiver gets the event of each, with a signature that it verifies as in the guide.
 */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayOf } from '#kernel/day';
import { EVENT_TYPES } from '#kernel/event';
import { waiveLateCharge } from '#modules/invoices';
import { serviceEvents } from '#modules/services';
import { readApiDocument } from '#test/api-document';
import { draftOrderBody, invoiceBody, merchantBody } from '#test/bodies';
import { act, addDebtor } from '#test/credit';
import { creditNoteBody } from '#test/credit-notes';
import { addDunningPlan } from '#test/dunning';
import { FILES } from '#test/files';
import { addLateCharge } from '#test/late-charges';
import { type Received, type Receiver, startReceiver } from '#test/receiver';
import { createWorld, type Method, type World } from '#test/world';
import { stopReminders } from '../../src/modules/dunning/stop-reminders.ts';
import { invoiceLifecycle } from '../../src/modules/invoices/invoice.lifecycle.ts';

/** 2025-11-20 12:00 UTC. */
const NOW = 1_763_640_000;
const DAY = 86_400;
const ALL = { net: 10_000, tax: 1_900, gross: 11_900 };

describe('every event of an invoice', () => {
  let world: World;
  let receiver: Receiver;
  const secrets: Record<string, string> = {};
  beforeAll(async () => {
    [world, receiver] = await Promise.all([createWorld(), startReceiver()]);
    world.clock.set(NOW);
    await world.sql('update platforms set max_payment_term = 180');
    await world.post('/v1/merchants', merchantBody({}));
    await addDebtor(world, { buyer: 'buyer', totalMinor: 100_000_000 });
    for (const type of ['INVOICE', 'CREDIT_NOTE', 'DISPUTE']) {
      const { body } = await world.post('/v1/webhooks', { type, url: `${receiver.url}/${type}` });
      secrets[type] = body.signing_secret;
    }
  });
  afterAll(async () => {
    await world.close();
    await receiver.close();
  });

  async function does(method: Method, path: string, body: object | Buffer, status: number): Promise<void> {
    const reply = await world.send(method, path, { body });
    expect(`${method} ${path} ${reply.status} ${reply.text}`).toContain(`${path} ${status}`);
  }
  const invoice = (external_id: string, more: object = {}) =>
    does('POST', '/v1/invoices', invoiceBody({ external_id, due_at: NOW + 10 * DAY, ...more }), 201);
  const pay = (id: string, amount = ALL.gross) =>
    does('POST', `/v1/invoices/${id}/payments`, { external_id: `paid-${id}`, amount }, 201);
  const reverse = (id: string) =>
    does('POST', `/v1/invoices/${id}/payments/paid-${id}/reverse`, { reason: 'The bank returned it' }, 200);
  const refund = (id: string) => does('POST', `/v1/invoices/${id}/refund`, {}, 200);
  const credit = (id: string) =>
    does(
      'POST',
      '/v1/credit_notes',
      creditNoteBody({ external_id: `credit-${id}`, invoice_external_id: id, amount: ALL }),
      201,
    );
  const postpone = (id: string) =>
    does(
      'PUT',
      `/v1/invoices/${id}`,
      {
        ...{ buyer_external_id: 'buyer', amount: ALL, payment_method: 'TRANSFER' },
        ...{ invoiced_at: NOW, due_at: NOW + 100 * DAY },
      },
      200,
    );
  const setClock = (now: number) => does('POST', '/v1/sandbox/clock', { now }, 200);

  it('is caused over HTTP, in every transition', async () => {
    const before = ['open-pay', 'open-refund', 'open-credit', 'closed-refund', 'closed-credit', 'reopen'];
    const due = ['due-pay', 'due-refund', 'due-credit', 'postpone', 'reopen-due', 'charged'];
    for (const id of [...before, ...due]) await invoice(id);
    for (const id of ['open-pay', 'closed-refund', 'closed-credit', 'reopen', 'reopen-due']) await pay(id);
    for (const id of ['open-refund', 'closed-refund']) await refund(id);
    for (const id of ['open-credit', 'closed-credit']) await credit(id);
    await reverse('reopen');
    const pdf = FILES['application/pdf'];
    await does('POST', '/v1/invoices/open-pay/files?file_external_id=pdf&kind=INVOICE&name=x.pdf', pdf, 201);
    await does('DELETE', '/v1/invoices/open-pay/files/pdf', {}, 200);
    const order = draftOrderBody({
      ...{ external_id: 'split', payment_method: 'TRANSFER', payment_term: 'SPLIT_3M' },
    });
    await does('POST', '/v1/orders', order, 201);
    await does(
      'POST',
      '/v1/invoices',
      { external_id: 'cure', order_external_ids: ['split'], amount: order.amount },
      201,
    );
    // The first month of the split order has also passed.
    await setClock(NOW + 40 * DAY);
    await pay('due-pay');
    await refund('due-refund');
    await credit('due-credit');
    await postpone('postpone');
    await reverse('reopen-due');
    const { body } = await world.get('/v1/invoices/cure');
    await pay('cure', body.installments[0].outstanding_amount);
    const { amount: charged } = await addLateCharge(world, 'charged');
    await pay('charged', ALL.gross + charged);
    await reverse('charged');
    const waived = await addLateCharge(world, 'charged');
    await act(world, (context) => waiveLateCharge(context, waived, 'Goodwill.'));
    for (const [decision, body] of [
      ['accept', {}],
      ['reject', { comment: 'All bags were whole.' }],
      ['withdraw', {}],
    ] as const) {
      const path = '/v1/invoices/postpone/disputes';
      await does('POST', path, { external_id: `to-${decision}`, reason: 'DAMAGED', amount: 1_190 }, 201);
      await does('POST', `${path}/to-${decision}/${decision}`, body, 200);
    }
    const made = await world.sql<{ made: string }>(
      `select distinct concat_ws(' ', from_status, trigger, to_status) as made from invoice_transitions`,
    );
    const all = invoiceLifecycle.transitions.map(({ from, trigger, to }) =>
      [from, trigger, to].filter((part) => part !== null).join(' '),
    );
    expect(made.map((row) => row.made).sort()).toEqual([...new Set(all)].sort());
  });

  it('arrives once for each transition, with its statuses and the version that it made', async () => {
    const transitions = await world.sql<{ invoice: string; version: number; from: string; to: string }>(
      `select invoice_external_id as invoice, version, from_status as "from", to_status as "to" from invoice_transitions`,
    );
    for (const { invoice: id, version, from, to } of transitions) {
      const ofVersion = ({ event }: Received) =>
        event.data.external_id === id && event.data.sequence === version && !event.type.includes('FILE');
      const [heard, ...more] = await receiver.waitFor(1, ofVersion);
      expect(more).toEqual([]);
      const transition = invoiceLifecycle.transitions.find((each) => each.from === from && each.to === to);
      expect(heard?.event).toMatchObject({
        type: transition?.event,
        data: { external_id: id, status: to, previous_status: from },
      });
    }
  });

  it('comes of its reminders too: each step, a promise, its end, and the payment', async () => {
    await world.post('/v1/contacts', {
      external_id: 'bills',
      buyer_external_id: 'buyer',
      email: 'bills@cafe.example',
    });
    await addDunningPlan(world);
    const { now } = (await world.get('/v1/sandbox/clock')).body;
    await invoice('reminded', { invoiced_at: now, due_at: now + 10 * DAY });
    await setClock(now + 12 * DAY);
    const untilOn = dayOf(now + 24 * DAY);
    await act(world, (context) =>
      stopReminders(context, {
        ...{ cause: 'PROMISE', scope: { scope: 'INVOICE', externalId: 'reminded' }, untilOn },
        ...{ promisedMinor: ALL.gross, reason: 'On the phone' },
      }),
    );
    await setClock(now + 20 * DAY);
    await setClock(now + 30 * DAY);
    await pay('reminded');
    const steps = await world.sql<{ type: string }>(
      `select distinct type from events where type like 'INVOICE.DUNNING.%' order by type`,
    );
    expect(steps.map(({ type }) => type.split('.').at(-1))).toEqual(['ENDED', 'PAUSED', 'RESUMED', 'STEP']);
  });

  it('is of every type that the API document has for invoices, credit notes and disputes', async () => {
    const expected = EVENT_TYPES.filter(
      (type) => /^(INVOICE|CREDIT_NOTE|DISPUTE)\./.test(type) && !(type in serviceEvents),
    );
    for (const type of expected) await receiver.waitFor(1, ({ event }) => event.type === type);
    const { document } = readApiDocument();
    expect(Object.keys(document.webhooks)).toEqual(expect.arrayContaining(expected));
    expect([...new Set(receiver.received.map(({ event }) => event.type))].sort()).toEqual(expected.sort());
  });

  it('has a signature over its bytes and its time, by the secret of its subscription', () => {
    for (const { raw, t, digests, path, headers, event } of receiver.received) {
      const secret = secrets[path.split('/').at(-1) as string] as string;
      expect(digests).toEqual([createHmac('sha256', secret).update(`${raw}.${t}`).digest('hex')]);
      expect(headers['webhook-id']).toBe(event.id);
      expect(path.endsWith(event.type.split('.')[0])).toBe(true);
    }
    const ids = receiver.received.map(({ event }) => event.id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
