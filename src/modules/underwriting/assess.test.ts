import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCompanies } from '#modules/registry';
import { assessed, ordinaryBuyer, riskSourceOf } from '#test/credit-applications';
import { createWorld, type World } from '#test/world';
import { behaviourInputs, NO_BEHAVIOUR } from './paying-behaviour.rules.ts';

/** 2025-11-20 12:00 UTC. */
const NOW = 1_763_640_000;
const DAY = 86_400;

let world: World;
beforeAll(async () => {
  world = await createWorld();
  world.clock.set(NOW);
  await world.post('/v1/buyers', ordinaryBuyer(world, { external_id: 'kontor' }));
});
afterAll(() => world.close());

async function buyer(external_id: string, more: object = {}): Promise<string> {
  const reply = await world.post('/v1/buyers', ordinaryBuyer(world, { external_id, ...more }));
  expect(reply.status).toBe(201);
  return external_id;
}

describe('an assessment', () => {
  it('stores the default policy as version 1 at the first assessment, under any number of concurrent ones', async () => {
    const { platform, apiKey } = await world.addPlatform();
    await world.post('/v1/buyers', ordinaryBuyer(world, { external_id: 'first' }), { key: apiKey });
    const options = { application: { platformId: platform.platform_id } };
    const all = await Promise.all(Array.from({ length: 8 }, () => assessed(world, 'first', options)));
    expect(all.map(({ policyVersion }) => policyVersion)).toEqual(Array(8).fill(1));
    const stored = await world.sql(
      'select version, name, created_by from credit_policies where platform_id = $1',
      [platform.platform_id],
    );
    expect(stored).toEqual([{ version: 1, name: 'default', created_by: 'Tradeline' }]);
    const active = await world.sql('select version from credit_policy_activations where platform_id = $1', [
      platform.platform_id,
    ]);
    expect(active).toHaveLength(1);
  });

  it('accepts an ordinary company, and names the inputs', async () => {
    const { outcome, limitMinor, riskBand, priceClass, inputs, sources, script } = await assessed(
      world,
      'kontor',
    );
    expect({ outcome, limitMinor, riskBand, priceClass, script }).toEqual({
      outcome: 'ACCEPT',
      limitMinor: 2_500_000,
      riskBand: 'B2',
      priceClass: 'B',
      script: null,
    });
    expect(inputs).toEqual({
      subject: 'FACILITY_CREATION',
      applicant_proof: 'NOT_ASKED',
      legal_form: 'LIMITED_COMPANY',
      country: 'DE',
      currency: 'EUR',
      company_age_years: 5,
      identifiers_given: 1,
      identifiers_verified: 0,
      months_on_platform: 0,
      ...behaviourInputs(NO_BEHAVIOUR, Number),
      days_past_due_max: 0,
      overdue_amount: 0,
      utilisation_percent: 0,
      requested_amount: null,
      existing_exposure: 0,
      existing_limit: null,
      risk_source_score: null,
    });
    expect(sources.map(({ name, at }) => [name, at])).toEqual([
      ['BUYER', NOW],
      ['COMPANY_REGISTER', NOW],
      ['PLATFORM_HISTORY', NOW],
      ['LOCAL', NOW],
    ]);
  });

  it('counts amounts in whole units, rounded up, and keeps them exact outside', async () => {
    const application = {
      subject: 'FACILITY_RENEWAL',
      requestedMinor: 123_401,
      existingLimitMinor: 1_000_000,
      exposureMinor: 999_901,
      overdueMinor: 1,
      daysPastDueMax: 3,
      behaviour: {
        ordersClosed: 4,
        paid: [],
        defaults: [{ period: 'YEAR_BEFORE', defaults: 1, amountMinor: 101n }],
      },
    } as const;
    const { inputs, limitMinor } = await assessed(world, 'kontor', { application });
    expect(inputs).toMatchObject({
      requested_amount: 1_235,
      existing_limit: 10_000,
      existing_exposure: 10_000,
      overdue_amount: 1,
      utilisation_percent: 99,
      days_past_due_max: 3,
      orders_closed: 4,
      defaults_12m: 0,
      defaults_24m: 1,
      default_amount_24m: 2,
    });
    expect(limitMinor).toBe(123_401);
  });

  it('supports currencies without minor units', async () => {
    const application = { currency: 'JPY', requestedMinor: 1_000 } as const;
    const { inputs, limitMinor } = await assessed(world, 'kontor', { application });
    expect([inputs.requested_amount, limitMinor]).toEqual([1_000, 1_000]);
  });

  it.each([
    ['a day before its birthday', Date.UTC(2023, 10, 21), 1],
    ['on its birthday', Date.UTC(2023, 10, 20), 2],
    ['founded tomorrow', Date.UTC(2025, 10, 21), 0],
    ['as old as the calendar of computers', 0, 55],
  ])('counts the years of a company %s', async (what, instant, years) => {
    const id = await buyer(`aged-${what.replaceAll(' ', '-')}`, { incorporated_at: instant / 1_000 });
    expect((await assessed(world, id)).inputs.company_age_years).toBe(years);
  });

  it('counts identifiers of the state, and the months since the buyer signed up', async () => {
    const id = await buyer('signed-up', {
      registered_at: NOW - 65 * DAY,
      business_identifiers: [
        { type: 'TAX_ID', value: '27/123/45678', country: 'DE' },
        { type: 'REGISTER_ID', value: 'HRB 7', country: 'DE' },
        { type: 'AGENCY1_ID', value: '4711', country: 'DE' },
      ],
    });
    expect((await assessed(world, id)).inputs).toMatchObject({ identifiers_given: 2, months_on_platform: 2 });
  });

  it('finds identifiers in the registry, and there the age that the buyer did not give', async () => {
    const identifiers = [{ type: 'REGISTER_ID', value: 'HRB 4711', country: 'DE' }] as const;
    await writeCompanies(
      world.installation.db,
      [
        {
          registry: 'TEST',
          registryKey: '1',
          legalName: 'Backstube Süd GmbH',
          tradingName: null,
          otherNames: [],
          legalForm: 'GmbH',
          elfCode: null,
          address: { street: null, house: null, additional: null, postcode: '1', city: 'Ulm', country: 'DE' },
          identifiers: [...identifiers],
          incorporatedAt: Date.UTC(2005, 0, 1) / 1_000,
          website: null,
          isActive: true,
        },
      ],
      NOW - DAY,
    );
    const id = await buyer('backstube', {
      legal_name: 'BACKSTUBE SUED GMBH',
      incorporated_at: null,
      business_identifiers: identifiers,
    });
    const { inputs, sources, limitMinor } = await assessed(world, id);
    expect(inputs).toMatchObject({ identifiers_verified: 1, company_age_years: 20 });
    expect(sources[1]).toEqual({ name: 'COMPANY_REGISTER', at: NOW - DAY, data: { registries: 'TEST' } });
    expect(limitMinor).toBe(3_000_000);
    const other = await buyer('another-name', { business_identifiers: identifiers, incorporated_at: null });
    expect((await assessed(world, other)).inputs).toMatchObject({
      identifiers_verified: 0,
      company_age_years: null,
    });
  });

  it('gives the score of the risk source to the policy, and keeps its facts', async () => {
    const deps = { riskSource: riskSourceOf(30, { model: 'v2' }) };
    const { inputs, limitMinor, sources } = await assessed(world, 'kontor', { deps });
    expect([inputs.risk_source_score, limitMinor]).toEqual([30, 1_250_000]);
    expect(sources.at(-1)).toEqual({ name: 'TEST_SERVICE', at: NOW - 60, data: { score: 30, model: 'v2' } });
  });
});

