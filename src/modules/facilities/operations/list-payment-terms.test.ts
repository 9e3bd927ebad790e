import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '#infra/database/transaction';
import { PAYMENT_TERMS } from '#kernel/payment-term';
import { recordOverdueInvoices } from '#modules/buyers';
import { merchantBody } from '#test/bodies';
import { addBuyer, addFacility, facilityOf, ORDINARY_LIMIT } from '#test/facilities';
import { issuesOf } from '#test/paging';
import { createWorld, type World } from '#test/world';

/** 2025-11-20 12:00 UTC. */
const NOW = 1_763_640_000;
const DAY = 86_400;

let world: World;
beforeAll(async () => {
  world = await createWorld({ platform: { financing_currencies: ['GBP'] } });
  world.clock.set(NOW);
  await world.post('/v1/merchants', merchantBody({ external_id: 'merchant' }));
  await addFacility(world, 'ordinary');
});
afterAll(() => world.close());

const send = (buyer: string, parameters: string, more = {}) =>
  world.get(`/v1/buyers/${buyer}/payment_terms?${parameters}`, more);
const offered = (body: { payment_terms: { payment_term: string }[] }) =>
  body.payment_terms.map((offer) => offer.payment_term);
const CREDIT_TERMS = PAYMENT_TERMS.filter((term) => term !== 'PREPAYMENT');

