import { describe, expect, it } from 'vitest';
import {
  DEFAULT_LIMIT_POLICY,
  type LimitPolicy,
  type LimitPolicySettings,
  limitPolicyOf,
  NO_SETTINGS,
} from './limit-policy.rules.ts';
import { raisedForBuyer, raisedSettings } from './limit-policy-change.rules.ts';
import { DEFAULT_PRICE_TABLE } from './price-table.rules.ts';

const WITH_TAX = { ...DEFAULT_PRICE_TABLE, tax_basis_points: 1_900 };

/** A change from the first value to the second raises what can be owed. `raisesBack`: whether the reverse change does too. */
const CASES: { [K in keyof LimitPolicy]: [from: LimitPolicy[K], to: LimitPolicy[K], raisesBack: boolean] } = {
  counts: ['ORDERS', 'INVOICES', false],
  tolerancePercent: [5, 6, false],
  overdueStopAmountMinor: [0, 1, false],
  overdueStopDays: [30, 31, false],
  overdueResidueAmountMinor: [100, 101, false],
  overdueGraceDays: [7, 8, false],
  confirmationLimitDays: [14, 15, false],
  authorizationLimitDays: [30, 31, false],
  defaultMaterialityAmountMinor: [10_000, 10_001, false],
  priceTable: [DEFAULT_PRICE_TABLE, WITH_TAX, true],
};

describe('a change of a limit policy', () => {
  it.each(Object.entries(CASES))(
    'of %s raises what can be owed one way',
    (setting, [from, to, raisesBack]) => {
      const [before, after] = [from, to].map((value) => ({ ...DEFAULT_LIMIT_POLICY, [setting]: value }));
      expect(raisedSettings(before as LimitPolicy, after as LimitPolicy)).toEqual([setting]);
      expect(raisedSettings(after as LimitPolicy, before as LimitPolicy)).toEqual(
        raisesBack ? [setting] : [],
      );
      expect(raisedSettings(before as LimitPolicy, structuredClone(before) as LimitPolicy)).toEqual([]);
    },
  );

  it('names every setting that raises it, also beside settings that lower it', () => {
    const after = { ...DEFAULT_LIMIT_POLICY, tolerancePercent: 10, overdueStopDays: 1, overdueGraceDays: 30 };
    expect(raisedSettings(DEFAULT_LIMIT_POLICY, after)).toEqual(['tolerancePercent', 'overdueGraceDays']);
  });
});

describe('a change of the settings of one buyer', () => {
  const NOW = 1_763_640_000;
  const settings = (changes: Partial<LimitPolicySettings>): LimitPolicySettings => ({
    ...NO_SETTINGS,
    ...changes,
  });
  const platform = settings({ tolerance_percent: 10 });
  const until = (days: number, tolerance_percent: number) =>
    settings({ tolerance_percent, expires_at: NOW + days * 86_400 });

  it.each<[string, LimitPolicySettings | undefined, LimitPolicySettings | undefined, boolean]>([
    ['a looser one than the platform’s', undefined, until(9, 20), true],
    ['a stricter one than the platform’s', undefined, until(9, 5), false],
    ['the same as the platform’s', undefined, until(9, 10), false],
    ['a looser one for longer', until(9, 20), until(10, 20), true],
    ['a looser one for less long', until(9, 20), until(8, 20), false],
    ['a stricter one for less long', until(9, 5), until(8, 5), true],
    ['a stricter one for longer', until(9, 5), until(10, 5), false],
    ['one that is stricter now and looser later', until(9, 5), until(20, 20), true],
    ['nothing instead of a stricter one', until(9, 5), undefined, true],
    ['nothing instead of a looser one', until(9, 20), undefined, false],
    ['nothing instead of an expired one', until(-1, 5), undefined, false],
  ])('to %s', (_, before, after, raises) => {
    expect(raisedForBuyer(platform, { before, after }, NOW)).toEqual(raises ? ['tolerancePercent'] : []);
  });

  it('is compared with the platform’s settings as they are', () => {
    const change = { before: undefined, after: until(9, 5) };
    expect(raisedForBuyer(undefined, change, NOW)).toEqual(['tolerancePercent']);
    expect(limitPolicyOf(undefined, change.after, NOW).tolerancePercent).toBe(5);
  });
});
