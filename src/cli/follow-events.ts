/** The events of a platform as they arrive. Reconnects after the connection is lost. */
import { setTimeout as sleep } from 'node:timers/promises';
import { StartRefused } from '#kernel/start-refused';
import type { RecordedEvent } from '#modules/webhooks';
import { type ApiAnswer, type ApiClient, refusalSentence } from './api-client.ts';
import { WrongUsage } from './arguments.ts';

const WAIT_SECONDS = 25;
const RETRY_SECONDS = 0.5;
/** Caps Retry-After, because a proxy may send any value. */
const RETRY_SECONDS_MAX = 60;

export interface FollowOptions {
  /** Types and prefixes; null for all. */
  types: string | null;
  /** The position after which to begin; 0 begins with the oldest stored event, null with the next new one. */
  after: number | null;
  signal: AbortSignal;
  /** Called with a sentence when the service does not answer or is busy, and when it answers again. */
  report(sentence: string): void;
  /** Called before the first request, with the position after which it reads. */
  onStarted(after: number): void;
}

/** Yields events until the signal aborts. Throws StartRefused if the service refuses the request. */
export async function* followEvents(api: ApiClient, options: FollowOptions): AsyncGenerator<RecordedEvent> {
  const { types, signal } = options;
  const queryPage = queryOf(api, options);
  let after = options.after || (await keptPosition(queryPage, options.after === 0 ? 'oldest' : 'newest'));
  if (signal.aborted) return;
  options.onStarted(after);
  while (!signal.aborted) {
    const query = `after=${after}&wait=${WAIT_SECONDS}${types === null ? '' : `&type=${encodeURIComponent(types)}`}`;
    const answer = await queryPage(`/v1/events?${query}`);
    if (answer === null) return;
    if (answer.status !== 200) throw refused(answer);
    for (const event of answer.body.items as RecordedEvent[]) {
      if (signal.aborted) return;
      yield event;
    }
    after = answer.body.next;
  }
}

type QueryPage = (path: string) => Promise<ApiAnswer | null>;

/** Repeats a request until the answer is not that the service is busy; null once the signal aborts. */
function queryOf(api: ApiClient, { signal, report }: FollowOptions): QueryPage {
  return async (path) => {
    let reported: string | null = null;
    while (!signal.aborted) {
      const answer = await api.send('GET', path, undefined, signal).catch(() => null);
      if (answer !== null && !isBusy(answer)) {
        if (reported !== null) report('The service answers again.');
        return answer;
      }
      const trouble = answer === null ? `no answer from ${api.baseUrl}` : refusalSentence(answer);
      if (trouble !== reported && !signal.aborted) report(`${capitalized(trouble)}: trying again.`);
      reported = trouble;
      const seconds = Math.min(answer?.retryAfterSeconds ?? RETRY_SECONDS, RETRY_SECONDS_MAX);
      await sleep(seconds * 1_000, undefined, { signal }).catch(() => undefined);
    }
    return null;
  };
}

const isBusy = ({ status }: ApiAnswer) => status === 429 || status >= 500;
const capitalized = (sentence: string) => sentence.charAt(0).toUpperCase() + sentence.slice(1);

/** Finds the position with an invalid cursor, which the service refuses with the oldest and the newest position. */
async function keptPosition(queryPage: QueryPage, which: 'oldest' | 'newest'): Promise<number> {
  const answer = await queryPage(`/v1/events?after=${Number.MAX_SAFE_INTEGER}&limit=1`);
  if (answer === null) return 0;
  const position = answer.body?.details?.[which];
  if (typeof position !== 'number') throw refused(answer);
  return position;
}

function refused(answer: ApiAnswer): StartRefused {
  const oldest = answer.body?.details?.oldest;
  const hint = typeof oldest === 'number' ? ` The oldest position to start after is ${oldest}.` : '';
  return new StartRefused(`The events cannot be read: ${refusalSentence(answer)}.${hint}`);
}

/** Parses a position given as an option. */
export function positionOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^\d{1,15}$/.test(text))
    throw new WrongUsage('--after must be the position of an event, or 0 for the oldest one.');
  return Number(text);
}
