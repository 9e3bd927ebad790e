/** Changes of limits by operators: what one may do, what takes two, and what each role does not change. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { approveChange, requestChange } from '#modules/operators';
import { addBuyer } from '#test/facilities';
import { actAs } from '#test/operators';
import { createWorld, type World } from '#test/world';
import { findStanding, limitPolicyChange, priceTableChange, type SettingChanges } from './index.ts';
import { DEFAULT_PRICE_TABLE } from './price-table.rules.ts';

const NOW = 1_763_640_000;
const DAY = 86_400;
const PRICES = { ...DEFAULT_PRICE_TABLE, tax_basis_points: 100 };

let world: World;
let made = 0;
let buyer: string;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  world.clock.set(NOW);
});
beforeEach(async () => {
  buyer = await addBuyer(world, `buyer-${++made}`);
  await set('', null);
  await set('', { price_table: null });
});
afterAll(() => world.close());

const kinds = [limitPolicyChange, priceTableChange];

interface Ends {
  expiresAt?: number;
}

function request(buyerExternalId: string, changes: SettingChanges | null, { expiresAt }: Ends = {}) {
  const isPrices = changes !== null && 'price_table' in changes;
  const kind = isPrices ? priceTableChange : limitPolicyChange;
  const end = expiresAt ?? (buyerExternalId === '' || changes === null ? null : NOW + 9 * DAY);
  const payload = { buyerExternalId, changes, expiresAt: end };
  return actAs(
    world,
    isPrices ? 'fin' : 'ada',
    (context) => requestChange(context, kind, payload, 'It is time.'),
    { role: isPrices ? 'FINANCE' : 'CREDIT' },
  );
}

/** Sets by one operator, or by two if the change takes two. */
async function set(buyerExternalId: string, changes: SettingChanges | null, ends: Ends = {}): Promise<void> {
  const { approvalId } = await request(buyerExternalId, changes, ends);
  if (approvalId === null) return;
  await actAs(world, 'eve', (context) => approveChange(context, kinds, { approvalId, reason: 'Seen.' }), {
    role: 'ADMIN',
  });
}

const policyOf = async (buyerExternalId = buyer) => {
  const key = { platformId: world.platform.platform_id, buyerExternalId, at: NOW };
  return (await findStanding(world.installation.db, key)).limitPolicy;
};

describe('a stricter setting of the platform', () => {
  it('ends an override that one operator set as strict as the platform was', async () => {
    await set('', { tolerance_percent: 10 });
    expect((await request(buyer, { tolerance_percent: 10, overdue_stop_days: 5 })).approvalId).toBeNull();
    const lowered = await request('', { tolerance_percent: 2 });
    expect(lowered).toMatchObject({
      approvalId: null,
      audit: { details: { after: { tolerancePercent: 2, ends: [`${buyer}: tolerancePercent`] } } },
    });
    expect(await policyOf()).toMatchObject({ tolerancePercent: 2, overdueStopDays: 5 });
  });

  it('ends one that two operators set looser', async () => {
    await set('', { tolerance_percent: 10 });
    await set(buyer, { tolerance_percent: 20 });
    await set('', { tolerance_percent: 9 });
    expect((await policyOf()).tolerancePercent).toBe(9);
  });

  it('leaves stricter ones, other settings and ended ones', async () => {
    await set('', { tolerance_percent: 10 });
    await set(buyer, { tolerance_percent: 1, overdue_stop_days: 60 });
    await set('', { tolerance_percent: 5 });
    expect(await policyOf()).toMatchObject({ tolerancePercent: 1, overdueStopDays: 60 });
    expect((await request('', { tolerance_percent: 4 })).audit.details).not.toHaveProperty('after.ends');
  });

  it('ends looser ones also where the platform returns to the default', async () => {
    await set('', { overdue_stop_days: 60 });
    await set(buyer, { overdue_stop_days: 60 });
    await set('', null);
    expect((await policyOf()).overdueStopDays).toBe(30);
  });

  it('leaves the price table that was agreed with a buyer', async () => {
    await set(buyer, { price_table: PRICES });
    await set('', { price_table: { ...DEFAULT_PRICE_TABLE, tax_basis_points: 1_900 } });
    expect((await policyOf()).priceTable).toEqual(PRICES);
  });
});

describe('the role CREDIT', () => {
  it.each(['', 'buyer'])('clears no price table: %j', async (whose) => {
    const of = whose === '' ? '' : buyer;
    await set(of, { price_table: PRICES });
    await set(of, { tolerance_percent: 5 });
    await set(of, null);
    expect(await policyOf()).toMatchObject({ tolerancePercent: 0, priceTable: PRICES });
  });

  it('changes the end of no price table', async () => {
    await set(buyer, { price_table: PRICES });
    const longer = { expiresAt: NOW + 99 * DAY };
    await expect(request(buyer, { tolerance_percent: 0 }, longer)).rejects.toThrow(
      `The price table of ${buyer} already ends on another day, and both must end together: give --expires 2025-11-29.`,
    );
    await set(buyer, { tolerance_percent: 5 });
    expect(await policyOf()).toMatchObject({ tolerancePercent: 5, priceTable: PRICES });
  });
});

describe('the role FINANCE', () => {
  it('changes the end of no limit policy', async () => {
    await set(buyer, { tolerance_percent: 5 });
    await expect(request(buyer, { price_table: PRICES }, { expiresAt: NOW + 99 * DAY })).rejects.toThrow(
      `The limit policy of ${buyer} already ends on another day`,
    );
  });
});
