/**
 * Which of the due deliveries get a slot. A receiver, an origin or a platform that fills its own slots leaves those of the others
 * free.
 */
import { transitionOf } from '#kernel/lifecycle';
import { subscriptionLifecycle } from './subscription.lifecycle.ts';

const ACTIVE = transitionOf(subscriptionLifecycle, null, 'subscribe').to;

/** How many attempts run at once, on all platforms and of all workers. */
export interface DeliverySlots {
  /** Of one subscription whose last attempt was answered. One that has not been answered yet, or timed out, has one slot. */
  perSubscription: number;
  /** Of subscriptions with the same scheme, host and port. */
  perOrigin: number;
  perPlatform: number;
  /** Of all subscriptions whose last attempt failed; and as many of those without an attempt. */
  unproven: number;
  unprovenPerPlatform: number;
}

/** A worker has 256 slots: receivers that fail and receivers that are new take a quarter of them each, at most. */
export const DELIVERY_SLOTS: DeliverySlots = {
  perSubscription: 4,
  perOrigin: 64,
  perPlatform: 128,
  unproven: 64,
  unprovenPerPlatform: 16,
};

/** Due deliveries that one claim looks at, however few it takes: a platform that is due later has its turn as well. */
export const EXAMINED_MAX = 256;
/** From so many on, what has no slot for long is held: it costs less than looking at it in each claim. */
export const HELD_FROM = 64;
/**
 * A claim is short, so that workers take turns and the first of a burst is sent before the last is claimed. But it looks at as many
 * rows for few as for many.
 */
export const CLAIMED_MAX = 128;

/** The subscription of a delivery. */
interface Receiver {
  platform_id: number;
  subscription_id: string;
  status: string;
  origin: string;
  last_outcome: string | null;
}

/** A delivery that may be attempted. */
export interface DeliveryCandidate extends Receiver {
  delivery_id: number;
  /** Unix seconds. */
  due_at: number;
  is_recovered: boolean;
  is_held: boolean;
  weight: 1;
}

/** The attempts of a subscription that are under way: their slots are taken before those of any candidate. */
export interface Running extends Receiver {
  delivery_id: null;
  due_at: number;
  is_recovered: false;
  is_held: false;
  /** How many they are. */
  weight: number;
}

export type Queued = DeliveryCandidate | Running;

export interface Choice {
  /** At most `batchSizeMax`: of platforms with few attempts under way before those of others, of one platform the longest due first. */
  chosen: DeliveryCandidate[];
  /** What is to be held, so that the next claims do not look at it. */
  withoutSlot: DeliveryCandidate[];
  /** Whether more is due than one claim looks at. */
  hasMore: boolean;
}

const isCandidate = (row: Queued): row is DeliveryCandidate => row.delivery_id !== null;

/**
 * Chooses those for which there is a slot. At each gate the attempts under way come first, one row for those of a subscription, so
 * that their slots are taken; what one gate leaves out takes no slot at the next.
 */
export function chooseDeliveries(
  queued: readonly Queued[],
  { batchSizeMax, slots }: { batchSizeMax: number; slots: DeliverySlots },
): Choice {
  const inOrder = queued.toSorted(
    (one, other) => Number(isCandidate(one)) - Number(isCandidate(other)) || one.due_at - other.due_at,
  );
  const ofSubscription = gate(liveFirst(inOrder), subscriptionOf, (row) => slotsOf(row, slots));
  const open = inOrder.filter(
    (row) => !isCandidate(row) || (row.status === ACTIVE && ofSubscription.has(row)),
  );
  const ofOrigin = [
    ...gate(
      open,
      ({ origin }) => origin,
      () => slots.perOrigin,
    ).keys(),
  ];
  const ofUnproven = unprovenWithSlot(ofOrigin, slots);
  const ofPlatform = gate(
    ofOrigin.filter((row) => unprovenKindOf(row) === null || ofUnproven.has(row)),
    ({ platform_id }) => platform_id,
    () => slots.perPlatform,
  );
  const chosen = [...ofPlatform]
    .toSorted(([, one], [, other]) => one - other)
    .map(([row]) => row)
    .filter(isCandidate)
    .slice(0, batchSizeMax);
  const examined = queued.filter(isCandidate).filter(({ is_held }) => !is_held);
  return {
    chosen,
    withoutSlot: withoutSlotOf(examined, {
      chosen: new Set(chosen),
      hasOwnSlot: (row) => ofSubscription.has(row),
      isBatchChosen: chosen.length >= batchSizeMax,
      isBatchOpen: open.filter(isCandidate).length >= batchSizeMax,
    }),
    hasMore: examined.length === EXAMINED_MAX || chosen.length === CLAIMED_MAX,
  };
}

