import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { draftOrderBody, merchantBody } from '#test/bodies';
import { addDebtor } from '#test/credit';
import { tablesHolding } from '#test/stored';
import { createWorld, type World } from '#test/world';

const ADDRESS = { street: 'Marktplatz', house: '3', postcode: '28195', city: 'Bremen', country: 'DE' };

/** An order with its payment term accepts all fields of a draft. */
describe.each([
  ['POST /v1/orders/draft', '/v1/orders/draft', {}],
  ['POST /v1/orders', '/v1/orders', { payment_method: 'TRANSFER', payment_term: 'PREPAYMENT' }],
])('%s, with details for the invoice', (_, path, term) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
    await addDebtor(world, { buyer: 'buyer', totalMinor: 20_000 });
    await world.post('/v1/merchants', merchantBody({}));
  });
  afterAll(() => world.close());

  const send = (external_id: string, more: object) =>
    world.post(path, draftOrderBody({ external_id, ...term, ...more }));

  it('returns what was sent, and null for the rest', async () => {
    const details = { purchase_order_number: 'PO 4711', invoice_email: 'rechnung@kontor.example' };
    const { status, body } = await send('with', { ...details, billing_address: ADDRESS });
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...details, billing_address: { ...ADDRESS, additional: null } });
    expect((await world.get('/v1/orders/with')).body).toEqual(body);
    const none = { purchase_order_number: null, invoice_email: null, billing_address: null };
    expect((await send('without', {})).body).toMatchObject(none);
    expect((await send('null', none)).body).toMatchObject(none);
  });

  it('stores the address for invoices sealed', async () => {
    await send('sealed', { invoice_email: 'secret-mailbox@kontor.example' });
    expect(await tablesHolding(world, ['secret-mailbox'])).toEqual([]);
  });

  it.each([
    ['purchase_order_number', 'x'.repeat(71)],
    ['purchase_order_number', 'two\nlines'],
    ['invoice_email', 'nobody'],
    ['billing_address', { country: 'Germany' }],
  ])('refuses %s %j', async (field, value) => {
    const { status, body } = await send('refused', { [field]: value });
    expect(status).toBe(400);
    expect(body.issues[0].path).toMatch(new RegExp(`^body\\.${field}`));
  });
});
