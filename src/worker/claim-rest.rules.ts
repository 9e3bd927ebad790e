/** How long a queue rests between claims while more is due, so that background work gives way to requests. */

export interface QueueLoad {
  slotsFree: number;
  slotsMax: number;
  /** The longest turn of the event loop since the last claim, which each request of this process waits for. */
  turnMs: number;
  /** Whether requests arrived recently. */
  isServing: boolean;
  /** The longest time that the queue waits for more free slots. */
  roomRestMsMax: number;
  /** How long the queue has rested before this claim. */
  restedMs: number;
}

/**
 * The free slots that a claim waits for, because it costs nearly the same for one job as for many: an eighth of the slots, but at least
 * four, or half of the slots if there are few.
 */
const roomOf = (slotsMax: number) => Math.max(slotsMax / 8, Math.min(4, slotsMax / 2));
const ROOM_REST_MS = 10;
/** A turn this short does not delay requests noticeably. */
const TURN_MS = 5;
/** A queue that rests twice as long as its turns take leaves most turns to requests. */
const RESTS_PER_TURN = 2;
/** Jobs are claimed at least this often, even in a busy process. */
const REST_MS_MAX = 50;

/** The next rest before a claim, in milliseconds; 0 for none. Call it again after each rest. */
export function claimRestMs({ turnMs, isServing, restedMs, ...load }: QueueLoad): number {
  const isRoomWorthIt = load.slotsFree < roomOf(load.slotsMax) && restedMs < load.roomRestMsMax;
  const forRoom = isRoomWorthIt ? Math.min(ROOM_REST_MS, load.roomRestMsMax - restedMs) : 0;
  const isForRequests = isServing && turnMs > TURN_MS && restedMs === 0;
  const forRequests = isForRequests ? Math.min(turnMs * RESTS_PER_TURN, REST_MS_MAX) : 0;
  return Math.max(forRoom, forRequests);
}
