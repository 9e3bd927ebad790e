/** A financing after its payout: settled, reopened, credited, in default, written off and recovered. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { balancesOf } from '#test/balances';
import { auditBooks } from '#test/books-audit';
import { runHere, settingsOf } from '#test/command';
import { creditNoteBody } from '#test/credit-notes';
import { facilityOf } from '#test/facilities';
import {
  addFinanceableInvoice,
  addFinancedParties,
  DAY,
  FINANCING_STARTS,
  payOutEverything,
  requestFinancing,
} from '#test/financing';
import { ensureOperator } from '#test/operators';
import { expectProblem } from '#test/problem';
import { createWorld, type World } from '#test/world';

let world: World;
const INVOICES = ['paid', 'early', 'credited', 'disputed', 'written-off'];
beforeAll(async () => {
  world = await createWorld();
  world.clock.set(FINANCING_STARTS);
  await addFinancedParties(world);
  for (const external_id of INVOICES) {
    await addFinanceableInvoice(world, { external_id });
    expect((await requestFinancing(world, external_id)).body.status).toBe('ACCEPTED');
  }
  await world.post('/v1/invoices/early/payments', { amount: 11_900 });
  expect(await payOutEverything(world)).toHaveLength(1);
  const dispute = { external_id: 'contested', reason: 'NOT_DELIVERED' };
  expect((await world.post('/v1/invoices/disputed/disputes', dispute)).status).toBe(201);
});
afterAll(async () => {
  expect(await auditBooks(world)).toEqual([]);
  await world.close();
});

const financingOf = async (invoice: string) =>
  (await world.get(`/v1/invoices/${invoice}/services/FINANCING`)).body;
const advance = async (seconds: number) => {
  const { body } = await world.get('/v1/sandbox/clock');
  expect((await world.post('/v1/sandbox/clock', { now: body.now + seconds })).status).toBe(200);
};

describe('a financing that is paid out', () => {
  it('is settled at once if the buyer had paid before', async () => {
    await advance(1);
    expect(await financingOf('early')).toMatchObject({ status: 'SETTLED' });
    expect(await financingOf('paid')).toMatchObject({ status: 'PAID_OUT' });
  });

  it('forbids to replace and to refund its invoice', async () => {
    expectProblem(await world.post('/v1/invoices/paid/refund'), 'CONFLICT', 'INVOICE_HAS_ACTIVE_SERVICE');
  });

  it('is settled by the payment, opened again by its reversal, and settled by another payment', async () => {
    await world.post('/v1/invoices/paid/payments', { external_id: 'first', amount: 11_900 });
    expect((await financingOf('paid')).status).toBe('SETTLED');
    await world.post('/v1/invoices/paid/payments/first/reverse', { reason: 'It bounced.' });
    expect((await financingOf('paid')).status).toBe('PAID_OUT');
    await world.post('/v1/invoices/paid/payments', { external_id: 'second', amount: 11_900 });
    expect((await financingOf('paid')).status).toBe('SETTLED');
    expect(await balancesOf(world, { invoice: 'paid' })).not.toContainEqual(
      expect.stringMatching(/^buyer_receivable/),
    );
  });

  it('is settled by a credit note over everything, which the merchant gives back', async () => {
    const note = creditNoteBody({
      ...{ external_id: 'note', invoice_external_id: 'credited' },
      amount: { net: 10_000, tax: 1_900, gross: 11_900 },
    });
    expect((await world.post('/v1/credit_notes', note)).status).toBe(201);
    expect((await financingOf('credited')).status).toBe('SETTLED');
    expect((await world.get('/v1/invoices/credited')).body.status).toBe('CANCELLED');
    expect(await balancesOf(world, { invoice: 'credited' })).toContain('merchant_setoff merchant: 11900');
  });
});

describe('a financing of which the buyer does not pay', () => {
  let service: string;

  it('defaults after the 90th day past due, which freezes the facility', async () => {
    service = (await financingOf('written-off')).external_id;
    const { due_at } = (await world.get('/v1/invoices/written-off')).body;
    const endOfDay = Math.floor(due_at / DAY) * DAY + DAY;
    const { body: clock } = await world.get('/v1/sandbox/clock');
    await advance(endOfDay + 90 * DAY - 60 - clock.now);
    expect((await financingOf('written-off')).status).toBe('PAID_OUT');
    expect((await facilityOf(world, 'buyer')).frozen_at).toBeNull();
    await advance(120);
    expect((await financingOf('written-off')).status).toBe('DEFAULTED');
    expect((await facilityOf(world, 'buyer')).frozen_at).not.toBeNull();
    const [frozen] = (await world.get('/v1/buyers/buyer/facility/history')).body.items;
    expect(frozen.reason).toBe('The financing of invoice written-off defaulted.');
  });

  it('does not default while all of its invoice is disputed', async () => {
    expect((await financingOf('disputed')).status).toBe('PAID_OUT');
    await world.post('/v1/invoices/disputed/disputes/contested/reject', { comment: 'They were delivered.' });
    await advance(1);
    expect((await financingOf('disputed')).status).toBe('DEFAULTED');
  });

  it('is written off by two operators, once', async () => {
    const settings = await settingsOf(world);
    const keys = {
      fin: await ensureOperator(world, 'fin', { role: 'FINANCE' }),
      fay: await ensureOperator(world, 'fay', { role: 'FINANCE' }),
    };
    const as = (name: 'fin' | 'fay', ...args: string[]) =>
      runHere(args, { ...settings, TRADELINE_OPERATOR_KEY: keys[name] });
    const writeOff = ['service', 'write-off', '--service', service, '--reason', 'Insolvent.'];
    const proposed = await as('fin', ...writeOff);
    const approval = (/Approval (\S+) waits/.exec(proposed.stdout) ?? [])[1] as string;
    expect((await as('fin', 'approval', 'approve', approval, '--reason', 'Mine.')).code).toBe(1);
    expect(await as('fay', 'approval', 'approve', approval, '--reason', 'Seen.')).toMatchObject({ code: 0 });
    expect(await balancesOf(world, { invoice: 'written-off' })).toEqual(
      expect.arrayContaining(['loss: 11900']),
    );
    expect(await auditBooks(world)).toEqual([]);
    expect(await as('fin', ...writeOff)).toMatchObject({
      ...{ code: 1, stderr: `The service ${service} is already written off.\n` },
    });
  });

  it('is recovered by what is paid later, and owed again if that bounces', async () => {
    const recovered = async () =>
      (await balancesOf(world, { invoice: 'written-off' })).filter((line) =>
        /^(recovery|buyer_rec)/.test(line),
      );
    const pay = (external_id: string, amount: number) =>
      world.post('/v1/invoices/written-off/payments', { external_id, amount });
    await pay('recovery-1', 5_000);
    expect(await recovered()).toEqual(['recovery: -5000']);
    await pay('recovery-2', 6_900);
    expect(await recovered()).toEqual(['recovery: -11900']);
    expect((await financingOf('written-off')).status).toBe('SETTLED');
    await world.post('/v1/invoices/written-off/payments/recovery-1/reverse', { reason: 'It bounced.' });
    expect(await recovered()).toEqual(['recovery: -6900']);
    expect((await financingOf('written-off')).status).toBe('PAID_OUT');
    expect(await auditBooks(world)).toEqual([]);
  });
});
