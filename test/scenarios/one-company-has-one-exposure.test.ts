/** Several buyers of one legal entity share its limit, even with concurrent requests, through the API and in the checkout. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BusinessIdentifier } from '#kernel/business-identifier';
import type { RegistryEntry } from '#modules/registry';
import { writeCompanies } from '#modules/registry';
import { approveOverride, decideReview, listReviews, proposeOverride } from '#modules/reviews';
import { defaultPolicy, exportDecision } from '#modules/underwriting';
import { buyerBody } from '#test/bodies';
import { type CheckoutWorld, COMPANY, createCheckout, PERSON, visit } from '#test/checkout';
import { grantFacility } from '#test/credit';
import { putInForce, uncounted, vatOf } from '#test/legal-entities';
import { operate } from '#test/operator';
import { patience } from '#test/patience';
import { NO_ADDRESS, registerId, registryEntry } from '#test/registry-entry';
import { createWorld, type World } from '#test/world';
import { contextOf } from '../../src/cli/operation-context.ts';

/** The limit that the default policy grants to one such company. */
const LIMIT = 3_000_000;

let world: World;
let checkout: CheckoutWorld;
let made = 0;
let number: BusinessIdentifier;
let vat: BusinessIdentifier;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  checkout = await createCheckout(world);
  await putInForce(world, world.platform.platform_id, uncounted(defaultPolicy().graph));
});
afterAll(() => world.close());

/** A company of the registry that no other test uses. */
beforeEach(async () => {
  number = registerId(`HRB ${600_000 + ++made}`);
  vat = vatOf(30_000_000 + made);
  await register();
});

const register = (more: Partial<RegistryEntry> = {}) =>
  writeCompanies(
    world.installation.db,
    [
      registryEntry({
        registryKey: number.value,
        legalName: COMPANY.legalName,
        tradingName: null,
        legalForm: 'eG',
        address: { ...NO_ADDRESS, postcode: COMPANY.postcode, city: COMPANY.city },
        identifiers: [number, vat],
        website: 'https://morgenrot.example',
        ...more,
      }),
    ],
    world.clock.now(),
  );

const named = (name: string) => `${name}-${made}`;
async function addBuyer(name: string, more: object = {}): Promise<string> {
  const body = buyerBody({ external_id: named(name), business_identifiers: [number], ...more });
  const { status, text } = await world.post('/v1/buyers', body);
  if (status !== 201) throw new Error(text);
  return body.external_id;
}
const apply = (buyer: string, body: object = {}) => world.post(`/v1/buyers/${buyer}/facility`, body);
const reasonsOf = async (buyer: string) => {
  const { items } = (await world.get(`/v1/buyers/${buyer}/decisions`)).body;
  return items[0].internal.reasons.map(({ code }: { code: string }) => code);
};
/** The sum of the limits of this test's buyers, in minor units. */
const limits = async () => {
  const rows = await world.sql<{ total: string }>(
    'select coalesce(sum(total_amount), 0) as total from facilities where buyer_external_id like $1',
    [`%-${made}`],
  );
  return Number(rows[0]?.total);
};

describe('a second buyer of a company', () => {
  it('goes to a person where the first one holds the whole limit', async () => {
    const [first, second] = [await addBuyer('first'), await addBuyer('second')];
    expect((await apply(first)).body).toMatchObject({ status: 'ACTIVE', total_amount: LIMIT });
    const answer = await apply(second);
    expect(answer).toMatchObject({ status: 202, body: { status: 'PENDING', total_amount: 0 } });
    expect((await reasonsOf(second))[0]).toBe('SAME_ENTITY');
  });

  it('gets what the first one has left', async () => {
    const [first, second] = [await addBuyer('first'), await addBuyer('second')];
    await apply(first, { requested_amount: 1_000_000 });
    expect((await apply(second)).body).toMatchObject({ status: 'ACTIVE', total_amount: LIMIT - 1_000_000 });
    expect(await reasonsOf(second)).toContain('SAME_ENTITY');
  });

  it('is found by the VAT id, by the trade register number, and by the entry of the registry', async () => {
    const byVat = await addBuyer('by-vat', { business_identifiers: [vat] });
    await apply(byVat);
    const byNumber = await addBuyer('by-number', { business_identifiers: [number] });
    expect((await apply(byNumber)).status).toBe(202);
    const spelled = { ...vat, value: `DE ${vat.value.slice(2, 5)} ${vat.value.slice(5)}` };
    const byBoth = await addBuyer('by-both', { business_identifiers: [spelled, number] });
    expect((await apply(byBoth)).status).toBe(202);
  });

  it('is not a company of another court with the same number', async () => {
    const other = { ...number, value: `${number.value}` };
    await register({ registry: 'OTHER', legalName: 'Bäckerei Abendrot eG', identifiers: [other] });
    const [first, second] = [
      await addBuyer('first'),
      await addBuyer('second', { legal_name: 'Bäckerei Abendrot eG' }),
    ];
    expect((await apply(first)).status).toBe(201);
    expect((await apply(second)).body).toMatchObject({ status: 'ACTIVE', total_amount: LIMIT });
  });

  it('goes to a person where the first one holds a limit in another currency', async () => {
    await world.sql(`update platforms set financing_currencies = '{GBP}' where platform_id = $1`, [
      world.platform.platform_id,
    ]);
    const [first, second] = [await addBuyer('first'), await addBuyer('second')];
    expect((await apply(first, { currency: 'GBP', requested_amount: 100 })).status).toBe(201);
    expect((await apply(second)).status).toBe(202);
    expect((await reasonsOf(second))[0]).toBe('SAME_ENTITY');
  });

  it('is counted with facilities of before, which have no keys yet', async () => {
    const first = await addBuyer('first');
    await grantFacility(world, { buyer: first, totalMinor: LIMIT });
    expect((await apply(await addBuyer('second'))).status).toBe(202);
  });
});

