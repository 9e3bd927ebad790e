/** The settings of a platform that one operator may only tighten: to loosen one takes two. */
import type { PlatformRow } from './platform.queries.ts';

export const PLATFORM_CONTROLS = [
  'max_payment_term',
  'financing_currencies',
  'collection_currencies',
  'payout_term',
  'min_payout_business_day',
  'enrolls_merchants',
] as const satisfies readonly (keyof PlatformRow)[];

export type PlatformControls = Pick<PlatformRow, (typeof PLATFORM_CONTROLS)[number]>;

type Loosens = {
  [K in keyof PlatformControls]: (before: PlatformControls[K], after: PlatformControls[K]) => boolean;
};

const ifHigher = (before: number, after: number) => after > before;
const ifLower = (before: number, after: number) => after < before;
const ifAdded = (before: readonly string[], after: readonly string[]) =>
  after.some((each) => !before.includes(each));

const LOOSENS: Loosens = {
  // A buyer owes for longer.
  max_payment_term: ifHigher,
  // A buyer owes in a currency in which nothing could be owed.
  financing_currencies: ifAdded,
  collection_currencies: ifAdded,
  // A merchant is paid sooner.
  payout_term: ifLower,
  min_payout_business_day: ifLower,
  // A new merchant sells before an operator has looked at it.
  enrolls_merchants: (before, after) => after && !before,
};

/** The controls of a platform, without its other settings. */
export function controlsOf(platform: PlatformControls): PlatformControls {
  return Object.fromEntries(
    PLATFORM_CONTROLS.map((control) => [control, platform[control]]),
  ) as unknown as PlatformControls;
}

/** The controls that are looser after the change than before. */
export function loosenedControls(
  before: PlatformControls,
  after: PlatformControls,
): (keyof PlatformControls)[] {
  const loosens = <K extends keyof PlatformControls>(control: K) =>
    LOOSENS[control](before[control], after[control]);
  return PLATFORM_CONTROLS.filter(loosens);
}
