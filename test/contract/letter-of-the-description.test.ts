/** Sentences of the service description that earlier versions violated, each quoted above its test. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PAYMENT_METHODS } from '#kernel/payment-term';
import { activateMerchant, deactivateMerchant } from '#modules/merchants';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { addBuyer, addFacility } from '#test/facilities';
import { operate } from '#test/operator';
import { issuesOf } from '#test/paging';
import { createWorld, type World } from '#test/world';

const DAY = 86_400;

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

describe('PUT /v1/buyers/{external_id}', () => {
  // service.md §4: "Body fields: trading_name (string or null), legal_name (string), legal_form (enum), registered_at
  // (number or null), incorporated_at (number or null), business_identifiers (array), business_address (Address),
  // delivery_address (Address or null), custom_data (object or null)."
  const described = {
    trading_name: null,
    legal_name: 'Café Morgenrot eG',
    legal_form: 'COOPERATIVE',
    registered_at: null,
    incorporated_at: null,
    business_identifiers: [],
    business_address: { postcode: '10435', city: 'Berlin', country: 'DE' },
    delivery_address: null,
    custom_data: null,
  };

  it('with exactly the described fields keeps the contact_email, which null clears', async () => {
    const path = '/v1/buyers/described';
    await world.post('/v1/buyers', { external_id: 'described', ...described, contact_email: 'a@b.example' });
    expect(await world.put(path, described)).toMatchObject({
      status: 200,
      body: { contact_email: 'a@b.example' },
    });
    const cleared = await world.put(path, { ...described, contact_email: null });
    expect(cleared.body.contact_email).toBeNull();
    expect((await world.put(path, described)).body.contact_email).toBeNull();
  });
});

// service.md §4: "For a partial change, read the buyer, merge, send the complete object."
describe('read, merge, send the complete object', () => {
  const put = (path: string, body: unknown, etag?: string | null) =>
    world.put(path, body, etag ? { headers: { 'if-match': etag } } : {});
  const readers = [
    [
      '/v1/buyers/whole',
      { trading_name: 'Abendrot' },
      ['external_id', 'created_at', 'updated_at', 'registry'],
    ],
    ['/v1/buyers/whole?expand=contacts', { custom_data: { a: 1 } }, ['max_days_past_due', 'contacts']],
    ['/v1/buyers/whole/settings', { language: 'FR' }, []],
    ['/v1/contacts/whole', { phone: '+493012345678' }, ['external_id', 'created_at', 'updated_at']],
    ['/v1/merchants/whole', { trading_name: 'Nord' }, ['external_id', 'status', 'created_at', 'updated_at']],
  ] as const;
  /** A value of the field that is never the stored one. */
  const OTHERS: Record<string, unknown> = {
    external_id: 'other',
    created_at: 1,
    updated_at: 1,
    max_days_past_due: 9,
    registry: { registry: 'GLEIF', business_id: '1', is_active: true, fields: [], refreshed_at: 1 },
    contacts: [],
    status: 'INACTIVE',
  };

  beforeAll(async () => {
    await world.post('/v1/buyers', buyerBody({ external_id: 'whole', contact_email: 'a@b.example' }));
    const person = { buyer_external_id: 'whole', first_name: 'Ines', email: 'ines@b.example' };
    await world.post('/v1/contacts', { external_id: 'whole', ...person });
    await world.post('/v1/contacts', { external_id: 'another', ...person });
    await world.post(
      '/v1/merchants',
      merchantBody({ external_id: 'whole', contact_emails: ['m@b.example'] }),
    );
  });

  it.each(readers)('works for %s, with the ETag that was read', async (path, change) => {
    const [resource = ''] = path.split('?');
    const { body, headers } = await world.get(path);
    const same = await put(resource, body, headers.get('etag'));
    expect(same).toMatchObject({
      status: 200,
      body: JSON.parse(JSON.stringify({ ...body, contacts: undefined })),
    });
    const changed = await put(resource, { ...body, ...change }, headers.get('etag'));
    expect(changed).toMatchObject({ status: 200, body: change });
    expect((await put(resource, body, headers.get('etag'))).status).toBe(412);
  });

  it.each(readers.flatMap(([path, , names]) => names.map((name) => [path, name] as const)))(
    'refuses %s with another %s, by name',
    async (path, name) => {
      const [resource = ''] = path.split('?');
      const { body } = await world.get(path);
      const reply = await put(resource, { ...body, [name]: OTHERS[name] });
      expect(reply.status).toBe(400);
      expect(issuesOf(reply.body)).toEqual([`INVALID_VALUE body.${name}`]);
      expect((await world.get(path)).text).toBe(JSON.stringify(body));
    },
  );

  it('names every read-only field that differs, at once', async () => {
    const { body } = await world.get('/v1/merchants/whole');
    const reply = await put('/v1/merchants/whole', { ...body, created_at: 1, status: 'PENDING' });
    expect(issuesOf(reply.body)).toEqual(['INVALID_VALUE body.created_at', 'INVALID_VALUE body.status']);
  });

  it('works for a subscription, whose secret it leaves alone', async () => {
    await world.post('/v1/webhooks', { url: 'http://127.0.0.1:9/a', type: 'BUYER' });
    const [read] = (await world.get('/v1/webhooks')).body.items;
    const replaced = await put('/v1/webhooks/BUYER', { ...read, url: 'http://127.0.0.1:9/b' });
    const { health, ...shown } = read;
    expect(health.failures_in_row).toBe(0);
    const changed = { url: 'http://127.0.0.1:9/b', updated_at: expect.any(Number) };
    expect(replaced).toMatchObject({ status: 200, body: { ...shown, ...changed } });
    const refused = await put('/v1/webhooks/BUYER', { ...replaced.body, status: 'DISABLED' });
    expect(issuesOf(refused.body)).toEqual(['INVALID_VALUE body.status']);
  });
});