describe('many applications at once', () => {
  it('of two buyers hold one limit', { timeout: patience(60) }, async () => {
    const buyers = [await addBuyer('first'), await addBuyer('second', { business_identifiers: [vat] })];
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, nth) => apply(buyers[nth % 2] as string)),
    );
    expect(await limits()).toBe(LIMIT);
    for (const { status } of answers) expect([201, 202, 409]).toContain(status);
  });

  it('of twenty buyers hold one limit', { timeout: patience(60) }, async () => {
    const buyers = await Promise.all(Array.from({ length: 20 }, (_, nth) => addBuyer(`of-many-${nth}`)));
    await Promise.all(
      buyers.flatMap((buyer) => [1, 2].map(() => apply(buyer, { requested_amount: 700_000 }))),
    );
    expect(await limits()).toBe(LIMIT);
  });

  it('for higher limits hold one limit, with renewals among them', { timeout: patience(60) }, async () => {
    const buyers = [await addBuyer('first'), await addBuyer('second', { business_identifiers: [vat] })];
    for (const buyer of buyers) await apply(buyer, { requested_amount: 1_000_000 });
    await Promise.all(
      Array.from({ length: 40 }, (_, nth) => {
        const path = `/v1/buyers/${buyers[nth % 2]}/facility`;
        return nth % 5 === 0
          ? world.post(`${path}/renew`)
          : world.post(`${path}/increase`, { requested_amount: 2_500_000 });
      }),
    );
    expect(await limits()).toBeLessThanOrEqual(LIMIT);
  });

  it('in the checkout hold one limit', { timeout: patience(120) }, async () => {
    const come = async (nth: number) => {
      const visitor = await visit(
        checkout,
        (await checkout.draft({ buyer: { external_id: named(`guest-${nth}`) } })).token,
      );
      await visitor.enterCompany({ vatId: '', registerId: number.value });
      await visitor.sendDetails({ person: { email: `guest-${nth}@morgenrot.example` } });
      return visitor;
    };
    const visitors = await Promise.all(Array.from({ length: 20 }, (_, nth) => come(nth)));
    await Promise.all(visitors.flatMap((visitor) => [visitor.confirm(), visitor.confirm()]));
    expect(await limits()).toBe(LIMIT);
  });
});

describe('an invited stranger who picks the company of a customer', () => {
  it('waits for a person', async () => {
    await apply(await addBuyer('customer'), { requested_amount: 1_000_000 });
    const drafted = await checkout.draft({ buyer: { external_id: named('stranger') } });
    const visitor = await visit(checkout, drafted.token);
    await visitor.enterCompany({ vatId: vat.value });
    await visitor.enterDetails();
    expect(await visitor.view()).toMatchObject({ credit: 'UNDER_REVIEW' });
    expect((await reasonsOf(drafted.buyer))[0]).toBe('SAME_ENTITY');
    expect(await limits()).toBe(1_000_000);
  });
});

