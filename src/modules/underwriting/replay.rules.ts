/** Replays past orders under the limits of one policy, to find the orders that each of its decisions would have carried. */
import { DAY_SECONDS } from '#kernel/day';
import type { Answered, PastAuthorization } from './past-credit.rules.ts';

/** A decision that set a limit, and the orders that it carried. */
export interface Granted {
  answer: Answered;
  /** Minor units. */
  limitMinor: number;
  from: number;
  /** When another decision about the buyer replaced it, or the limit ended without one. */
  until: number;
  kept: PastAuthorization[];
  /** The peak use of the limit, including what orders under earlier decisions still used. */
  exposureMinor: number;
}

export interface Replay {
  granted: readonly Granted[];
  dropped: readonly PastAuthorization[];
  exposurePeak: number;
}

type Happening =
  | { at: number; rank: 0; ended: PastAuthorization }
  | { at: number; rank: 1; answer: Answered; limitMinor: number }
  | { at: number; rank: 2; begun: PastAuthorization };

/**
 * Replays the past of one currency in order; at one instant ends come first, then decisions, then beginnings. An order is
 * carried if it fits within the limit of that instant, together with the orders still open. A limit ends after `limitDays`
 * unless another one follows, as after a rejected renewal.
 */
export function replay(
  answers: readonly Answered[],
  authorizations: readonly PastAuthorization[],
  limitDays: number,
): Replay {
  const happenings: Happening[] = [
    ...authorizations.flatMap((ended) =>
      ended.until === null ? [] : [{ at: ended.until, rank: 0 as const, ended }],
    ),
    ...answers.flatMap(limitsOf),
    ...authorizations.map((begun) => ({ at: begun.from, rank: 2 as const, begun })),
  ].sort((a, b) => a.at - b.at || a.rank - b.rank);
  const limits = new Limits(limitDays);
  const dropped: PastAuthorization[] = [];
  for (const happening of happenings) {
    if (happening.rank === 1) limits.set(happening.answer, happening.limitMinor, happening.at);
    else if (happening.rank === 0) limits.end(happening.ended);
    else if (!limits.carries(happening.begun)) dropped.push(happening.begun);
  }
  return { granted: limits.granted, dropped, exposurePeak: limits.exposurePeak };
}

/**
 * The limit that an answer sets, and when. A referral sets what a person granted in the past, if one did; otherwise it
 * changes nothing, like the rejection of a later request. A refused first application leaves no limit.
 */
function limitsOf(answer: Answered): Happening[] {
  const { outcome, subject, limitMinor, decidedAt, byPerson } = answer;
  if (outcome === 'ACCEPT') return [{ at: decidedAt, rank: 1, answer, limitMinor: limitMinor ?? 0 }];
  if (outcome === 'REFER' && byPerson !== null)
    return [{ at: byPerson.at, rank: 1, answer, limitMinor: byPerson.limitMinor }];
  if (outcome === 'REJECT' && subject === 'FACILITY_CREATION')
    return [{ at: decidedAt, rank: 1, answer, limitMinor: 0 }];
  return [];
}

/** The limits of all buyers and what is used of them. */
class Limits {
  readonly granted: Granted[] = [];
  exposurePeak = 0;
  readonly #inForce = new Map<string, Granted>();
  readonly #used = new Map<string, number>();
  readonly #open = new Set<PastAuthorization>();
  readonly #limitSeconds: number;
  #exposure = 0;

  constructor(limitDays: number) {
    this.#limitSeconds = limitDays * DAY_SECONDS;
  }

  set(answer: Answered, limitMinor: number, at: number): void {
    const { buyerExternalId: buyer } = answer;
    const before = this.#inForce.get(buyer);
    if (before) before.until = Math.min(at, before.until);
    const exposureMinor = this.#used.get(buyer) ?? 0;
    const until = at + this.#limitSeconds;
    const granted = { answer, limitMinor, from: at, until, kept: [], exposureMinor };
    this.#inForce.set(buyer, granted);
    this.granted.push(granted);
  }

  /** Carries the order and returns true if it fits within the limit. */
  carries(order: PastAuthorization): boolean {
    const granted = this.#inForce.get(order.buyerExternalId);
    const used = (this.#used.get(order.buyerExternalId) ?? 0) + order.amountMinor;
    if (!granted || order.from >= granted.until || used > granted.limitMinor) return false;
    granted.kept.push(order);
    granted.exposureMinor = Math.max(granted.exposureMinor, used);
    this.#open.add(order);
    this.#use(order, order.amountMinor);
    return true;
  }

  end(order: PastAuthorization): void {
    if (this.#open.delete(order)) this.#use(order, -order.amountMinor);
  }

  #use({ buyerExternalId: buyer }: PastAuthorization, changeMinor: number): void {
    this.#used.set(buyer, (this.#used.get(buyer) ?? 0) + changeMinor);
    this.#exposure += changeMinor;
    this.exposurePeak = Math.max(this.exposurePeak, this.#exposure);
  }
}