/** The rows of those that fail or are new, in turn by platform, for which their common slots suffice. */
function unprovenWithSlot(ofOrigin: readonly Queued[], slots: DeliverySlots): Map<Queued, number> {
  const ofPlatform = gate(
    ofOrigin.filter((row) => unprovenKindOf(row) !== null),
    (row) => `${unprovenKindOf(row)} ${row.platform_id}`,
    () => slots.unprovenPerPlatform,
  );
  const inTurn = [...ofPlatform]
    .toSorted(
      ([one, nth], [other, nthOfOther]) =>
        Number(isCandidate(one)) - Number(isCandidate(other)) || nth - nthOfOther,
    )
    .map(([row]) => row);
  return gate(inTurn, unprovenKindOf, () => slots.unproven);
}

/**
 * The rows that pass, each with the slots that it and those before it in its group take. Attempts under way always pass.
 */
function gate(
  rows: readonly Queued[],
  groupOf: (row: Queued) => string | number | null,
  slotsFor: (row: Queued) => number,
): Map<Queued, number> {
  const taken = new Map<string | number | null, number>();
  const passing = new Map<Queued, number>();
  for (const row of rows) {
    const group = groupOf(row);
    const nth = (taken.get(group) ?? 0) + row.weight;
    taken.set(group, nth);
    if (!isCandidate(row) || nth <= slotsFor(row)) passing.set(row, nth);
  }
  return passing;
}

const subscriptionOf = ({ platform_id, subscription_id }: Receiver) => `${platform_id} ${subscription_id}`;

/** What is recovered waits behind the live events of its subscription. */
const liveFirst = (rows: readonly Queued[]) => [
  ...rows.filter(({ is_recovered }) => !is_recovered),
  ...rows.filter(({ is_recovered }) => is_recovered),
];

/** A subscription of which nothing is known, or that hangs, has one slot. What it recovers leaves one for a live event. */
function slotsOf({ last_outcome, is_recovered }: Queued, { perSubscription }: DeliverySlots): number {
  return last_outcome === 'DELIVERED' || last_outcome === 'FAILED'
    ? Math.max(perSubscription - Number(is_recovered), 1)
    : 1;
}

function unprovenKindOf({ last_outcome }: Receiver): 'NEW' | 'FAILING' | null {
  if (last_outcome === null) return 'NEW';
  return last_outcome === 'DELIVERED' ? null : 'FAILING';
}

interface Chosen {
  chosen: ReadonlySet<DeliveryCandidate>;
  hasOwnSlot(row: DeliveryCandidate): boolean;
  /** Whether those with a slot fill the batch. */
  isBatchChosen: boolean;
  /** Whether those with a slot of their subscription do. */
  isBatchOpen: boolean;
}

/**
 * What has no slot is held, where what has one is not enough for the claim: it costs the next claims nothing. Where more is due
 * than one claim looks at, all of it is; from `HELD_FROM` on, what waits for an attempt of its own subscription, or for a receiver
 * that fails or is new.
 */
function withoutSlotOf(examined: readonly DeliveryCandidate[], choice: Chosen): DeliveryCandidate[] {
  if (examined.length < HELD_FROM) return [];
  const { chosen, hasOwnSlot, isBatchChosen, isBatchOpen } = choice;
  const isViewFull = examined.length === EXAMINED_MAX;
  return examined.filter((row) => {
    if (chosen.has(row)) return false;
    const isActive = row.status === ACTIVE;
    if (isViewFull) return !isActive || !isBatchChosen || (!hasOwnSlot(row) && !isBatchOpen);
    return !isBatchChosen && (!isActive || !hasOwnSlot(row) || unprovenKindOf(row) !== null);
  });
}
