/** Every field of Invoice service and of Payout instruction, as the service description lists them, in every response that has one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invoiceBody, merchantBody } from '#test/bodies';
import {
  addFinanceableInvoice,
  addFinancedParties,
  DAY,
  FINANCING_STARTS,
  requestFinancing,
} from '#test/financing';
import { createWorld, type World } from '#test/world';

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  world.clock.set(FINANCING_STARTS);
  await addFinancedParties(world);
});
afterAll(() => world.close());

const id = expect.stringMatching(/^[a-zA-Z0-9_-]{1,100}$/);
const described = expect.stringMatching(/^[A-Z].*\.$/);

/** service.md §2, Invoice service. Our additional fields come after those of the description. */
const ACCEPTED = {
  external_id: id,
  invoice_external_id: 'invoice',
  service_type: 'FINANCING',
  status: 'ACCEPTED',
  created_at: FINANCING_STARTS,
  updated_at: FINANCING_STARTS,
  requirements: [],
  advance: { value: 11_750, currency: 'EUR' },
  fee: { gross: 150, net: 126, tax: 24, currency: 'EUR', tax_category: 'S', tax_basis_points: 1_900 },
  merchant_external_id: 'merchant',
  terms_accepted_at: FINANCING_STARTS - DAY,
  requested_payout_at: FINANCING_STARTS + 8 * DAY,
  base_amount: 11_900,
  set_off_amount: 0,
  accepted_at: FINANCING_STARTS,
  paid_out_at: null,
};

describe('the fields of a service', () => {
  it('are those of the description, on every answer that shows it', async () => {
    await addFinanceableInvoice(world, { external_id: 'invoice' });
    const terms = { terms_accepted_at: FINANCING_STARTS - DAY, payout_at: FINANCING_STARTS + 8 * DAY };
    const requested = await requestFinancing(world, 'invoice', terms);
    expect(requested.body).toEqual(ACCEPTED);
    const service = requested.body;
    const get = async (path: string) => (await world.get(`/v1/invoices${path}`)).body;
    expect(await get('/invoice/services/FINANCING')).toEqual(service);
    expect((await get('/invoice/services')).items).toEqual([service]);
    expect((await get('/invoice?expand=services')).services).toEqual([service]);
    expect((await get('?expand=services')).items[0].services).toEqual([service]);
    expect(await get('/invoice')).not.toHaveProperty('services');
    expect((await get('')).items[0]).not.toHaveProperty('services');
    const cancelled = await world.post('/v1/invoices/invoice/services/FINANCING/cancel');
    expect(cancelled.body).toEqual({ ...service, status: 'CANCELLED' });
  });

  it('have everything that is not met while it waits, with a code and a description', async () => {
    await world.post('/v1/merchants', merchantBody({ external_id: 'no-account' }));
    const due_at = FINANCING_STARTS + 30 * DAY;
    const parties = { merchant_external_id: 'no-account', buyer_external_id: 'buyer' };
    await world.post('/v1/invoices', invoiceBody({ external_id: 'waiting', due_at, ...parties }));
    await world.post('/v1/invoices/waiting/payments', { amount: 1 });
    const { body } = await requestFinancing(world, 'waiting');
    expect(body).toEqual({
      ...ACCEPTED,
      ...{ invoice_external_id: 'waiting', merchant_external_id: 'no-account', status: 'IN_REVIEW' },
      requirements: [
        { code: 'INVOICE_INELIGIBLE', description: described },
        { code: 'NO_VERIFIED_PAYOUT_INSTRUCTION', description: described },
        { code: 'NO_INVOICE_FILE_FOUND', description: described },
      ],
      ...{ terms_accepted_at: FINANCING_STARTS, requested_payout_at: null, accepted_at: null },
    });
  });

  it('are zero and null where a service has no fee', async () => {
    const terms = { terms_accepted_at: FINANCING_STARTS };
    const { body } = await world.post('/v1/invoices/waiting/services/INSURANCE', terms);
    expect(body).toEqual({
      ...ACCEPTED,
      ...{ invoice_external_id: 'waiting', merchant_external_id: 'no-account' },
      ...{ service_type: 'INSURANCE', status: 'IN_REVIEW', accepted_at: null },
      ...{ terms_accepted_at: FINANCING_STARTS, requested_payout_at: null },
      fee: { gross: 0, net: 0, tax: 0, currency: 'EUR', tax_category: null, tax_basis_points: null },
      advance: { value: 0, currency: 'EUR' },
    });
    const { services } = (await world.get('/v1/invoices/waiting?expand=services')).body;
    expect(services.map((each: { service_type: string }) => each.service_type)).toEqual([
      'FINANCING',
      'INSURANCE',
    ]);
  });
});

const SEPA = {
  beneficiary_name: 'Nordlicht Kaffeerösterei GmbH',
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
};
const VARIANTS = {
  SEPA,
  FPS: { beneficiary_name: 'Roastery Ltd', sort_code: '200000', account_number: '55779911' },
  SWIFT: {
    beneficiary_name: 'Roastery KK',
    account_number: '1234567',
    bic: 'MHCBJPJT',
    bank_name: 'Mizuho Bank',
    bank_address: 'Tokyo',
  },
};

describe.each(Object.entries(VARIANTS))('the fields of a payout instruction, %s', (type, details) => {
  it('are those of the description, on every answer that shows it', async () => {
    const external_id = `instruction-${type.toLowerCase()}`;
    await world.post('/v1/merchants', merchantBody({ external_id: type }));
    const body = { external_id, merchant_external_id: type, type, ...details };
    const created = await world.post('/v1/payout_instructions', body);
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      ...body,
      is_verified: false,
      ...{ created_at: FINANCING_STARTS, updated_at: FINANCING_STARTS },
      ...{ status: 'UNVERIFIED', payable_from: FINANCING_STARTS },
    });
    const path = `/v1/payout_instructions/${external_id}`;
    expect((await world.get(path)).body).toEqual(created.body);
    const list = await world.get(`/v1/payout_instructions?merchant_external_id=${type}`);
    expect(list.body.items).toEqual([created.body]);
    const verified = await world.post('/v1/sandbox/payout_instructions', { external_id, trigger: 'verify' });
    expect(verified.body).toEqual({ ...created.body, is_verified: true, status: 'VERIFIED' });
    const replaced = await world.put(path, { type, ...details });
    expect(replaced.body).toEqual({ ...created.body, payable_from: FINANCING_STARTS + DAY });
    expect((await world.delete(path)).text).toBe('null');
  });
});
