/**
 * The limit policy: what a platform lets its limits mean. The defaults, what the platform set, and for one buyer and a
 * time what overrides both.
 */
import type { PriceTable } from './price-table.rules.ts';
import { DEFAULT_PRICE_TABLE } from './price-table.rules.ts';

export interface LimitPolicy {
  /** From which document on a limit is taken: an order reserves, or only its invoice uses. */
  counts: 'ORDERS' | 'INVOICES';
  /** By how many percent of the limit an authorization may go beyond it. */
  tolerancePercent: number;
  /** No new credit for who owes this much (minor units, together), … */
  overdueStopAmountMinor: number;
  /** … each invoice of it for so many whole days past its due day. */
  overdueStopDays: number;
  /** Invoices that owe no more than this are rounding and bank fees, not arrears. Minor units. */
  overdueResidueAmountMinor: number;
  /** So many days past due are how long banks take. After them, and before the stop, an order waits for a person. */
  overdueGraceDays: number;
  /** How long an order may wait for its confirmation, and a confirmed one for its first invoice. */
  confirmationLimitDays: number;
  authorizationLimitDays: number;
  priceTable: PriceTable;
}

export const DEFAULT_LIMIT_POLICY: LimitPolicy = {
  counts: 'ORDERS',
  tolerancePercent: 0,
  overdueStopAmountMinor: 1,
  overdueStopDays: 30,
  overdueResidueAmountMinor: 100,
  overdueGraceDays: 7,
  confirmationLimitDays: 14,
  authorizationLimitDays: 30,
  priceTable: DEFAULT_PRICE_TABLE,
};

/** A row of settings; null is what the next wider one says. */
export interface LimitPolicySettings {
  counts: string | null;
  tolerance_percent: number | null;
  overdue_stop_amount: number | null;
  overdue_stop_days: number | null;
  overdue_residue_amount: number | null;
  overdue_grace_days: number | null;
  confirmation_limit_days: number | null;
  authorization_limit_days: number | null;
  price_table: unknown;
  expires_at: number | null;
}

/** The policy that holds at `at` (unix seconds): a buyer's settings count until they expire. */
export function limitPolicyOf(
  platform: LimitPolicySettings | undefined,
  buyer: LimitPolicySettings | undefined,
  at: number,
): LimitPolicy {
  const holds = buyer && (buyer.expires_at === null || buyer.expires_at > at) ? buyer : undefined;
  const chosen = <K extends keyof LimitPolicySettings>(name: K) => holds?.[name] ?? platform?.[name] ?? null;
  const fallback = DEFAULT_LIMIT_POLICY;
  return {
    counts: (chosen('counts') as LimitPolicy['counts'] | null) ?? fallback.counts,
    tolerancePercent: chosen('tolerance_percent') ?? fallback.tolerancePercent,
    overdueStopAmountMinor: chosen('overdue_stop_amount') ?? fallback.overdueStopAmountMinor,
    overdueStopDays: chosen('overdue_stop_days') ?? fallback.overdueStopDays,
    overdueResidueAmountMinor: chosen('overdue_residue_amount') ?? fallback.overdueResidueAmountMinor,
    overdueGraceDays: chosen('overdue_grace_days') ?? fallback.overdueGraceDays,
    confirmationLimitDays: chosen('confirmation_limit_days') ?? fallback.confirmationLimitDays,
    authorizationLimitDays: chosen('authorization_limit_days') ?? fallback.authorizationLimitDays,
    priceTable: (chosen('price_table') as PriceTable | null) ?? fallback.priceTable,
  };
}
