/** How long a queue rests between claims while more is due, so that background work gives way to requests. */

export interface QueueLoad {
  slotsFree: number;
  slotsMax: number;
  /** The longest turn of the event loop since the last claim: each request of this process waits for so long. */
  turnMs: number;
  /** Whether requests came lately. */
  isServing: boolean;
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

/** In milliseconds; 0 for none. */
export function claimRestMs({ slotsFree, slotsMax, turnMs, isServing }: QueueLoad): number {
  const forRoom = slotsFree < roomOf(slotsMax) ? ROOM_REST_MS : 0;
  const forRequests = isServing && turnMs > TURN_MS ? Math.min(turnMs * RESTS_PER_TURN, REST_MS_MAX) : 0;
  return Math.max(forRoom, forRequests);
}
