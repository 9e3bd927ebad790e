import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { balancesOf } from '#test/balances';
import { auditBooks } from '#test/books-audit';
import { facilityOf, ledgerOf } from '#test/facilities';
import {
  addFinanceableInvoice,
  addFinancedParties,
  FINANCING_STARTS,
  payOutEverything,
  requestFinancing,
} from '#test/financing';
import { expectProblem } from '#test/problem';
import { createWorld, type World } from '#test/world';

describe('POST /v1/invoices/{external_id}/services/{service_type}/cancel', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
    world.clock.set(FINANCING_STARTS);
    await addFinancedParties(world);
  });
  afterAll(async () => {
    expect(await auditBooks(world)).toEqual([]);
    await world.close();
  });
  const cancel = (invoice: string, options = {}) =>
    world.post(`/v1/invoices/${invoice}/services/FINANCING/cancel`, undefined, options);

  it('200: undoes an acceptance: the books, the credit and the line of the payout', async () => {
    await addFinanceableInvoice(world, { external_id: 'undone' });
    await requestFinancing(world, 'undone');
    const { status, body } = await cancel('undone');
    expect([status, body.status]).toEqual([200, 'CANCELLED']);
    expect(await balancesOf(world, { invoice: 'undone' })).toEqual([]);
    expect((await facilityOf(world, 'buyer')).used_amount).toBe(0);
    expect((await ledgerOf(world, 'buyer')).at(-1)).toMatch(/^FINANCING_CANCELLED used -11900/);
    expect(await world.sql('select from payout_lines')).toEqual([]);
    expect((await world.get('/v1/invoices/undone')).body.credit_used).toBe(0);
    expect((await requestFinancing(world, 'undone')).body.status).toBe('ACCEPTED');
  });

  it('200: withdraws a request in review', async () => {
    await addFinanceableInvoice(world, { external_id: 'withdrawn', payment_method: 'TRANSFER' });
    await world.delete('/v1/invoices/withdrawn/files/file');
    await requestFinancing(world, 'withdrawn');
    expect((await cancel('withdrawn')).body.status).toBe('CANCELLED');
  });

  it('409: refuses once something was paid, the payout is instructed, or it has ended', async () => {
    await addFinanceableInvoice(world, { external_id: 'paid' });
    await requestFinancing(world, 'paid');
    await world.post('/v1/invoices/paid/payments', { amount: 1 });
    expectProblem(await cancel('paid'), 'CONFLICT', 'INVALID_STATUS_TRANSITION');
    expectProblem(await cancel('withdrawn'), 'CONFLICT', 'INVALID_STATUS_TRANSITION');
    await payOutEverything(world);
    expectProblem(await cancel('undone'), 'CONFLICT', 'INVALID_STATUS_TRANSITION');
  });

  it('404 and 412: an unknown service, another merchant, another version', async () => {
    expectProblem(await cancel('nowhere'), 'NOT_FOUND');
    expectProblem(await world.post('/v1/invoices/undone/services/INSURANCE/cancel'), 'NOT_FOUND');
    const key = await world.addKey({ merchantExternalId: 'other', scopes: ['invoices:write'] });
    expectProblem(await cancel('undone', { key }), 'NOT_FOUND');
    const headers = { 'If-Match': '"99"' };
    expectProblem(await cancel('undone', { headers }), 'PRECONDITION_FAILED');
  });
});
