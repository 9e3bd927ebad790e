import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ApplicationOptions,
  addOrdinaryBuyer,
  assessed,
  NOBODY,
  riskSourceOf,
} from '#test/credit-applications';
import { NO_ADDRESS } from '#test/registry-entry';
import { createWorld, type World } from '#test/world';
import { isElsewhere } from './assessment.rules.ts';
import { pruneApplications } from './credit-application.queries.ts';
import { behaviourInputs, NO_BEHAVIOUR } from './paying-behaviour.rules.ts';

/** 2025-11-20 12:00 UTC. */
const NOW = 1_763_640_000;
const DAY = 86_400;

let world: World;
beforeAll(async () => {
  world = await createWorld();
  world.clock.set(NOW);
  await addOrdinaryBuyer(world, 'kontor');
});
afterAll(() => world.close());

async function buyer(external_id: string, more: object = {}): Promise<string> {
  await addOrdinaryBuyer(world, external_id, more);
  return external_id;
}

describe('an assessment', () => {
  it('stores the default policy as version 1 at the first assessment, under any number of concurrent ones', async () => {
    const { platform, apiKey } = await world.addPlatform();
    await addOrdinaryBuyer(world, 'first', {}, { key: apiKey });
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
      limitMinor: 3_000_000,
      riskBand: 'B2',
      priceClass: 'B',
      script: null,
    });
    expect(inputs).toEqual({
      subject: 'FACILITY_CREATION',
      applicant_proof: 'NOT_ASKED',
      registry_status: 'ACTIVE',
      name_matches: true,
      identity_source: 'REGISTRY',
      vouched_by: 'NOBODY',
      email_domain: null,
      delivery_differs: false,
      is_first_order: true,
      applications_24h_company: expect.any(Number),
      applications_24h_email_domain: 0,
      applications_24h_address: 0,
      email_domains_24h_company: 1,
      legal_form: 'LIMITED_COMPANY',
      legal_form_source: 'REGISTRY',
      country: 'DE',
      currency: 'EUR',
      company_age_years: 5,
      company_age_source: 'REGISTRY',
      identifiers_given: 1,
      identifiers_verified: 1,
      months_on_platform: 0,
      ...behaviourInputs(NO_BEHAVIOUR, Number),
      days_past_due_max: 0,
      overdue_amount: 0,
      utilisation_percent: 0,
      requested_amount: null,
      order_amount: null,
      existing_exposure: 0,
      existing_limit: null,
      entity_buyers: 0,
      entity_limit: 0,
      entity_in_other_currency: false,
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

  it('takes the age from the registry, and marks one that only the buyer gives', async () => {
    const since2005 = { incorporatedAt: Date.UTC(2005, 0, 1) / 1_000 };
    await addOrdinaryBuyer(world, 'backstube', {}, { entry: since2005 });
    expect((await assessed(world, 'backstube')).inputs).toMatchObject({
      company_age_years: 20,
      company_age_source: 'REGISTRY',
    });
    await addOrdinaryBuyer(world, 'boastful', {}, { entry: { incorporatedAt: null } });
    const { inputs, limitMinor } = await assessed(world, 'boastful');
    expect(inputs).toMatchObject({ company_age_years: 5, company_age_source: 'SELF_DECLARED' });
    expect(limitMinor).toBe(1_200_000);
  });

  it('stores which registries it found the company in, and who knows the applicant', async () => {
    const voucher = { by: 'REVIEWER', decisionId: 'd', at: NOW - DAY } as const;
    const { sources, inputs } = await assessed(world, 'kontor', {
      application: { spokesperson: { ...NOBODY, voucher } },
    });
    expect(sources).toContainEqual({
      name: 'COMPANY_REGISTER',
      at: NOW,
      data: { registries: 'TEST', unanswered: 0 },
    });
    expect(sources).toContainEqual({ name: 'REVIEWER', at: NOW - DAY, data: { decision_id: 'd' } });
    expect(inputs).toMatchObject({ vouched_by: 'REVIEWER', identity_source: 'REGISTRY' });
  });

  it('counts applications for the company, from the domain and to the address, for a day and at most 100', async () => {
    await addOrdinaryBuyer(world, 'wanted');
    const from = (domain: string, street: string) => ({
      application: {
        spokesperson: {
          ...NOBODY,
          email: `kim@${domain}`,
          deliveryAddress: {
            street,
            house: '1',
            postcode: '53111',
            city: 'Ulm',
            country: 'DE',
            additional: null,
          },
        },
      },
    });
    const counts = async (options: ApplicationOptions) => {
      const { inputs } = await assessed(world, 'wanted', options);
      return [
        inputs.applications_24h_company,
        inputs.applications_24h_email_domain,
        inputs.applications_24h_address,
        inputs.email_domains_24h_company,
      ];
    };
    expect(await counts(from('a.example', 'Deich'))).toEqual([1, 1, 1, 1]);
    expect(await counts(from('b.example', 'DEICH'))).toEqual([2, 1, 2, 2]);
    expect(await counts(from('A.example', 'Weg'))).toEqual([3, 2, 1, 2]);
    const renewal = {
      application: { ...from('a.example', 'Weg').application, subject: 'FACILITY_RENEWAL' as const },
    };
    expect(await counts(renewal)).toEqual([3, 2, 1, 2]);
    const withoutAddress = { application: { spokesperson: NOBODY } };
    expect((await counts(withoutAddress)).at(-1)).toBe(3);
    world.clock.set(NOW + DAY);
    expect(await counts(from('a.example', 'Deich'))).toEqual([1, 1, 1, 1]);
    const flood = Array.from({ length: 150 }, () => assessed(world, 'wanted', from('a.example', 'Deich')));
    const seen = (await Promise.all(flood)).map(({ inputs }) => inputs.applications_24h_company);
    expect(Math.max(...seen)).toBe(100);
    expect(await pruneApplications(world.installation.db, NOW + 3 * DAY, 1_000)).toBeGreaterThan(150);
    world.clock.set(NOW);
  });

  it('knows a delivery elsewhere by country and postcode, however they are written', async () => {
    const to = async (postcode: string | null, country: string, city = 'X') => {
      const deliveryAddress = { street: null, house: null, postcode, city, country, additional: null };
      const { inputs } = await assessed(world, 'kontor', {
        application: { spokesperson: { ...NOBODY, deliveryAddress } },
      });
      return inputs.delivery_differs;
    };
    expect(await to('10 435', 'DE')).toBe(false);
    expect(await to('10436', 'DE')).toBe(true);
    expect(await to('10435', 'AT')).toBe(true);
    expect(await to(null, 'DE', 'BERLIN')).toBe(false);
    expect(await to(null, 'DE', 'Bonn')).toBe(true);
  });

  it.each([
    ['the city, of a seat without a postcode', { city: 'Köln' }, { city: 'KÖLN' }, false],
    ['another city than that of the seat', { city: 'Köln' }, { city: 'Bonn' }, true],
    ['another country than that of the seat', { country: 'AT' }, {}, true],
    ['the business address, of a seat without both', {}, {}, false],
    ['elsewhere than to the business address, of a seat without both', {}, { postcode: '50667' }, true],
  ])('knows a delivery to %s', async (_where, seat, to, differs) => {
    const business = { ...NO_ADDRESS, postcode: '10435', city: 'Berlin', country: 'DE' };
    expect(isElsewhere({ ...business, ...to }, business, { ...NO_ADDRESS, country: 'DE', ...seat })).toBe(
      differs,
    );
  });

  it('gives the score of the risk source to the policy, and keeps its facts', async () => {
    const deps = { riskSource: riskSourceOf(30, { model: 'v2' }) };
    const { inputs, limitMinor, sources } = await assessed(world, 'kontor', { deps });
    expect([inputs.risk_source_score, limitMinor]).toEqual([30, 1_500_000]);
    expect(sources.at(-1)).toEqual({ name: 'TEST_SERVICE', at: NOW - 60, data: { score: 30, model: 'v2' } });
  });
});

describe('a sandbox script', () => {
  const overdue = { daysPastDueMax: 99 };
  const renewal = { subject: 'FACILITY_RENEWAL', existingLimitMinor: 1_000_001 } as const;

  it.each([
    ['accepted', {}, 'ACCEPT', 3_000_000, null],
    ['accepted', overdue, 'ACCEPT', 1_000_000, null],
    ['accepted', { requestedMinor: 777 }, 'ACCEPT', 777, null],
    ['in-review', {}, 'REFER', 3_000_000, null],
    ['review-then-accept', overdue, 'REFER', 1_000_000, 'ACCEPT'],
    ['review-then-reject', {}, 'REFER', 3_000_000, 'REJECT'],
    ['rejected', {}, 'REJECT', null, null],
    ['low-limit', {}, 'ACCEPT', 10_000, null],
    ['renewal-lower', {}, 'ACCEPT', 3_000_000, null],
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