describe('a sandbox script', () => {
  const overdue = { daysPastDueMax: 99 };
  const renewal = { subject: 'FACILITY_RENEWAL', existingLimitMinor: 1_000_001 } as const;

  it.each([
    ['accepted', {}, 'ACCEPT', 2_500_000, null],
    ['accepted', overdue, 'ACCEPT', 1_000_000, null],
    ['accepted', { requestedMinor: 777 }, 'ACCEPT', 777, null],
    ['in-review', {}, 'REFER', 2_500_000, null],
    ['review-then-accept', overdue, 'REFER', 1_000_000, 'ACCEPT'],
    ['review-then-reject', {}, 'REFER', 2_500_000, 'REJECT'],
    ['rejected', {}, 'REJECT', null, null],
    ['low-limit', {}, 'ACCEPT', 10_000, null],
    ['renewal-lower', {}, 'ACCEPT', 2_500_000, null],
    ['renewal-lower', renewal, 'ACCEPT', 500_000, null],
    ['payout-fails', overdue, 'ACCEPT', 1_000_000, null],
  ] as const)('%s with %j: %s %s', async (script, application, outcome, limitMinor, reviewEnds) => {
    const assessment = await assessed(world, 'kontor', { script, application });
    expect(assessment).toMatchObject({ outcome, limitMinor, reviewEnds, script });
    expect(assessment.reasons[0]).toBe('SANDBOX_SCRIPT');
    const isAccepted = outcome === 'ACCEPT';
    if (isAccepted) expect(assessment.riskBand).toMatch(/^[A-D][12]$/);
    if (isAccepted) expect(assessment.priceClass).toMatch(/^[A-D]$/);
    if (outcome === 'REJECT') expect([assessment.riskBand, assessment.priceClass]).toEqual(['REJECT', null]);
  });
});
