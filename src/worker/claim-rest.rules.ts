/** How long a queue rests between claims while more is due, so that background work gives way to requests. */

export interface QueueLoad {
  slotsFree: number;
  slotsMax: number;
  /** The longest turn of the event loop since the last claim: each request of this process waits for so long. */
  turnMs: number;
  /** Whether requests came lately. */
  isServing: boolean;
  /** How long the queue waits for more room. */
  roomRestMsMax: number;
  /** How long it has rested before this claim. */
  restedMs: number;
}

/**
 * A claim costs nearly the same for one job as for many: with less than an eighth of the slots free, it waits for more, and with
 * less than four or half of a few slots.
 */
const roomOf = (slotsMax: number) => Math.max(slotsMax / 8, Math.min(4, slotsMax / 2));
const ROOM_REST_MS = 10;
/** A turn that requests do not notice. */
const TURN_MS = 5;
/** A queue that rests for twice as long as turns take leaves most turns to requests. */
const RESTS_PER_TURN = 2;
/** However busy the process is, jobs are claimed so often. */
const REST_MS_MAX = 50;

/** The next rest before a claim, in milliseconds; 0 for none. To be asked again after each rest. */
export function claimRestMs({ turnMs, isServing, restedMs, ...load }: QueueLoad): number {
  const isRoomWorthIt = load.slotsFree < roomOf(load.slotsMax) && restedMs < load.roomRestMsMax;
  const forRoom = isRoomWorthIt ? Math.min(ROOM_REST_MS, load.roomRestMsMax - restedMs) : 0;
  const isForRequests = isServing && turnMs > TURN_MS && restedMs === 0;
  const forRequests = isForRequests ? Math.min(turnMs * RESTS_PER_TURN, REST_MS_MAX) : 0;
  return Math.max(forRoom, forRequests);
}