describe('a buyer that takes the numbers of another one', () => {
  it('keeps its limit until the next decision, which goes to a person', async () => {
    const [first, other] = [number, vat];
    const owner = await addBuyer('owner');
    await apply(owner);
    number = registerId(`HRB ${700_000 + made}`);
    vat = vatOf(40_000_000 + made);
    await register();
    const taker = await addBuyer('taker');
    expect((await apply(taker)).body).toMatchObject({ status: 'ACTIVE', total_amount: LIMIT });
    const replaced = buyerBody({ business_identifiers: [first, other] });
    const { external_id: _, ...body } = replaced;
    expect((await world.put(`/v1/buyers/${taker}`, body)).status).toBe(200);

    // The owner's next decision finds it too.
    for (const buyer of [taker, owner]) {
      world.clock.set(world.clock.now() + 60);
      expect((await world.post(`/v1/buyers/${buyer}/facility/renew`)).status).toBe(202);
      expect((await reasonsOf(buyer))[0]).toBe('SAME_ENTITY');
    }
    const { entity } = (await world.get(`/v1/buyers/${owner}/facility`)).body;
    expect(entity).toEqual({ buyer_external_ids: [taker], exposure_amount: 2 * LIMIT });
  });
});

describe('persons', () => {
  /** A buyer of a company that is in no registry: the policy proposes a limit to a person. */
  async function referred(name: string): Promise<string> {
    const buyer = await addBuyer(name, { business_identifiers: [vatOf(50_000_000 + made)] });
    expect((await apply(buyer)).status).toBe(202);
    const query = { buyer_external_id: [buyer] };
    return (await operate(world, listReviews, { query })).items[0]?.review_id as string;
  }
  const reason = 'Known to us.';
  const accept = { outcome: 'ACCEPT', reason };

  it('alone grant the proposal once to the company; two grant more, knowingly', async () => {
    const [first, second] = [await referred('first'), await referred('second')];
    const decide = (review_id: string) =>
      operate(world, decideReview, { params: { review_id }, body: accept });
    await decide(first);
    const limit = await limits();
    await expect(decide(second)).rejects.toMatchObject({
      reason: 'OVERRIDE_REQUIRED',
      details: { limit_max: 0, entity_amount: limit },
    });
    const params = { review_id: second };
    await operate(world, proposeOverride, { params, body: { limit_amount: limit, reason } });
    await operate(world, approveOverride, { params, body: { reason } }, 'jan');
    expect(await limits()).toBe(2 * limit);
  });
});

describe('the other buyers', () => {
  it('are named to platform-wide keys that may read credit, and to nobody else', async () => {
    const [first, second] = [await addBuyer('first'), await addBuyer('second')];
    await apply(first);
    await apply(second);
    const path = `/v1/buyers/${first}/facility`;
    const shown = await world.get(path);
    expect(shown.body.entity).toEqual({ buyer_external_ids: [second], exposure_amount: LIMIT });
    const { items } = (await world.get(`/v1/buyers/${second}/decisions`)).body;
    expect(items[0].internal.sources).toContainEqual({
      name: 'LEGAL_ENTITY',
      at: expect.any(Number),
      data: { buyers: first },
    });
    // The export for the person whom the decision concerns omits them.
    const { platform, clock, installation } = world;
    const context = contextOf(installation, { platform, actor: 'operator:ada', now: clock.now() });
    const exported = JSON.stringify(await exportDecision(context, items[0].decision_id));
    expect(exported).toContain('LEGAL_ENTITY');
    expect(exported).not.toContain(first);
    const reading = { key: await world.addKey({ scopes: ['read'] }) };
    expect((await world.get(path, reading)).body.entity).toBeNull();
    const ofMerchant = {
      key: await world.addKey({ scopes: ['read', 'credit:read'], merchantExternalId: 'merchant' }),
    };
    for (const options of [reading, ofMerchant]) {
      expect((await world.get(path, options)).text).not.toContain(second);
    }
    const decisions = await world.get(`/v1/buyers/${second}/decisions`, reading);
    expect(decisions.text).not.toContain(`"${first}"`);
  });
});

describe('a policy that knows nothing of other buyers', () => {
  it('grants no second limit', async () => {
    const { platform, apiKey: key } = await world.addPlatform();
    const file = new URL('../fixtures/former-default-policy.json', import.meta.url);
    await putInForce(world, platform.platform_id, JSON.parse(readFileSync(file, 'utf8')));
    const answers = [];
    for (const external_id of ['first', 'second']) {
      const body = buyerBody({ external_id, business_identifiers: [number], contact_email: PERSON.email });
      expect((await world.post('/v1/buyers', body, { key })).status).toBe(201);
      answers.push((await world.post(`/v1/buyers/${external_id}/facility`, {}, { key })).status);
    }
    expect(answers).toEqual([201, 202]);
  });
});
