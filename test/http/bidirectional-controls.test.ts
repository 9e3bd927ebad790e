import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { issuesOf } from '#test/paging';
import { createWorld, type World } from '#test/world';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await world.post('/v1/merchants', merchantBody({ external_id: 'm1' }));
  await world.post('/v1/buyers', buyerBody({ external_id: 'b1' }));
});
afterAll(() => world.close());

const CONTROLS = [...'\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'];
const hostile = (control: string) => `Caf${control}é Morgenrot`;
const address = { postcode: '10435', city: 'Berlin', country: 'DE' };
const line = { name: 'Beans', category: 'Food', price: 100, quantity: 1 };
const order = (more: object) =>
  draftOrderBody({ external_id: 'o', buyer_external_id: 'b1', merchant_external_id: 'm1', ...more });

/** Every field that readers see as a name. */
const NAMES: [path: string, field: string, body: (text: string) => object][] = [
  ['/v1/buyers', 'body.legal_name', (text) => buyerBody({ legal_name: text })],
  ['/v1/buyers', 'body.trading_name', (text) => buyerBody({ trading_name: text })],
  [
    '/v1/buyers',
    'body.business_address.city',
    (text) => buyerBody({ business_address: { ...address, city: text } }),
  ],
  [
    '/v1/buyers',
    'body.business_address.street',
    (text) => buyerBody({ business_address: { ...address, street: text } }),
  ],
  ['/v1/merchants', 'body.legal_name', (text) => merchantBody({ legal_name: text })],
  ['/v1/merchants', 'body.trading_name', (text) => merchantBody({ trading_name: text })],
  [
    '/v1/contacts',
    'body.first_name',
    (text) => ({ external_id: 'c', buyer_external_id: 'b1', first_name: text }),
  ],
  [
    '/v1/contacts',
    'body.last_name',
    (text) => ({ external_id: 'c', buyer_external_id: 'b1', last_name: text }),
  ],
  ['/v1/orders/draft', 'body.line_items.0.name', (text) => order({ line_items: [{ ...line, name: text }] })],
  [
    '/v1/orders/draft',
    'body.line_items.0.category',
    (text) => order({ line_items: [{ ...line, category: text }] }),
  ],
];

describe('bidirectional controls are refused in names', () => {
  it.each(NAMES)('of %s: %s', async (path, field, body) => {
    for (const control of CONTROLS)
      expect(issuesOf((await world.post(path, body(hostile(control)))).body)).toEqual([
        `INVALID_VALUE ${field}`,
      ]);
  });

  it('but right-to-left letters are accepted', async () => {
    const body = buyerBody({ external_id: 'rtl', legal_name: 'קפה שחר', trading_name: 'مقهى الفجر' });
    expect((await world.post('/v1/buyers', body)).status).toBe(201);
  });

  it('but accepted in free text', async () => {
    const comment = 'שלום \u2067Tradeline\u2069';
    const reply = await world.post('/v1/orders/draft', order({ external_id: 'free-text', comment }));
    expect([reply.status, reply.body.comment]).toEqual([201, comment]);
  });
});
