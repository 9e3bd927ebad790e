import { describe, expect, it } from 'vitest';
import {
  DEFAULT_LIMIT_POLICY,
  type LimitPolicySettings,
  limitPolicyOf,
  NO_SETTINGS,
} from './limit-policy.rules.ts';

const NOW = 1_763_640_000;
const WITHOUT_FEES = { tax_basis_points: 0, fee_basis_points: { A: {}, B: {}, C: {}, D: {} } };

describe('the limit policy', () => {
  it('is the default without settings', () => {
    expect(limitPolicyOf(undefined, undefined, NOW)).toEqual(DEFAULT_LIMIT_POLICY);
    expect(limitPolicyOf(NO_SETTINGS, NO_SETTINGS, NOW)).toEqual(DEFAULT_LIMIT_POLICY);
  });

  it.each([
    ['counts', 'counts', 'INVOICES', 'ORDERS'],
    ['tolerance_percent', 'tolerancePercent', 10, 0],
    ['overdue_stop_amount', 'overdueStopAmountMinor', 50_000, 0],
    ['overdue_stop_days', 'overdueStopDays', 60, 0],
    ['overdue_residue_amount', 'overdueResidueAmountMinor', 500, 0],
    ['overdue_grace_days', 'overdueGraceDays', 14, 0],
    ['confirmation_limit_days', 'confirmationLimitDays', 3, 7],
    ['authorization_limit_days', 'authorizationLimitDays', 60, 90],
    ['price_table', 'priceTable', WITHOUT_FEES, { ...WITHOUT_FEES, tax_basis_points: 1_900 }],
  ] as const)(
    "takes %s of the platform, and the buyer's before it, 0 too",
    (column, name, platform, buyer) => {
      const ofPlatform = { ...NO_SETTINGS, [column]: platform };
      const ofBuyer = { ...NO_SETTINGS, [column]: buyer };
      const at = (own: LimitPolicySettings | undefined, override: LimitPolicySettings | undefined) =>
        limitPolicyOf(own, override, NOW);
      expect(at(ofPlatform, undefined)).toEqual({ ...DEFAULT_LIMIT_POLICY, [name]: platform });
      expect(at(ofPlatform, NO_SETTINGS)).toEqual({ ...DEFAULT_LIMIT_POLICY, [name]: platform });
      expect(at(ofPlatform, ofBuyer)).toEqual({ ...DEFAULT_LIMIT_POLICY, [name]: buyer });
      expect(at(undefined, ofBuyer)).toEqual({ ...DEFAULT_LIMIT_POLICY, [name]: buyer });
    },
  );

  it.each([
    ['a second before its end', NOW + 1, 50],
    ['at its end', NOW, 5],
    ['after its end', NOW - 1, 5],
    ['without an end', null, 50],
  ])("has the buyer's settings %s", (_, expiresAt, tolerancePercent) => {
    const platform = { ...NO_SETTINGS, tolerance_percent: 5 };
    const buyer = { ...NO_SETTINGS, tolerance_percent: 50, expires_at: expiresAt };
    expect(limitPolicyOf(platform, buyer, NOW).tolerancePercent).toBe(tolerancePercent);
  });
});
