/** Whether a change of the limit policy raises what can be owed: then it takes two operators. */
import { isDeepStrictEqual } from 'node:util';
import {
  type LimitPolicy,
  type LimitPolicySettings,
  limitPolicyOf,
  settingsIn,
} from './limit-policy.rules.ts';

type Raises = { [K in keyof LimitPolicy]: (before: LimitPolicy[K], after: LimitPolicy[K]) => boolean };

const ifHigher = (before: number, after: number) => after > before;

/** Whether a change of each setting lets a buyer owe more, or for longer. */
const RAISES: Raises = {
  // Orders without an invoice no longer count against the limit.
  counts: (before, after) => before === 'ORDERS' && after === 'INVOICES',
  tolerancePercent: ifHigher,
  overdueStopAmountMinor: ifHigher,
  overdueStopDays: ifHigher,
  overdueResidueAmountMinor: ifHigher,
  overdueGraceDays: ifHigher,
  confirmationLimitDays: ifHigher,
  authorizationLimitDays: ifHigher,
  // A default below it is not counted against the buyer.
  defaultMaterialityAmountMinor: ifHigher,
  // A fee is owed, and a term with a price is offered.
  priceTable: (before, after) => !isDeepStrictEqual(before, after),
};

/** The settings of `after` that raise what can be owed under `before`. */
export function raisedSettings(before: LimitPolicy, after: LimitPolicy): (keyof LimitPolicy)[] {
  const raises = <K extends keyof LimitPolicy>(setting: K) =>
    RAISES[setting](before[setting], after[setting]);
  return (Object.keys(RAISES) as (keyof LimitPolicy)[]).filter(raises);
}

/** A buyer's settings before and after a change; undefined if the buyer has none. */
export interface BuyerChange {
  before: LimitPolicySettings | undefined;
  after: LimitPolicySettings | undefined;
}

/**
 * Like `raisedSettings`, for a change of one buyer's settings, at any time from `now` (unix seconds) on: once they expire, the
 * platform's settings apply, which can be looser or stricter.
 */
export function raisedForBuyer(
  platform: LimitPolicySettings | undefined,
  { before, after }: BuyerChange,
  now: number,
): (keyof LimitPolicy)[] {
  const ends = [before?.expires_at, after?.expires_at].filter((at) => at != null && at > now) as number[];
  const raised = [now, ...ends].flatMap((at) =>
    raisedSettings(limitPolicyOf(platform, before, at), limitPolicyOf(platform, after, at)),
  );
  return [...new Set(raised)];
}

/** Every setting of a limit policy with its column. */
const COLUMNS: Record<keyof LimitPolicy, Exclude<keyof LimitPolicySettings, 'expires_at'>> = {
  counts: 'counts',
  tolerancePercent: 'tolerance_percent',
  overdueStopAmountMinor: 'overdue_stop_amount',
  overdueStopDays: 'overdue_stop_days',
  overdueResidueAmountMinor: 'overdue_residue_amount',
  overdueGraceDays: 'overdue_grace_days',
  defaultMaterialityAmountMinor: 'default_materiality_amount',
  confirmationLimitDays: 'confirmation_limit_days',
  authorizationLimitDays: 'authorization_limit_days',
  priceTable: 'price_table',
};

/**
 * A buyer's settings without those in `named` that are looser than the platform's. A price table is neither looser nor
 * stricter, and stays.
 */
export function withoutLooser(
  override: LimitPolicySettings,
  platform: LimitPolicy,
  named: readonly (keyof LimitPolicy)[],
): { left: LimitPolicySettings; settings: (keyof LimitPolicy)[] } {
  const isLooser = <K extends keyof LimitPolicy>(setting: K) => {
    const value = override[COLUMNS[setting]] as LimitPolicy[K] | null;
    return setting !== 'priceTable' && value !== null && RAISES[setting](platform[setting], value);
  };
  const settings = named.filter(isLooser);
  const unset = Object.fromEntries(settings.map((setting) => [COLUMNS[setting], null]));
  return { left: { ...settingsIn(override), ...unset }, settings };
}
