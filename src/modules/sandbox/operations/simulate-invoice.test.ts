import { describe, expect, it } from 'vitest';
import { invoiceBody } from '#test/bodies';
import { grossOf, INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';
import { expectProblem, notFoundNamed } from '#test/problem';
import { recordedEvents } from '#test/stored';

const PATH = '/v1/sandbox/invoices';
const DAY = 86_400;
const { create, invoiceOf, order, world } = useInvoicing();

let made = 0;
async function invoice(more: object = {}): Promise<string> {
  const external_id = `sim-${++made}`;
  const body = invoiceBody({
    external_id,
    buyer_external_id: 'stranger',
    due_at: NOW + 3_000 * DAY,
    ...more,
  });
  expect((await create(body)).status).toBe(201);
  return external_id;
}
const simulate = (external_id: string, trigger: string, more: object = {}) =>
  world().post(PATH, { external_id, trigger, ...more });
const paymentsOf = async (id: string) => (await world().get(`/v1/invoices/${id}/payments`)).body.items;
const clockOf = async () => (await world().get('/v1/sandbox/clock')).body.now;

describe('POST /v1/sandbox/invoices', () => {
  describe('pay', () => {
    it('transfers what is still owed to the platform, and closes the invoice', async () => {
      const id = await invoice();
      const { status, body } = await simulate(id, 'pay');
      expect(status).toBe(200);
      expect(body).toMatchObject({
        invoice: { external_id: id, status: 'CLOSED', outstanding_amount: 0 },
        payment: { amount: 11_900, received_by: 'PLATFORM', reference: body.invoice.payment_reference },
        clock: null,
      });
      expect((await recordedEvents(world(), id)).map(({ type }) => type)).toContain('INVOICE.CLOSED');
      const [transition] = (await world().get(`/v1/invoices/${id}/history`)).body.items;
      expect(transition).toMatchObject({ trigger: 'pay', actor: 'sandbox' });
    });

    it('transfers an amount, of which what exceeds the invoice is unapplied', async () => {
      const id = await invoice(grossOf(10_000));
      expect((await simulate(id, 'pay', { amount: 4_000 })).body).toMatchObject({
        invoice: { status: 'OPEN', outstanding_amount: 6_000 },
        payment: { amount: 4_000, unapplied_amount: 0 },
      });
      expect((await simulate(id, 'pay', { amount: 7_000 })).body).toMatchObject({
        invoice: { status: 'CLOSED' },
        payment: { amount: 7_000, allocated_amount: 6_000, unapplied_amount: 1_000 },
      });
    });

    it.each([
      ['CLOSED', 'paid'],
      ['CANCELLED', 'refund'],
    ])('is refused of an invoice that is %s', async (status, end) => {
      const id = await invoice();
      await world().post(`/v1/invoices/${id}/${end}`);
      const reply = await simulate(id, 'pay');
      expectProblem(reply, 'CONFLICT', 'INVALID_STATUS_TRANSITION');
      expect(reply.body.details).toMatchObject({ status, trigger: 'pay' });
    });
  });

  describe('reverse', () => {
    it('takes the last payment back, then the one before', async () => {
      const id = await invoice(grossOf(10_000));
      for (const [external_id, amount] of [
        ['first', 4_000],
        ['second', 6_000],
      ] as const) {
        await world().post(`/v1/invoices/${id}/payments`, { external_id, amount, received_by: 'PLATFORM' });
        world().clock.set(world().clock.now() + 1);
      }
      expect((await simulate(id, 'reverse')).body).toMatchObject({
        invoice: { status: 'OPEN', outstanding_amount: 6_000 },
        payment: { external_id: 'second', reversal_reason: 'Simulated in the sandbox.' },
        clock: null,
      });
      expect((await simulate(id, 'reverse')).body).toMatchObject({
        invoice: { outstanding_amount: 10_000 },
        payment: { external_id: 'first' },
      });
      const none = await simulate(id, 'reverse');
      expectProblem(none, 'CONFLICT', 'INVALID_STATUS_TRANSITION');
      expect(none.body.error).toBe('The invoice has no payment that can be reversed');
    });

    it('takes a named payment back, once', async () => {
      const id = await invoice();
      const { payment } = (await simulate(id, 'pay', { amount: 1_000 })).body;
      await simulate(id, 'pay', { amount: 2_000 });
      const named = { payment_external_id: payment.external_id };
      expect((await simulate(id, 'reverse', named)).body).toMatchObject({
        invoice: { outstanding_amount: 9_900 },
        payment: { external_id: payment.external_id, allocated_amount: 0 },
      });
      expectProblem(await simulate(id, 'reverse', named), 'CONFLICT', 'PAYMENT_ALREADY_REVERSED');
    });

    it('does not find a payment of another invoice', async () => {
      const { payment } = (await simulate(await invoice(), 'pay')).body;
      const named = { payment_external_id: payment.external_id };
      const reply = await simulate(await invoice(), 'reverse', named);
      expect(reply.body).toEqual(notFoundNamed('body.payment_external_id', payment.external_id));
    });
  });

  describe('advance_to_due', () => {
    it('moves the clock to the first instant at which the invoice is DUE, with all that falls due before', async () => {
      const now = await clockOf();
      const earlier = await invoice({ due_at: now + 5 * DAY });
      const id = await invoice({ due_at: now + 10 * DAY });
      const { status, body } = await simulate(id, 'advance_to_due');
      expect(status).toBe(200);
      const { clock } = body;
      expect(clock.now).toBe(Math.ceil((now + 10 * DAY) / DAY) * DAY);
      expect(clock.transitions).toContainEqual(expect.objectContaining({ external_id: earlier }));
      expect(clock.transitions.at(-1)).toEqual({
        ...{ at: clock.now, resource: 'invoice', external_id: id, trigger: 'become_due' },
      });
      expect(clock.transitions_total).toBe(clock.transitions.length);
      expect(body).toMatchObject({ invoice: { status: 'DUE', days_past_due: 1 }, payment: null });
      expect(await clockOf()).toBe(clock.now);
    });

    it('goes to the next instalment after the arrears are paid', async () => {
      const { body } = await invoiceOf([await order({ payment_term: 'SPLIT_3M' })], grossOf(9_000));
      const id = body.external_id;
      const [first, second] = body.installments;
      const one = (await simulate(id, 'advance_to_due')).body;
      expect(one.invoice).toMatchObject({ status: 'DUE', due_at: first.due_at });
      expect((await simulate(id, 'pay', { amount: first.amount })).body.invoice.status).toBe('OPEN');
      const two = (await simulate(id, 'advance_to_due')).body;
      expect(two.invoice).toMatchObject({ status: 'DUE', due_at: second.due_at });
      expect(two.clock.now).toBeGreaterThan(one.clock.now);
    });

    it('moves the clock once with an Idempotency-Key', async () => {
      const id = await invoice({ due_at: (await clockOf()) + 5 * DAY });
      const headers = { 'idempotency-key': 'to-due' };
      const send = () =>
        world().send('POST', PATH, { body: { external_id: id, trigger: 'advance_to_due' }, headers });
      const [one, again] = [await send(), await send()];
      expect(one.status).toBe(200);
      expect(again.text).toBe(one.text);
    });

    it.each(['DUE', 'CLOSED', 'CANCELLED'])('is refused of an invoice that is %s', async (status) => {
      const id = await invoice({ due_at: (await clockOf()) + 5 * DAY });
      if (status === 'DUE') await simulate(id, 'advance_to_due');
      else await world().post(`/v1/invoices/${id}/${status === 'CLOSED' ? 'paid' : 'refund'}`);
      const now = await clockOf();
      const reply = await simulate(id, 'advance_to_due');
      expectProblem(reply, 'CONFLICT', 'INVALID_STATUS_TRANSITION');
      expect(reply.body.details).toMatchObject({ status, trigger: 'become_due' });
      expect(await clockOf()).toBe(now);
    });

    it('goes at most ten years ahead', async () => {
      const id = await invoice({ due_at: 4_000_000_000 });
      const reply = await simulate(id, 'advance_to_due');
      expectProblem(reply, 'BAD_REQUEST');
      expect(reply.body.issues).toMatchObject([{ code: 'TOO_BIG', path: 'body.trigger' }]);
    });
  });

  describe('400', () => {
    it.each([
      ['reverse', { amount: 1 }, 'body.amount'],
      ['advance_to_due', { amount: 1 }, 'body.amount'],
      ['pay', { payment_external_id: 'p' }, 'body.payment_external_id'],
    ])('of %s with %j', async (trigger, more, path) => {
      const reply = await simulate(await invoice(), trigger, more);
      expectProblem(reply, 'BAD_REQUEST');
      expect(reply.body.issues).toMatchObject([{ code: 'INVALID_VALUE', path }]);
    });

    it.each([{ trigger: 'refund' }, { trigger: 'pay', amount: 0 }, { trigger: 'pay', amount: -1 }, {}])(
      'of %j',
      async (body) => {
        expectProblem(await world().post(PATH, { external_id: await invoice(), ...body }), 'BAD_REQUEST');
      },
    );
  });

  it('404 for an unknown invoice', async () => {
    for (const trigger of ['pay', 'reverse', 'advance_to_due'])
      expect((await simulate('nothing', trigger)).body).toEqual(notFoundNamed('body.external_id', 'nothing'));
  });

  it('403 for the key of a merchant', async () => {
    const id = await invoice();
    const key = await world().addKey({ merchantExternalId: 'merchant' });
    const reply = await world().post(PATH, { external_id: id, trigger: 'pay' }, { key });
    expect(reply.status).toBe(403);
    expect(await paymentsOf(id)).toEqual([]);
  });
});
