/**
 * The limit policy: what limits mean on a platform. A buyer's settings override the platform's until they expire, and
 * those override the defaults.
 */
import type { PriceTable } from './price-table.rules.ts';
import { DEFAULT_PRICE_TABLE } from './price-table.rules.ts';

export interface LimitPolicy {
  /** Which documents count against a limit: an order reserves, or only its invoice uses. */
  counts: 'ORDERS' | 'INVOICES';
  /** How far an authorization may exceed the limit, in percent of it. */
  tolerancePercent: number;
  /** Block new credit once the total overdue reaches this amount, in minor units of one currency. */
  overdueStopAmountMinor: number;
  /** Only invoices that are at least this many days past due count towards that total. */
  overdueStopDays: number;
  /** An outstanding amount up to this one, in minor units, is a residue (rounding, bank fees) and not overdue. */
  overdueResidueAmountMinor: number;
  /**
   * Days that a bank transfer may take. Once an invoice is overdue for longer, an order needs a review, until the stop
   * applies. An invoice that is paid later than that counts as paid late.
   */
  overdueGraceDays: number;
  /** The smallest amount that is a default when outstanding 90 days past due. Minor units of one currency. */
  defaultMaterialityAmountMinor: number;
  /** How many days an order may wait for its confirmation, and a confirmed one for its first invoice. */
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
  // 100 euros: what the European Union lets banks ignore of small debtors (EU 2018/171).
  defaultMaterialityAmountMinor: 10_000,
  confirmationLimitDays: 14,
  authorizationLimitDays: 30,
  priceTable: DEFAULT_PRICE_TABLE,
};

/** The settings of a version; null inherits from the platform or the default. */
export interface LimitPolicySettings {
  counts: string | null;
  tolerance_percent: number | null;
  overdue_stop_amount: number | null;
  overdue_stop_days: number | null;
  overdue_residue_amount: number | null;
  overdue_grace_days: number | null;
  default_materiality_amount: number | null;
  confirmation_limit_days: number | null;
  authorization_limit_days: number | null;
  price_table: unknown;
  expires_at: number | null;
}

/** Sets nothing: the platform's settings or the defaults apply. */
export const NO_SETTINGS: LimitPolicySettings = {
  counts: null,
  tolerance_percent: null,
  overdue_stop_amount: null,
  overdue_stop_days: null,
  overdue_residue_amount: null,
  overdue_grace_days: null,
  confirmation_limit_days: null,
  authorization_limit_days: null,
  default_materiality_amount: null,
  price_table: null,
  expires_at: null,
};

/** The settings in a row, without its other columns. */
export function settingsIn(row: LimitPolicySettings): LimitPolicySettings {
  const names = Object.keys(NO_SETTINGS) as (keyof LimitPolicySettings)[];
  return Object.fromEntries(names.map((name) => [name, row[name]])) as unknown as LimitPolicySettings;
}

/** The settings if they apply at `at` (unix seconds) and set anything, else undefined. */
export function settingsInForce(
  row: LimitPolicySettings | null | undefined,
  at: number,
): LimitPolicySettings | undefined {
  if (!row || (row.expires_at !== null && row.expires_at <= at)) return undefined;
  const settings = settingsIn(row);
  return Object.values(settings).some((value) => value !== null) ? settings : undefined;
}

/** The limit policy at `at` (unix seconds): a buyer's settings count until they expire. */
export function limitPolicyOf(
  platform: LimitPolicySettings | null | undefined,
  buyer: LimitPolicySettings | null | undefined,
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
    defaultMaterialityAmountMinor:
      chosen('default_materiality_amount') ?? fallback.defaultMaterialityAmountMinor,
    confirmationLimitDays: chosen('confirmation_limit_days') ?? fallback.confirmationLimitDays,
    authorizationLimitDays: chosen('authorization_limit_days') ?? fallback.authorizationLimitDays,
    priceTable: (chosen('price_table') as PriceTable | null) ?? fallback.priceTable,
  };
}
