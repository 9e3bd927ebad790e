import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, invoiceBody, merchantBody } from '#test/bodies';
import { creditNoteBody } from '#test/credit-notes';
import { describePaging } from '#test/paging';
import { createWorld, type World } from '#test/world';

/** external_id, buyer, merchant, reason, currency, gross; then seconds: created, date. */
const NOTES: [string, string, string, string, string, number, number, number][] = [
  ['a', 'b1', 'm1', 'RETURN', 'EUR', 100, 1_000, 500],
  ['b', 'b1', 'm2', 'PRICE', 'JPY', 200, 2_000, 400],
  ['c', 'b2', 'm1', 'RETURN', 'EUR', 300, 2_000, 300],
  ['d', 'b2', 'm2', 'OTHER', 'EUR', 300, 3_000, 200],
  ['e', 'b2', 'm2', 'PRICE', 'JPY', 500, 4_000, 100],
];

describe('GET /v1/credit_notes', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({
      settings: { TRADELINE_WORKER: 'off' },
      platform: { financing_currencies: ['JPY'] },
    });
    for (const external_id of ['b1', 'b2']) await world.post('/v1/buyers', buyerBody({ external_id }));
    for (const external_id of ['m1', 'm2']) await world.post('/v1/merchants', merchantBody({ external_id }));
    for (const [external_id, buyer, merchant, reason_code, currency, gross, created, date] of NOTES) {
      const amount = { net: 1_000, gross: 1_000, currency };
      const of = { buyer_external_id: buyer, merchant_external_id: merchant };
      await world.post('/v1/invoices', invoiceBody({ external_id: `i-${external_id}`, amount, ...of }));
      const credited = { reason_code, amount: { net: gross, gross } };
      const { status } = await world.post(
        '/v1/credit_notes',
        creditNoteBody({ external_id, invoice_external_id: `i-${external_id}`, ...credited }),
      );
      expect(status).toBe(201);
      // The test sets the times directly: it is only about lists.
      await world.sql('update credit_notes set created_at = $2, invoiced_at = $3 where external_id = $1', [
        ...[external_id, created, date],
      ]);
    }
    const { apiKey: key } = await world.addPlatform();
    await world.post('/v1/buyers', buyerBody({}), { key });
    await world.post('/v1/merchants', merchantBody({}), { key });
    await world.post('/v1/invoices', invoiceBody({}), { key });
    await world.post('/v1/credit_notes', creditNoteBody({ external_id: 'theirs' }), { key });
  });
  afterAll(() => world.close());

  const list = (query: string, key?: string) =>
    world.get(`/v1/credit_notes?${query}`, key === undefined ? {} : { key });
  const listed = async (query: string, key?: string) => {
    const { status, body } = await list(query, key);
    expect({ status, body }).toMatchObject({ status: 200 });
    return body.items.map(({ external_id }: { external_id: string }) => external_id).join('');
  };

  it.each([
    ['', 'edbca'],
    ['external_id=a,c,unknown', 'ca'],
    ['external_id=theirs', ''],
    ['invoice_external_id=i-d', 'd'],
    ['buyer_external_id=b1', 'ba'],
    ['merchant_external_id=m1', 'ca'],
    ['reason_code=RETURN,OTHER', 'dca'],
    ['currency=JPY', 'eb'],
    ['created_at=2000..3000', 'dbc'],
    ['invoiced_at=..200', 'ed'],
    ['amount_gross=300', 'dc'],
    ['reason_code=PRICE&buyer_external_id=b2', 'e'],
    ['sort_by=created_at', 'abcde'],
    ['sort_by=invoiced_at', 'edcba'],
    ['sort_by=-amount_gross', 'ecdba'],
    ['sort_by=external_id', 'abcde'],
  ])('%s', async (query, expected) => {
    expect(await listed(query)).toBe(expected);
  });

  it('shows each as it is on its own', async () => {
    const { body } = await list('external_id=d');
    expect(body.items).toEqual([(await world.get('/v1/credit_notes/d')).body]);
  });

  it('shows a key of one merchant the credit notes of that merchant only', async () => {
    const key = await world.addKey({ merchantExternalId: 'm1' });
    expect(await listed('', key)).toBe('ca');
    expect((await list('merchant_external_id=m2', key)).body.reason).toBe('MERCHANT_NOT_ALLOWED');
  });

  describePaging(list, ['e', 'd', 'b', 'c', 'a']);
});