// service.md §4: "GET /v1/webhooks: List active subscriptions."
describe('GET /v1/webhooks', () => {
  it('lists active subscriptions; disabled ones with status=DISABLED only', async () => {
    for (const type of ['ORDER', 'FACILITY'])
      await world.post('/v1/webhooks', { url: 'http://127.0.0.1:9/', type });
    await world.sql("update webhook_subscriptions set status = 'DISABLED' where type = 'ORDER'");
    const typesOf = async (query: string) =>
      (await world.get(`/v1/webhooks${query}`)).body.items.map(({ type }: { type: string }) => type);
    expect(await typesOf('')).not.toContain('ORDER');
    expect(await typesOf('?status=DISABLED')).toEqual(['ORDER']);
    expect(await typesOf('?status=ACTIVE,DISABLED')).toEqual(expect.arrayContaining(['ORDER', 'FACILITY']));
  });
});

// service.md §8: "facility automatic renewal cycle: about 3 months", with §1: "request early renewal of a buyer's credit
// facility (renewed automatically about every three months otherwise)".
describe('the automatic renewal', () => {
  it('comes every 90 days: the new period begins where the old one ends', async () => {
    const { apiKey: key } = await world.addPlatform();
    const { body: clock } = await world.get('/v1/sandbox/clock', { key });
    await addBuyer(world, 'renewed', {}, { key });
    expect((await world.post('/v1/buyers/renewed/facility', {}, { key })).status).toBe(201);
    const granted = await world.get('/v1/buyers/renewed/facility', { key });
    const days = (at: number) => Math.round((at - clock.now) / DAY);
    expect(days(granted.body.expires_at)).toBe(90);
    const { body } = await world.post('/v1/sandbox/clock', { advance_seconds: 365 * DAY }, { key });
    const renewals = body.transitions.map(({ at, trigger }: { at: number; trigger: string }) => [
      trigger,
      days(at),
    ]);
    expect(renewals).toEqual([76, 166, 256, 346].map((day) => ['renew', day]));
    const renewed = await world.get('/v1/buyers/renewed/facility', { key });
    expect(renewed.body.expires_at).toBe(granted.body.expires_at + 4 * 90 * DAY);
  });
});

