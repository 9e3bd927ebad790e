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
  /** Of all subscriptions whose last attempt failed or was slow; and as many of those without an attempt. */
  unproven: number;
  unprovenPerPlatform: number;
  /** Places of each worker that platforms with more than `keptPerPlatform` attempts under way do not take. */
  kept: number;
  keptPerPlatform: number;
}

/**
 * A worker has 256 places. Receivers that fail or are slow, and receivers that are new, take a quarter of them each, at most. The last
 * quarter is for platforms with few attempts under way: receivers that answered are found to be slow only by an attempt.
 */
export const DELIVERY_SLOTS: DeliverySlots = {
  perSubscription: 4,
  perOrigin: 64,
  perPlatform: 128,
  unproven: 64,
  unprovenPerPlatform: 16,
  kept: 64,
  keptPerPlatform: 16,
};

/** Due deliveries that one claim looks at, however few it takes: a platform that is due later has its turn as well. */
export const EXAMINED_MAX = 256;
/** From so many on, what has no slot for long is held: it costs less than looking at it in each claim. */
export const HELD_FROM = 64;
/**
 * With fewer places for any platform, the attempts under way take long: a worker rests for more of them before it claims again. What
 * lacks a place is held then, so that claims come to what is due behind it.
 */
const ROOM_MIN = 8;
/**
 * A claim is short, so that workers take turns and the first of a burst is sent before the last is claimed. But it looks at as many
 * rows for few as for many.
 */
export const CLAIMED_MAX = 128;

/** A delivery that may be attempted, its subscription, and how many attempts under way share its slots. */
export interface DeliveryCandidate {
  platform_id: number;
  delivery_id: number;
  subscription_id: string;
  event_id: string;
  /** From 1: each time that the delivery is made again. */
  round: number;
  /** Attempts of the round so far. */
  attempts: number;
  /** Since the round began. */
  age_seconds: number;
  /** Unix seconds. */
  due_at: number;
  is_recovered: boolean;
  is_held: boolean;
  status: string;
  origin: string;
  last_outcome: string | null;
  of_subscription: number;
  of_origin: number;
  of_platform: number;
  /** Of all receivers of its kind: those that answered soon, those that failed or were slow, or those that are new. */
  of_kind: number;
  of_kind_and_platform: number;
}

export interface Choice {
  /** At most `batchSizeMax`: of platforms with few attempts under way before those of others, of one platform the longest due first. */
  chosen: DeliveryCandidate[];
  /** What is to be held, so that the next claims do not look at it. */
  withoutSlot: DeliveryCandidate[];
  /** Whether more is due than one claim looks at. */
  hasMore: boolean;
}

export interface ChoiceLimits {
  batchSizeMax: number;
  /** Of the worker that attempts them; infinite where none does. */
  placesFree: number;
  slots: DeliverySlots;
}

/**
 * Chooses those for which there is a slot and a place. At each gate the attempts under way have their slots; what one gate leaves out
 * takes no slot at the next.
 */
export function chooseDeliveries(
  candidates: readonly DeliveryCandidate[],
  { batchSizeMax, placesFree, slots }: ChoiceLimits,
): Choice {
  const inOrder = candidates.toSorted((one, other) => one.due_at - other.due_at);
  const ofSubscription = gate(liveFirst(inOrder), {
    groupOf: ({ platform_id, subscription_id }) => `${platform_id} ${subscription_id}`,
    underWay: ({ of_subscription }) => of_subscription,
    slots: (row) => slotsOf(row, slots),
  });
  const open = inOrder.filter((row) => row.status === ACTIVE && ofSubscription.has(row));
  const ofOrigin = gate(open, {
    groupOf: ({ origin }) => origin,
    underWay: ({ of_origin }) => of_origin,
    slots: () => slots.perOrigin,
  });
  const ofUnproven = unprovenWithSlot([...ofOrigin.keys()], slots);
  const ofPlatform = gate(
    [...ofOrigin.keys()].filter((row) => unprovenKindOf(row) === null || ofUnproven.has(row)),
    {
      groupOf: ({ platform_id }) => platform_id,
      underWay: ({ of_platform }) => of_platform,
      slots: () => slots.perPlatform,
    },
  );
  // The first of each platform come first, so that the rest is left with what they do not take.
  const withPlace = inTurn(ofPlatform).filter(
    (row, nth) => placesFree - nth > slots.kept || (ofPlatform.get(row) ?? 0) <= slots.keptPerPlatform,
  );
  const chosen = withPlace.slice(0, batchSizeMax);
  const examined = candidates.filter(({ is_held }) => !is_held);
  // A claim that takes the last places which any platform may take is full as well, as long as attempts end soon.
  const isRoomTaken = placesFree - slots.kept >= ROOM_MIN && withPlace.length < ofPlatform.size;
  const batchSize = isRoomTaken ? chosen.length : batchSizeMax;
  return {
    chosen,
    withoutSlot: withoutSlotOf(examined, {
      chosen: new Set(chosen),
      hasOwnSlot: (row) => ofSubscription.has(row),
      hasSlot: (row) => ofPlatform.has(row),
      isBatchChosen: chosen.length >= batchSize,
      isBatchOpen: open.length >= batchSize,
    }),
    hasMore: examined.length === EXAMINED_MAX || chosen.length === CLAIMED_MAX,
  };
}