describe('GET /v1/buyers/{external_id}/payment_terms', () => {
  it('200 with the price and the instalments of each term, and why another is not offered', async () => {
    const { status, body } = await send('ordinary', 'gross_amount=119000');
    expect(status).toBe(200);
    expect(offered(body)).toEqual(PAYMENT_TERMS.filter((term) => term !== 'SPLIT_6M'));
    expect(body.payment_terms.slice(0, 2)).toEqual([
      {
        payment_method: 'TRANSFER',
        payment_term: 'PREPAYMENT',
        fee: { net: 0, tax: 0, gross: 0 },
        merchant_fee: { net: 0, tax: 0, gross: 0 },
        installments: [{ due_at: NOW, amount: { value: 119_000, currency: 'EUR' } }],
      },
      {
        payment_method: 'TRANSFER',
        payment_term: 'DEFER_3D',
        fee: { net: 0, tax: 0, gross: 0 },
        merchant_fee: { net: 0, tax: 0, gross: 0 },
        installments: [{ due_at: NOW + 3 * DAY, amount: { value: 119_000, currency: 'EUR' } }],
      },
    ]);
    const offer = (term: string) =>
      body.payment_terms.find((each: { payment_term: string }) => each.payment_term === term);
    // 1.10 % for class B; 2.55 % is 3034.5, which is rounded to the even number.
    expect(offer('DEFER_30D').fee).toEqual({ net: 1_309, tax: 0, gross: 1_309 });
    expect(offer('SPLIT_3M')).toEqual({
      payment_method: 'TRANSFER',
      payment_term: 'SPLIT_3M',
      fee: { net: 3_034, tax: 0, gross: 3_034 },
      merchant_fee: { net: 0, tax: 0, gross: 0 },
      installments: [
        { due_at: Date.UTC(2025, 11, 21) / 1_000 - 1, amount: { value: 39_668, currency: 'EUR' } },
        { due_at: Date.UTC(2026, 0, 21) / 1_000 - 1, amount: { value: 39_666, currency: 'EUR' } },
        { due_at: Date.UTC(2026, 1, 21) / 1_000 - 1, amount: { value: 39_666, currency: 'EUR' } },
      ],
    });
    // A month counts 30 days, and the platform allows 120.
    expect(body.unavailable_terms).toEqual([{ payment_term: 'SPLIT_6M', reason: 'TERM_TOO_LONG' }]);
    expect(body.facility).toEqual(await facilityOf(world, 'ordinary'));
  });

  it('names every term once, offered or not, in their order', async () => {
    for (const buyer of ['ordinary', await addBuyer(world, 'plain')]) {
      const { body } = await send(buyer, `gross_amount=${ORDINARY_LIMIT + 1}`);
      const unavailable = body.unavailable_terms.map((each: { payment_term: string }) => each.payment_term);
      expect([...offered(body), ...unavailable]).toEqual(PAYMENT_TERMS);
    }
  });

  it.each<[string, string, string]>([
    ['no facility', 'without', 'NO_ACTIVE_FACILITY'],
    ['one under review', 'cafe-in-review', 'NO_ACTIVE_FACILITY'],
    ['a rejected one', 'cafe-rejected', 'NO_ACTIVE_FACILITY'],
    ['a period that is over', 'over', 'FACILITY_EXPIRED'],
    ['a facility in another currency', 'pounds', 'FACILITY_CURRENCY_CONFLICT'],
    ['too little left', 'cafe-low-limit', 'FACILITY_EXCEEDED_AVAILABLE_AMOUNT'],
    ['an overdue invoice', 'overdue', 'BUYER_OVERDUE'],
  ])('with %s only prepayment is left', async (_, buyer, reason) => {
    if (buyer === 'without') await addBuyer(world, buyer);
    else await addFacility(world, buyer, buyer === 'pounds' ? { currency: 'GBP' } : {});
    if (buyer === 'over')
      await world.sql(`update facilities set expires_at = ${NOW} where buyer_external_id = 'over'`);
    if (buyer === 'overdue')
      await inTransaction(world.installation.db, (db) =>
        recordOverdueInvoices(db, [
          {
            platformId: world.platform.platform_id,
            buyerExternalId: buyer,
            invoiceExternalId: 'i1',
            installment: 1,
            dueAt: NOW - 32 * DAY,
            currency: 'EUR',
            outstandingMinor: 5_000,
          },
        ]),
      );
    const { status, body } = await send(buyer, 'gross_amount=10001');
    expect([status, offered(body)]).toEqual([200, ['PREPAYMENT']]);
    expect(body.unavailable_terms).toEqual(
      CREDIT_TERMS.map((term) => ({
        payment_term: term,
        reason: term === 'SPLIT_6M' ? 'TERM_TOO_LONG' : reason,
      })),
    );
    expect(body.facility?.buyer_external_id).toBe(buyer === 'without' ? undefined : buyer);
    if (buyer === 'without') expect(body.facility).toBeNull();
  });

  it('offers fewer terms to a worse price class', async () => {
    await addFacility(world, 'cheap');
    await world.sql("update facilities set price_class = 'D' where buyer_external_id = 'cheap'");
    const { body } = await send('cheap', 'gross_amount=10000');
    expect(offered(body)).toEqual([
      'PREPAYMENT',
      'DEFER_3D',
      'DEFER_7D',
      'DEFER_14D',
      'DEFER_21D',
      'DEFER_30D',
    ]);
    expect(body.unavailable_terms[0]).toEqual({ payment_term: 'DEFER_45D', reason: 'PRICE_CLASS' });
    expect(body.payment_terms[1].fee).toEqual({ net: 30, tax: 0, gross: 30 });
  });

  it('offers no term longer than the platform allows', async () => {
    const brief = await createWorld();
    await brief.sql('update platforms set max_payment_term = 30');
    await addFacility(brief, 'brief');
    const { body } = await brief.get('/v1/buyers/brief/payment_terms?gross_amount=1');
    expect(offered(body).at(-1)).toBe('DEFER_30D');
    await brief.close();
  });

  it.each([
    ["the platform's currency", 'gross_amount=1&currency=EUR', 'EUR'],
    ['another that is enabled', 'gross_amount=1&currency=GBP', 'GBP'],
    ['a merchant', 'gross_amount=1000000000000&merchant_external_id=merchant', 'EUR'],
  ])('takes %s', async (_, parameters, currency) => {
    const { status, body } = await send('ordinary', parameters);
    expect([status, body.payment_terms[0].installments[0].amount.currency]).toEqual([200, currency]);
  });

  it.each([
    ['', 'REQUIRED query.gross_amount'],
    ['gross_amount=0', 'TOO_SMALL query.gross_amount'],
    ['gross_amount=1000000000001', 'TOO_BIG query.gross_amount'],
    ['gross_amount=1.5', 'INVALID_TYPE query.gross_amount'],
    ['gross_amount=1&currency=XAU', 'INVALID_ENUM query.currency'],
    ['gross_amount=1&merchant_external_id=a.b', 'INVALID_FORMAT query.merchant_external_id'],
    ['gross_amount=1&payment_term=DEFER_3D', 'UNRECOGNIZED_KEYS query.payment_term'],
  ])('400 to ?%s', async (parameters, issue) => {
    const { status, body } = await send('ordinary', parameters);
    expect([status, issuesOf(body)]).toEqual([400, [issue]]);
  });

  it('403 to a key of another merchant', async () => {
    const key = await world.addKey({ merchantExternalId: 'other' });
    const reply = await send('ordinary', 'gross_amount=1&merchant_external_id=merchant', { key });
    expect([reply.status, reply.body.reason]).toEqual([403, 'MERCHANT_NOT_ALLOWED']);
  });

  it('404 for an unknown buyer', async () => {
    expect((await send('nobody', 'gross_amount=1')).status).toBe(404);
  });

  it.each([
    ['gross_amount=1&currency=CHF', 'CURRENCY_NOT_ENABLED'],
    ['gross_amount=1&merchant_external_id=nobody', 'REFERENCED_ENTITY_NOT_FOUND'],
  ])('422 to ?%s', async (parameters, reason) => {
    const { status, body } = await send('ordinary', parameters);
    expect([status, body.reason]).toEqual([422, reason]);
    if (reason === 'REFERENCED_ENTITY_NOT_FOUND')
      expect(body.details).toMatchObject({ field: 'query.merchant_external_id', value: 'nobody' });
  });
});
