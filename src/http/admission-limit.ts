/** How many requests may be in progress, derived from how many the process has answered recently. */

/**
 * This many requests are always admitted: one client with a hundred concurrent requests, or a few clients with a pool of connections each.
 * So the process does not refuse requests that merely wait for a lock or a slow statement. It is also the limit while nothing is answered
 * at all. A process that answers 128 a second answers them within a second.
 */
const ALWAYS_MAX = 128;
/** A queue that lasts this long is not a burst: the service receives more than it answers. */
const STANDING_MS = 250;
/**
 * The longest time that a new request may have to wait for those before it. It keeps p99 below a second: before its work begins, a request
 * also waits for its turn of the event loop, and the pace varies (measured on a machine with busy cores: with 500 ms, p99 was 1.2 s).
 */
const WAIT_MS = 300;
const SLOT_MS = 50;
/** The current pace and that of the last second, so that a short pause (a checkpoint, a garbage collection) does not count as the pace. */
const PACES_SLOTS = [5, 20] as const;
const SLOTS_KEPT = Math.max(...PACES_SLOTS);

export interface AdmissionLimit {
  /** Whether a new request of this client may begin. A client's name is any text that distinguishes it from others. */
  admits(client: string): boolean;
  /** Records that a request begins its work. */
  enter(client: string): void;
  /** Records that a request was answered. Call it once for each `enter`. */
  leave(client: string): void;
  inProgress(): number;
}

/**
 * Admits everything until a queue lasts. Then, by Little's law, the wait of a request is the number in progress divided by the pace at
 * which they are answered, and a new request is refused if that is too long. Only new requests are refused, never one that has begun. A
 * client with less than its equal share in progress is still admitted, so that a flood from one client affects only that client.
 */
export function createAdmissionLimit(elapsedMs: () => number): AdmissionLimit {
  const ofClients = new Map<string, number>();
  const answered = createPace();
  let inProgress = 0;
  let standingSinceMs: number | null = null;

  const limitAt = (nowMs: number) => {
    if (standingSinceMs === null || nowMs - standingSinceMs < STANDING_MS) return Number.POSITIVE_INFINITY;
    return Math.max(ALWAYS_MAX, answered.perMsAt(nowMs) * WAIT_MS);
  };
  return {
    admits(client) {
      if (inProgress < ALWAYS_MAX) return true;
      const limit = limitAt(elapsedMs());
      if (inProgress < limit) return true;
      const own = ofClients.get(client) ?? 0;
      const clients = ofClients.size + (own === 0 ? 1 : 0);
      return own + 1 <= limit / clients;
    },
    enter(client) {
      inProgress += 1;
      ofClients.set(client, (ofClients.get(client) ?? 0) + 1);
      if (inProgress >= ALWAYS_MAX) standingSinceMs ??= elapsedMs();
    },
    leave(client) {
      inProgress -= 1;
      const left = (ofClients.get(client) ?? 0) - 1;
      if (left > 0) ofClients.set(client, left);
      else ofClients.delete(client);
      answered.count(elapsedMs());
      // At the smallest limit, each answer brings the queue just below it. So the queue counts as gone only at half the limit.
      if (inProgress < ALWAYS_MAX / 2) standingSinceMs = null;
    },
    inProgress: () => inProgress,
  };
}

/** Counts answers in time slots. The current slot is not yet part of the pace. */
function createPace() {
  const counts = new Array<number>(SLOTS_KEPT + 1).fill(0);
  let slot = 0;
  let perMs = 0;
  const at = (index: number) => ((index % counts.length) + counts.length) % counts.length;
  const advance = (nowMs: number) => {
    const current = Math.floor(nowMs / SLOT_MS);
    if (current === slot) return;
    for (let next = Math.max(slot + 1, current - SLOTS_KEPT); next <= current; next++) counts[at(next)] = 0;
    slot = current;
    perMs = Math.max(...PACES_SLOTS.map(paceOf));
  };
  const paceOf = (slots: number) => {
    let sum = 0;
    for (let back = 1; back <= slots; back++) sum += counts[at(slot - back)] ?? 0;
    return sum / (slots * SLOT_MS);
  };
  return {
    count(nowMs: number) {
      advance(nowMs);
      const index = at(slot);
      counts[index] = (counts[index] ?? 0) + 1;
    },
    perMsAt(nowMs: number) {
      advance(nowMs);
      return perMs;
    },
  };
}