// service.md §2, Order: "payment_method: CASH, CARD, TRANSFER, DEBIT" and "payment_term: PREPAYMENT, DEFER_3D, …; available
// terms depend on criteria and are offered by a payment terms endpoint". decisions.md §1.16: "a term on credit goes with
// TRANSFER, or DEBIT with an active mandate; PREPAYMENT with any. A term whose first day has passed when the order is made is
// not available (ALREADY_DUE)".
describe('payment method and term', () => {
  let made = 0;
  const order = (more: object) =>
    world.post('/v1/orders', {
      ...draftOrderBody({ external_id: `paid-${++made}`, buyer_external_id: 'paying' }),
      ...{ payment_method: 'TRANSFER', payment_term: 'DEFER_30D', ...more },
    });
  const offers = async (query = '') =>
    (await world.get(`/v1/buyers/paying/payment_terms?gross_amount=11900${query}`)).body;
  const now = async () => (await world.get('/v1/meta')).body.time as number;
  beforeAll(async () => {
    await world.post('/v1/merchants', merchantBody({}));
    await addFacility(world, 'paying');
  });

  it('PREPAYMENT goes with any method', async () => {
    for (const payment_method of PAYMENT_METHODS)
      expect(await order({ payment_method, payment_term: 'PREPAYMENT' })).toMatchObject({
        status: 201,
        body: { payment_method, status: 'CONFIRMED' },
      });
  });

  it.each([
    ['DEBIT', 'NO_ACTIVE_MANDATE'],
    ['CARD', 'PAYMENT_METHOD'],
    ['CASH', 'PAYMENT_METHOD'],
  ])('a term on credit does not go with %s: %s', async (payment_method, reason) => {
    const refused = await order({ payment_method });
    expect(refused).toMatchObject({
      status: 422,
      body: { reason: 'PAYMENT_TERM_NOT_AVAILABLE', details: { unavailable_reason: reason } },
    });
    const { payment_terms: offered, unavailable_terms: others } = await offers(
      `&payment_method=${payment_method}`,
    );
    expect(offered).toMatchObject([{ payment_method, payment_term: 'PREPAYMENT' }]);
    expect(new Set(others.map((each: { reason: string }) => each.reason))).toEqual(new Set([reason]));
    expect((await order({})).status).toBe(201);
  });

  it('a term on credit goes with DEBIT while the buyer has an active mandate', async () => {
    const mandates = '/v1/buyers/paying/mandates';
    const mandate = await world.post(mandates, { iban: 'DE89370400440532013000' });
    expect(await order({ payment_method: 'DEBIT' })).toMatchObject({
      status: 201,
      body: { payment_method: 'DEBIT', payment_term: 'DEFER_30D' },
    });
    const { payment_terms: offered } = await offers('&payment_method=DEBIT');
    expect(offered).toContainEqual(
      expect.objectContaining({ payment_method: 'DEBIT', payment_term: 'DEFER_30D' }),
    );
    await world.post(`${mandates}/${mandate.body.reference}/revoke`);
    expect(await order({ payment_method: 'DEBIT' })).toMatchObject({
      status: 422,
      body: { details: { unavailable_reason: 'NO_ACTIVE_MANDATE' } },
    });
  });

  it('a term whose first day has passed when the order is made is not offered', async () => {
    const ordered_at = (await now()) - 31 * DAY;
    expect(await order({ ordered_at })).toMatchObject({
      status: 422,
      body: { reason: 'PAYMENT_TERM_NOT_AVAILABLE', details: { unavailable_reason: 'ALREADY_DUE' } },
    });
    expect((await order({ ordered_at, payment_term: 'DEFER_45D' })).status).toBe(201);
    const { payment_terms: offered, unavailable_terms: others } = await offers(`&ordered_at=${ordered_at}`);
    expect(others).toContainEqual({ payment_term: 'DEFER_30D', reason: 'ALREADY_DUE' });
    expect(others).not.toContainEqual({ payment_term: 'DEFER_45D', reason: 'ALREADY_DUE' });
    const [, first] = offered;
    expect(first).toMatchObject({
      payment_term: 'DEFER_45D',
      installments: [{ due_at: ordered_at + 45 * DAY }],
    });
    const future = await world.get(
      `/v1/buyers/paying/payment_terms?gross_amount=1&ordered_at=${(await now()) + 3_600}`,
    );
    expect(issuesOf(future.body)).toEqual(['IN_THE_FUTURE query.ordered_at']);
  });
});

// decisions.md §4: "Meta: GET /v1/meta (version, environment, time)".
it('GET /v1/meta answers version, environment and time', async () => {
  expect(await world.get('/v1/meta')).toMatchObject({
    status: 200,
    body: { version: expect.any(String), environment: 'sandbox', time: expect.any(Number) },
  });
});

// decisions.md §4: "Merchants: … status ENROLLED, PENDING, INACTIVE".
describe('a merchant', () => {
  it('can be PENDING, ENROLLED and INACTIVE, and only an enrolled one takes orders', async () => {
    const { apiKey: key, platform } = await world.addPlatform({ enrolls_merchants: false });
    const on = { ...world, platform };
    await world.post('/v1/merchants', merchantBody({}), { key });
    await world.post('/v1/buyers', buyerBody({}), { key });
    const input = { params: { external_id: 'merchant' }, body: { reason: 'because' } };
    let made = 0;
    const seen = async () => [
      (await world.get('/v1/merchants/merchant', { key })).body.status,
      (await world.post('/v1/orders/draft', draftOrderBody({ external_id: `d${++made}` }), { key })).status,
    ];
    expect(await seen()).toEqual(['PENDING', 422]);
    await operate(on, activateMerchant, input);
    expect(await seen()).toEqual(['ENROLLED', 201]);
    await operate(on, deactivateMerchant, input);
    expect(await seen()).toEqual(['INACTIVE', 422]);
    const inactive = await world.get('/v1/merchants?status=INACTIVE,PENDING', { key });
    expect(inactive.body).toMatchObject({ total: 1, items: [{ external_id: 'merchant' }] });
  });
});

// service.md §2, Platform: "financing_currencies: enabled for financing requests", "collection_currencies: enabled for
// collection requests", "payout_term", "has_erp_configuration", "min_payout_business_day: … at least 1". The commands that
// set them are in test/commands/platform-settings.test.ts.
it('a platform has the currencies, the payout days and the ERP configuration that it was given', async () => {
  const { apiKey: key } = await world.addPlatform({
    ...{ financing_currencies: ['EUR', 'PLN'], collection_currencies: ['GBP'], payout_term: 7 },
    ...{ min_payout_business_day: 3, has_erp_configuration: true },
  });
  expect((await world.get('/v1/platform', { key })).body).toMatchObject({
    ...{ financing_currencies: ['EUR', 'PLN'], collection_currencies: ['GBP'], payout_term: 7 },
    ...{ min_payout_business_day: 3, has_erp_configuration: true },
  });
});
