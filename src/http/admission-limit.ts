/** How many requests may be in progress, found by what the process has answered lately. */

/**
 * So many are never too many: one client with a hundred requests at once, or a few with a pool of connections each. It keeps a process from
 * refusing what merely waits for a lock or a slow statement, and decides the limit where nothing is answered at all. They are answered within a
 * second where a process answers 128 a second.
 */
const ALWAYS_MAX = 128;
/** A queue that does not go away for so long is no burst: the service receives more than it answers. */
const STANDING_MS = 250;
/**
 * What a new request may have to wait for those before it. With it p99 stays below a second: before the work begins, a request waits for the
 * turn of the event loop, and the pace varies (measured on a machine whose cores others took: with 500 ms p99 was 1.2 s).
 */
const WAIT_MS = 300;
const SLOT_MS = 50;
/** The latest pace, and that of a second, so that one short stop (a checkpoint, a collection of garbage) does not count as the pace. */
const PACES_SLOTS = [5, 20] as const;
const SLOTS_KEPT = Math.max(...PACES_SLOTS);

export interface AdmissionLimit {
  /** Whether a new request of this client may begin. The name of a client is any text that tells it from others. */
  admits(client: string): boolean;
  /** A request begins its work. */
  enter(client: string): void;
  /** It has an answer. Call it once for each `enter`. */
  leave(client: string): void;
  inProgress(): number;
}

/**
 * Admits everything until a queue stands. Then a request waits, by Little's law, for those in progress divided by the pace at which
 * they are answered, and a new one is refused where that is too long. The newest are refused: who has begun is never sent away. A client
 * with less than its equal share in progress is admitted all the same, so that a flood of one client is refused at its own cost.
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
      // At the smallest limit the queue falls just below it with each answer: only half of it is the end of the queue.
      if (inProgress < ALWAYS_MAX / 2) standingSinceMs = null;
    },
    inProgress: () => inProgress,
  };
}

/** Counts what is answered in slots of time, of which the current one is not yet part of the pace. */
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
