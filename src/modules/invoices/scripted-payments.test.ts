import { beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, invoiceBody } from '#test/bodies';
import { addDebtor } from '#test/credit';
import { grossOf, INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';
import { expectProblem } from '#test/problem';

const DAY = 86_400;
const { create, invoiceOf, order, world } = useInvoicing();

let now = NOW;
const advanceTo = async (at: number) => {
  const { body } = await world().post('/v1/sandbox/clock', { now: at });
  now = at;
  return body.transitions as { at: number; external_id: string; trigger: string }[];
};
const read = async (id: string) => (await world().get(`/v1/invoices/${id}`)).body;
const paymentsOf = async (id: string) => (await world().get(`/v1/invoices/${id}/payments`)).body.items;
let made = 0;
async function invoice(buyer: string, more: object = {}): Promise<string> {
  const external_id = `${buyer}-${++made}`;
  const body = invoiceBody({ external_id, buyer_external_id: buyer, due_at: now + 2 * DAY, ...more });
  expect((await create(body)).status).toBe(201);
  return external_id;
}

describe('a buyer that pays-late', () => {
  beforeAll(async () => {
    await world().post('/v1/buyers', buyerBody({ external_id: 'cafe-pays-late' }));
    await world().post('/v1/buyers', buyerBody({ external_id: 'by-mail' }));
    await addDebtor(world(), { buyer: 'split-pays-late', totalMinor: 1_000_000 });
  });

  it('pays the platform 10 days after the invoice was due', async () => {
    const id = await invoice('cafe-pays-late');
    const dueAt = now + 2 * DAY;
    expect(await advanceTo(dueAt + 10 * DAY - 1)).toMatchObject([{ external_id: id, trigger: 'become_due' }]);
    expect(await read(id)).toMatchObject({ status: 'DUE', paid_amount: 0 });
    expect(await advanceTo(dueAt + 10 * DAY)).toEqual([
      { at: dueAt + 10 * DAY, resource: 'invoice', external_id: id, trigger: 'pay' },
    ]);
    expect(await read(id)).toMatchObject({ status: 'CLOSED', paid_at: dueAt + 10 * DAY });
    expect(await paymentsOf(id)).toMatchObject([{ received_by: 'PLATFORM', amount: 11_900 }]);
    const [transition] = (await world().get(`/v1/invoices/${id}/history`)).body.items;
    expect(transition).toMatchObject({ actor: 'sandbox', trigger: 'pay' });
  });

  it('is one by the address of a contact too, as it was when the invoice was created', async () => {
    const other = await invoice('by-mail');
    const contact = { external_id: 'late', buyer_external_id: 'by-mail', email: 'Pays-Late@x.example' };
    expect((await world().post('/v1/contacts', contact)).status).toBe(201);
    const id = await invoice('by-mail');
    await advanceTo(now + 12 * DAY);
    expect([(await read(id)).status, (await read(other)).status]).toEqual(['CLOSED', 'DUE']);
  });

  it('pays each instalment late', async () => {
    const orders = [
      await order({ buyer_external_id: 'split-pays-late', payment_term: 'SPLIT_3M', ordered_at: now }),
    ];
    const { body } = await invoiceOf(orders, { ...grossOf(9_000), invoiced_at: now });
    const [first, second, third] = body.installments;
    const transitions = await advanceTo(third.due_at + 11 * DAY);
    const mine = transitions.filter(({ external_id }) => external_id === body.external_id);
    expect(mine.filter(({ trigger }) => trigger !== 'become_due')).toEqual([
      expect.objectContaining({ at: first.due_at + 10 * DAY, trigger: 'cure' }),
      expect.objectContaining({ at: second.due_at + 10 * DAY, trigger: 'cure' }),
      expect.objectContaining({ at: third.due_at + 10 * DAY, trigger: 'pay' }),
    ]);
    expect(mine.filter(({ trigger }) => trigger === 'become_due')).toHaveLength(3);
    expect((await paymentsOf(body.external_id)).map(({ amount }: { amount: number }) => amount)).toEqual([
      third.amount,
      second.amount,
      first.amount,
    ]);
    expect(await read(body.external_id)).toMatchObject({ status: 'CLOSED' });
  });

  it('pays at once what was due long before there was an invoice', async () => {
    const id = await invoice('cafe-pays-late', { invoiced_at: now - 40 * DAY, due_at: now - 30 * DAY });
    const { created_at } = await read(id);
    expect(await advanceTo(now + 1)).toMatchObject([
      { at: created_at, external_id: id, trigger: 'become_due' },
      { at: created_at, external_id: id, trigger: 'pay' },
    ]);
  });

  it('pays what is left, and nothing of what was paid or cancelled', async () => {
    const partly = await invoice('cafe-pays-late');
    await world().post(`/v1/invoices/${partly}/payments`, { amount: 5_000 });
    const [paid, cancelled] = [await invoice('cafe-pays-late'), await invoice('cafe-pays-late')];
    await world().post(`/v1/invoices/${paid}/paid`);
    await world().post(`/v1/invoices/${cancelled}/refund`);
    await advanceTo(now + 13 * DAY);
    expect(await paymentsOf(partly)).toMatchObject([{ amount: 6_900 }, { amount: 5_000 }]);
    expect(await paymentsOf(paid)).toHaveLength(1);
    expect(await paymentsOf(cancelled)).toEqual([]);
  });

  it('pays no more by itself once a payment bounced', async () => {
    const id = await invoice('cafe-pays-late');
    await advanceTo(now + 13 * DAY);
    await world().post('/v1/sandbox/invoices', { external_id: id, trigger: 'reverse' });
    expect(await advanceTo(now + 30 * DAY)).toEqual([]);
    expect(await read(id)).toMatchObject({ status: 'DUE', outstanding_amount: 11_900 });
  });

  it('pays later where the invoice is postponed', async () => {
    const id = await invoice('cafe-pays-late');
    const { amount, invoiced_at, payment_method } = await read(id);
    const due_at = now + 20 * DAY;
    const body = { buyer_external_id: 'cafe-pays-late', amount, invoiced_at, payment_method, due_at };
    expect((await world().put(`/v1/invoices/${id}`, body)).status).toBe(200);
    await advanceTo(due_at + 10 * DAY - 1);
    expect((await read(id)).status).toBe('DUE');
    await advanceTo(due_at + 10 * DAY);
    expect((await read(id)).status).toBe('CLOSED');
  });
});

describe('a buyer that never-pays', () => {
  it('is not paid by the clock, nor by the simulator, and its invoices default', async () => {
    await world().post('/v1/buyers', buyerBody({ external_id: 'bar_never-pays' }));
    const id = await invoice('bar_never-pays');
    await advanceTo(now + 120 * DAY);
    const reply = await world().post('/v1/sandbox/invoices', { external_id: id, trigger: 'pay' });
    expectProblem(reply, 'CONFLICT', 'INVALID_STATUS_TRANSITION');
    expect(reply.body.error).toBe('The buyer never pays: its outcome script is never-pays');
    expect(await read(id)).toMatchObject({ status: 'DUE', days_past_due: 118, paid_amount: 0 });
    const defaults = 'select amount::int from invoice_defaults where invoice_external_id = $1';
    expect(await world().sql(defaults, [id])).toEqual([{ amount: 11_900 }]);
    expect((await world().post(`/v1/invoices/${id}/paid`)).status).toBe(200);
  });
});
