/** Decides which due deliveries get a slot. A receiver, an origin or a platform that fills its own slots leaves those of others free. */
import { transitionOf } from '#kernel/lifecycle';
import { subscriptionLifecycle } from './subscription.lifecycle.ts';

const ACTIVE = transitionOf(subscriptionLifecycle, null, 'subscribe').to;

/** The number of attempts that run at the same time, on all platforms and of all workers. */
export interface DeliverySlots {
  /** Slots of one subscription whose last attempt was answered. If it was not answered yet, or timed out, it has one slot. */
  perSubscription: number;
  /** Slots of all subscriptions with the same scheme, host and port. */
  perOrigin: number;
  perPlatform: number;
  /** Slots of all subscriptions whose last attempt failed or was slow; and the same number for those without an attempt. */
  unproven: number;
  unprovenPerPlatform: number;
  /** Places of each worker that are reserved for platforms with at most `keptPerPlatform` attempts under way. */
  kept: number;
  keptPerPlatform: number;
}

/**
 * A worker has 256 places. Receivers that fail or are slow take at most a quarter of them, and new receivers another quarter. The last
 * quarter is for platforms with few attempts under way, because only an attempt shows that a receiver has become slow.
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

/** The number of due deliveries that one claim examines, even if it takes few: platforms with later deliveries get their turn too. */
export const EXAMINED_MAX = 256;
/**
 * From this number of examined deliveries on, those without a slot for long are held: that costs less than examining them in each claim.
 */
export const HELD_FROM = 64;
/**
 * If a worker has fewer free places for any platform, its attempts take long: it rests until more places are free before it claims
 * again. Deliveries without a place are then held, so that claims reach the later ones.
 */
const ROOM_MIN = 8;
/**
 * A claim is short, so that workers take turns, and the first delivery of a burst is sent before the last is claimed. But a claim
 * examines the same number of rows, regardless of how many it takes.
 */
export const CLAIMED_MAX = 64;

/** A subscription, and what its attempts share slots by. */
interface Receiver {
  platform_id: number;
  subscription_id: string;
  origin: string;
  last_outcome: string | null;
}

/** A subscription with attempts under way. */
export interface ReceiverUnderWay extends Receiver {
  under_way: number;
}

/** A delivery that may be attempted, and its subscription. */
export interface DeliveryCandidate extends Receiver {
  delivery_id: number;
  event_id: string;
  /** From 1. Each redelivery or recovery of the delivery is a new round. */
  round: number;
  /** Attempts of the round so far. */
  attempts: number;
  /** Seconds since the round began. */
  age_seconds: number;
  /** Unix seconds. */
  due_at: number;
  is_recovered: boolean;
  is_held: boolean;
  status: string;
}

export interface DeliveryCandidates {
  due: readonly DeliveryCandidate[];
  underWay: readonly ReceiverUnderWay[];
}

export interface Choice {
  /** At most `batchSizeMax`: platforms with few attempts under way come first, and within a platform the longest due. */
  chosen: DeliveryCandidate[];
  /** The deliveries to hold, which the next claims do not examine. */
  withoutSlot: DeliveryCandidate[];
  /** Whether more deliveries are due than one claim examines. */
  hasMore: boolean;
}

export interface ChoiceLimits {
  batchSizeMax: number;
  /** Free places of the worker that makes the attempts; infinite if no worker does. */
  placesFree: number;
  slots: DeliverySlots;
}

/**
 * Chooses the deliveries for which there is a slot and a place. At each gate, the attempts under way keep their slots; a delivery that
 * does not pass a gate takes no slot at the next.
 */
