/** A name alone gets no credit: invented, dissolved and borrowed companies wait for a person, honest companies do not. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCompanies } from '#modules/registry';
import { type Claim, type CreditCase, FRAUD_CASES } from '#test/fraud-cases';
import { HONEST_COMPANIES } from '#test/honest-companies';
import { createWorld, type World } from '#test/world';

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
});
afterAll(() => world.close());

const learn = ({ known }: CreditCase) => writeCompanies(world.installation.db, known, world.clock.now());

let buyers = 0;
interface Applied {
  /** The status of the facility; null if the buyer was refused. */
  status: string | null;
  availableMinor: number;
  reason: string;
}

async function apply({ requested_amount, ...company }: Claim): Promise<Applied> {
  const external_id = `buyer-${++buyers}`;
  const created = await world.post('/v1/buyers', { external_id, ...company });
  if (created.status !== 201) {
    const { reason, issues } = created.body;
    return { status: null, availableMinor: 0, reason: reason ?? issues[0].code };
  }
  const requested = requested_amount === undefined ? {} : { requested_amount };
  const { body } = await world.post(`/v1/buyers/${external_id}/facility`, requested);
  const [decision] = await world.sql<{ reasons: string[] }>(
    'select reasons from credit_decisions where buyer_external_id = $1',
    [external_id],
  );
  return { status: body.status, availableMinor: body.available_amount, reason: decision?.reasons[0] ?? '' };
}

describe('without a person, no credit is given to', () => {
  it.each(FRAUD_CASES.map((each) => [each.name, each] as const))('%s', async (_name, fraud) => {
    await learn(fraud);
    for (const honest of fraud.before ?? []) expect(await apply(honest)).toMatchObject({ status: 'ACTIVE' });
    const applied: Applied[] = [];
    for (const claim of fraud.claims) applied.push(await apply(claim));
    for (const { status, availableMinor } of applied) {
      expect([null, 'PENDING', 'REJECTED']).toContain(status);
      expect(availableMinor).toBe(0);
    }
    expect(applied[0]?.reason).toBe(fraud.because);
  });
});

describe('credit is given at once to', () => {
  it.each(HONEST_COMPANIES.map((each) => [each.name, each] as const))('%s', async (_name, honest) => {
    await learn(honest);
    for (const claim of honest.claims) {
      const { status, availableMinor, reason } = await apply(claim);
      expect({ status, reason }).toMatchObject({ status: 'ACTIVE' });
      expect(availableMinor).toBeGreaterThan(0);
    }
  });
});

describe('the tables', () => {
  it('have 24 cases each', () => {
    expect(FRAUD_CASES.length).toBeGreaterThanOrEqual(24);
    expect(HONEST_COMPANIES).toHaveLength(24);
  });
});