/** The rows of those that fail, are slow or are new, in turn by platform, for which their common slots suffice. */
function unprovenWithSlot(
  rows: readonly DeliveryCandidate[],
  slots: DeliverySlots,
): Map<DeliveryCandidate, number> {
  const ofPlatform = gate(
    rows.filter((row) => unprovenKindOf(row) !== null),
    {
      groupOf: (row) => `${unprovenKindOf(row)} ${row.platform_id}`,
      underWay: ({ of_kind_and_platform }) => of_kind_and_platform,
      slots: () => slots.unprovenPerPlatform,
    },
  );
  return gate(inTurn(ofPlatform), {
    groupOf: unprovenKindOf,
    underWay: ({ of_kind }) => of_kind,
    slots: () => slots.unproven,
  });
}

/** Who shares the slots of a gate. */
interface Gate<Group> {
  groupOf(row: DeliveryCandidate): Group;
  /** How many attempts of the group of the row have a slot already. */
  underWay(row: DeliveryCandidate): number;
  slots(row: DeliveryCandidate): number;
}

/** The rows that pass, each with the slots that its group takes up to it. */
function gate<Group>(
  rows: readonly DeliveryCandidate[],
  { groupOf, underWay, slots }: Gate<Group>,
): Map<DeliveryCandidate, number> {
  const taken = new Map<Group, number>();
  const passing = new Map<DeliveryCandidate, number>();
  for (const row of rows) {
    const group = groupOf(row);
    const nth = (taken.get(group) ?? underWay(row)) + 1;
    taken.set(group, nth);
    if (nth <= slots(row)) passing.set(row, nth);
  }
  return passing;
}

/** The first of each group before the second of any. */
const inTurn = (passing: ReadonlyMap<DeliveryCandidate, number>): DeliveryCandidate[] =>
  [...passing].toSorted(([, one], [, other]) => one - other).map(([row]) => row);

/** What is recovered waits behind the live events of its subscription. */
const liveFirst = (rows: readonly DeliveryCandidate[]) => [
  ...rows.filter(({ is_recovered }) => !is_recovered),
  ...rows.filter(({ is_recovered }) => is_recovered),
];

/** A subscription of which nothing is known, or that hangs, has one slot. What it recovers leaves one for a live event. */
function slotsOf(
  { last_outcome, is_recovered }: DeliveryCandidate,
  { perSubscription }: DeliverySlots,
): number {
  return last_outcome === null || last_outcome === 'TIMEOUT'
    ? 1
    : Math.max(perSubscription - Number(is_recovered), 1);
}

/** An answer that takes seconds keeps its place from others like a failure. */
function unprovenKindOf({ last_outcome }: DeliveryCandidate): 'NEW' | 'FAILING' | null {
  if (last_outcome === null) return 'NEW';
  return last_outcome === 'DELIVERED' ? null : 'FAILING';
}

interface Chosen {
  chosen: ReadonlySet<DeliveryCandidate>;
  hasOwnSlot(row: DeliveryCandidate): boolean;
  /** Whether it has one at each gate, so that it lacks a place at most. */
  hasSlot(row: DeliveryCandidate): boolean;
  /** Whether those with a slot fill the batch. */
  isBatchChosen: boolean;
  /** Whether those with a slot of their subscription do. */
  isBatchOpen: boolean;
}

/**
 * What has no slot is held, where what has one is not enough for the claim: it costs the next claims nothing. Where more is due
 * than one claim looks at, all of it is, and what lacks a place as well: it would hide platforms for which one is kept. From `HELD_FROM`
 * on, what waits for an attempt of its own subscription, or for a slot of receivers that fail, are slow or are new.
 */
function withoutSlotOf(examined: readonly DeliveryCandidate[], choice: Chosen): DeliveryCandidate[] {
  if (examined.length < HELD_FROM) return [];
  const { chosen, hasOwnSlot, hasSlot, isBatchChosen, isBatchOpen } = choice;
  const isViewFull = examined.length === EXAMINED_MAX;
  return examined.filter((row) => {
    if (chosen.has(row)) return false;
    const isActive = row.status === ACTIVE;
    if (isViewFull) return !isActive || !isBatchChosen || (!hasOwnSlot(row) && !isBatchOpen);
    if (isBatchChosen || hasSlot(row)) return false;
    return !isActive || !hasOwnSlot(row) || unprovenKindOf(row) !== null;
  });
}