export function chooseDeliveries(
  { due, underWay }: DeliveryCandidates,
  { batchSizeMax, placesFree, slots }: ChoiceLimits,
): Choice {
  const inOrder = due.toSorted((one, other) => one.due_at - other.due_at);
  const ofSubscription = gate(liveFirst(inOrder), underWay, {
    groupOf: ({ platform_id, subscription_id }) => `${platform_id} ${subscription_id}`,
    slots: (row) => slotsOf(row, slots),
  });
  const open = inOrder.filter((row) => row.status === ACTIVE && ofSubscription.has(row));
  const ofOrigin = gate(open, underWay, {
    groupOf: ({ origin }) => origin,
    slots: () => slots.perOrigin,
  });
  const ofUnproven = unprovenWithSlot([...ofOrigin.keys()], underWay, slots);
  const ofPlatform = gate(
    [...ofOrigin.keys()].filter((row) => unprovenKindOf(row) === null || ofUnproven.has(row)),
    underWay,
    {
      groupOf: ({ platform_id }) => platform_id,
      slots: () => slots.perPlatform,
    },
  );
  // The first delivery of each platform comes first, so that the rest gets only the places that are left.
  const withPlace = inTurn(ofPlatform).filter(
    (row, nth) => placesFree - nth > slots.kept || (ofPlatform.get(row) ?? 0) <= slots.keptPerPlatform,
  );
  const chosen = withPlace.slice(0, batchSizeMax);
  const examined = due.filter(({ is_held }) => !is_held);
  // A claim that takes the last places open to any platform counts as full too, as long as attempts end soon.
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

/** The deliveries of failing, slow and new receivers that get one of their common slots, in turn by platform. */
function unprovenWithSlot(
  rows: readonly DeliveryCandidate[],
  underWay: readonly ReceiverUnderWay[],
  slots: DeliverySlots,
): Map<DeliveryCandidate, number> {
  const ofPlatform = gate(
    rows.filter((row) => unprovenKindOf(row) !== null),
    underWay,
    {
      groupOf: (row) => `${unprovenKindOf(row)} ${row.platform_id}`,
      slots: () => slots.unprovenPerPlatform,
    },
  );
  return gate(inTurn(ofPlatform), underWay, {
    groupOf: unprovenKindOf,
    slots: () => slots.unproven,
  });
}

/** The group that shares the slots of a gate. */
interface Gate<Group> {
  groupOf(receiver: Receiver): Group;
  slots(row: DeliveryCandidate): number;
}

/** The rows that pass, each with the number of slots that its group has taken up to it. Attempts under way already have a slot. */
function gate<Group>(
  rows: readonly DeliveryCandidate[],
  underWay: readonly ReceiverUnderWay[],
  { groupOf, slots }: Gate<Group>,
): Map<DeliveryCandidate, number> {
  const taken = new Map<Group, number>();
  const take = (receiver: Receiver, count: number): number => {
    const group = groupOf(receiver);
    const total = (taken.get(group) ?? 0) + count;
    taken.set(group, total);
    return total;
  };
  for (const receiver of underWay) take(receiver, receiver.under_way);
  const passing = new Map<DeliveryCandidate, number>();
  for (const row of rows) {
    const nth = take(row, 1);
    if (nth <= slots(row)) passing.set(row, nth);
  }
  return passing;
}

/** Sorts the first of each group before the second of any. */
const inTurn = (passing: ReadonlyMap<DeliveryCandidate, number>): DeliveryCandidate[] =>
  [...passing].toSorted(([, one], [, other]) => one - other).map(([row]) => row);

/** Recovered deliveries come after the live events of their subscription. */
const liveFirst = (rows: readonly DeliveryCandidate[]) => [
  ...rows.filter(({ is_recovered }) => !is_recovered),
  ...rows.filter(({ is_recovered }) => is_recovered),
];

/** A subscription without a known outcome, or that hangs, has one slot. Its recovered deliveries leave one slot for a live event. */
function slotsOf(
  { last_outcome, is_recovered }: DeliveryCandidate,
  { perSubscription }: DeliverySlots,
): number {
  return last_outcome === null || last_outcome === 'TIMEOUT'
    ? 1
    : Math.max(perSubscription - Number(is_recovered), 1);
}

/** An answer that takes seconds occupies its place for as long as a failure. */
function unprovenKindOf({ last_outcome }: Receiver): 'NEW' | 'FAILING' | null {
  if (last_outcome === null) return 'NEW';
  return last_outcome === 'DELIVERED' ? null : 'FAILING';
}

interface Chosen {
  chosen: ReadonlySet<DeliveryCandidate>;
  hasOwnSlot(row: DeliveryCandidate): boolean;
  /** Whether it has a slot at each gate, so that it lacks only a place, if anything. */
  hasSlot(row: DeliveryCandidate): boolean;
  /** Whether the deliveries with a slot fill the batch. */
  isBatchChosen: boolean;
  /** Whether the deliveries with a slot of their subscription fill the batch. */
  isBatchOpen: boolean;
}

/**
 * The deliveries to hold if those with a slot do not fill the claim: held ones cost the next claims nothing. In a full view, these are
 * all without a slot, and also those without a place: they would hide platforms for which places are kept. From `HELD_FROM` on, they are
 * those that wait for an attempt of their own subscription, or for a slot of receivers that fail, are slow or are new.
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
