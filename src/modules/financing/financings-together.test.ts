/** Requests that arrive at the same time: examined and accepted in shared transactions, each with its own outcome. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { invoiceBody, merchantBody } from '#test/bodies';
import { auditBooks } from '#test/books-audit';
import { facilityOf } from '#test/facilities';
import {
  addFinanceableInvoice,
  addFinancedParties,
  addVerifiedAccount,
  DAY,
  FINANCING_STARTS,
  payOutEverything,
  requestFinancing,
} from '#test/financing';
import { createWorld, type World } from '#test/world';
import { serviceExaminations } from './examine-services.ts';

const CLIENTS = 16;
const GROSS = 11_900;

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  world.clock.set(FINANCING_STARTS);
});
afterAll(async () => {
  expect(await auditBooks(world)).toEqual([]);
  await world.close();
});

const idsOf = (prefix: string) => Array.from({ length: CLIENTS }, (_, nth) => `${prefix}-${nth}`);
const sumOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0);

it('never take more of one facility than it has, nor recover more than the merchant owes', async () => {
  // The financing of 'owing' uses a part, which its payment to the merchant releases, so the merchant owes it.
  await addFinancedParties(world, { totalMinor: 5 * GROSS });
  await addFinanceableInvoice(world, { external_id: 'owing' });
  await requestFinancing(world, 'owing');
  const payment = { amount: GROSS, received_by: 'MERCHANT' };
  expect((await world.post('/v1/invoices/owing/payments', payment)).status).toBe(201);
  const ids = idsOf('racing');
  for (const external_id of ids) await addFinanceableInvoice(world, { external_id });
  const replies = await Promise.all(ids.map((id) => requestFinancing(world, id)));
  const accepted = replies.filter(({ body }) => body.status === 'ACCEPTED').map(({ body }) => body);
  expect(accepted).toHaveLength(5);
  expect(sumOf(accepted.map((body) => body.set_off_amount))).toBe(GROSS);
  for (const { base_amount, fee, set_off_amount, advance } of accepted)
    expect(base_amount - fee.gross - set_off_amount).toBe(advance.value);
  const refused = replies.filter(({ body }) => body.status === 'IN_REVIEW');
  expect(refused).toHaveLength(CLIENTS - 5);
  for (const { body } of refused)
    expect(body.requirements).toMatchObject([{ code: 'FACILITY_EXCEEDED_AVAILABLE_AMOUNT' }]);
  expect(await facilityOf(world, 'buyer')).toMatchObject({ used_amount: 5 * GROSS, available_amount: 0 });
});

it('finance an invoice once', async () => {
  await addFinancedParties(world, { merchant: 'once', buyer: 'once' });
  const parties = { merchant_external_id: 'once', buyer_external_id: 'once' };
  await addFinanceableInvoice(world, { external_id: 'once', ...parties });
  const replies = await Promise.all(idsOf('once').map(() => requestFinancing(world, 'once')));
  expect(replies.map(({ status, body }) => [status, body.reason ?? body.status]).sort()).toEqual([
    [201, 'ACCEPTED'],
    ...Array(CLIENTS - 1).fill([409, 'INVOICE_HAS_ACTIVE_SERVICE']),
  ]);
  expect((await facilityOf(world, 'once')).used_amount).toBe(GROSS);
});

it('have each their own outcome', async () => {
  await addFinancedParties(world, { merchant: 'mixed', buyer: 'mixed' });
  const parties = { merchant_external_id: 'mixed', buyer_external_id: 'mixed' };
  const ids = ['good', 'too-long', 'insured', 'early', 'last'];
  for (const external_id of ids)
    await addFinanceableInvoice(world, {
      ...{ external_id, ...parties },
      ...(external_id === 'too-long' && { due_at: 4_000_000_000 }),
    });
  const due_at = FINANCING_STARTS + 30 * DAY;
  await world.post('/v1/invoices', invoiceBody({ external_id: 'no-file', due_at, ...parties }));
  const terms = { terms_accepted_at: FINANCING_STARTS };
  const replies = await Promise.all([
    requestFinancing(world, 'good'),
    requestFinancing(world, 'unknown'),
    requestFinancing(world, 'too-long'),
    world.post('/v1/invoices/insured/services/INSURANCE', terms),
    requestFinancing(world, 'early', { payout_at: FINANCING_STARTS }),
    requestFinancing(world, 'no-file'),
    requestFinancing(world, 'last', { payout_at: FINANCING_STARTS + 5 * DAY }),
  ]);
  expect(replies.map(({ status, body }) => [status, body.reason ?? body.status ?? body.code])).toEqual([
    [201, 'ACCEPTED'],
    [404, 'NOT_FOUND'],
    [201, 'REJECTED'],
    [201, 'IN_REVIEW'],
    [422, 'PAYOUT_DATE_TOO_EARLY'],
    [201, 'IN_REVIEW'],
    [201, 'ACCEPTED'],
  ]);
  const history = await world.sql(
    `select invoice_external_id as invoice, string_agg(t.to_status, ' ' order by t.version) as statuses,
      max(t.version) = max(s.version) as is_last
     from invoice_services s join invoice_service_transitions t using (platform_id, external_id)
     where merchant_external_id = 'mixed' group by 1 order by 1`,
  );
  expect(history).toEqual([
    { invoice: 'good', statuses: 'IN_REVIEW ACCEPTED', is_last: true },
    { invoice: 'insured', statuses: 'IN_REVIEW', is_last: true },
    { invoice: 'last', statuses: 'IN_REVIEW ACCEPTED', is_last: true },
    { invoice: 'no-file', statuses: 'IN_REVIEW', is_last: true },
    { invoice: 'too-long', statuses: 'IN_REVIEW REJECTED', is_last: true },
  ]);
  const events = await world.sql(
    `select type, count(*)::int from events e join invoice_services s on s.platform_id = e.platform_id and s.external_id = e.resource_external_id
     where s.merchant_external_id = 'mixed' group by 1 order by 1`,
  );
  expect(events).toEqual([
    { type: 'INVOICE.FINANCING.ACCEPTED', count: 2 },
    { type: 'INVOICE.FINANCING.IN_REVIEW', count: 4 },
    { type: 'INVOICE.FINANCING.REJECTED', count: 1 },
    { type: 'INVOICE.INSURANCE.IN_REVIEW', count: 1 },
  ]);
});

it('are examined together when the account that they wait for is verified', async () => {
  await addFinancedParties(world, { merchant: 'another', buyer: 'waiting', totalMinor: 3 * GROSS });
  await world.post('/v1/merchants', merchantBody({ external_id: 'waiting' }));
  const parties = { merchant_external_id: 'waiting', buyer_external_id: 'waiting' };
  const ids = ['first', 'second', 'third', 'fourth', 'fifth'];
  for (const external_id of ids) {
    await addFinanceableInvoice(world, { external_id, ...parties });
    expect((await requestFinancing(world, external_id)).body.status).toBe('IN_REVIEW');
  }
  const terms = { terms_accepted_at: FINANCING_STARTS };
  expect((await world.post('/v1/invoices/first/services/INSURANCE', terms)).status).toBe(201);

  await addVerifiedAccount(world, 'waiting');
  const { db } = world.installation;
  const { platform_id } = world.platform;
  const next = () => serviceExaminations.findNext(db, platform_id, FINANCING_STARTS, 200, []);
  const due = await next();
  const examined = await serviceExaminations.make(db, platform_id, due, undefined);
  const services = await world.sql<{ id: string; service_type: string; status: string; written_by: string }>(
    `select external_id as id, service_type, status, xmin::text as written_by from invoice_services
     where merchant_external_id = 'waiting'`,
  );
  expect(examined.map(({ externalId }) => externalId).sort()).toEqual(services.map(({ id }) => id).sort());
  expect(services.map(({ service_type, status }) => `${service_type} ${status}`).sort()).toEqual([
    ...Array(3).fill('FINANCING ACCEPTED'),
    ...Array(2).fill('FINANCING IN_REVIEW'),
    'INSURANCE IN_REVIEW',
  ]);
  expect(new Set(services.map(({ written_by }) => written_by)).size).toBe(1);
  expect(await next()).toEqual([]);
});

it('are examined again where another service of their invoice freezes the facility in the same instant', async () => {
  // A separate world, so that everything due at that instant is examined in one batch.
  const world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  world.clock.set(FINANCING_STARTS);
  // The ids are random: in some of the six pairs, the insurance comes first.
  const ids = Array.from({ length: 6 }, (_, nth) => `pair-${nth}`);
  for (const id of ids) {
    await addFinancedParties(world, { merchant: id, buyer: id });
    const parties = { merchant_external_id: id, buyer_external_id: id };
    await addFinanceableInvoice(world, { external_id: id, ...parties });
    expect((await requestFinancing(world, id)).body.status).toBe('ACCEPTED');
  }
  await payOutEverything(world);
  const { due_at } = (await world.get('/v1/invoices/pair-0')).body;
  const defaultsAt = Math.floor(due_at / DAY) * DAY + 91 * DAY;
  const setClock = async (now: number) =>
    expect((await world.post('/v1/sandbox/clock', { now })).status).toBe(200);
  const requestedAt = defaultsAt - 10 * DAY;
  await setClock(requestedAt);
  for (const id of ids) {
    const terms = { terms_accepted_at: requestedAt };
    expect((await world.post(`/v1/invoices/${id}/services/INSURANCE`, terms)).body.status).toBe('IN_REVIEW');
  }

  await setClock(defaultsAt);
  const services = await world.sql(
    `select service_type as type, status, count(*)::int from invoice_services where invoice_external_id like 'pair-%'
     group by 1, 2 order by 1`,
  );
  expect(services).toEqual([
    { type: 'FINANCING', status: 'DEFAULTED', count: 6 },
    { type: 'INSURANCE', status: 'IN_REVIEW', count: 6 },
  ]);
  expect(await auditBooks(world)).toEqual([]);
  await world.close();
});
