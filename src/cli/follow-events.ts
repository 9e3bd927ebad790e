/** The events of a platform as they come, through cuts of the connection. */
import { setTimeout as sleep } from 'node:timers/promises';
import { StartRefused } from '#kernel/start-refused';
import type { RecordedEvent } from '#modules/webhooks';
import { type ApiAnswer, type ApiClient, refusalSentence } from './api-client.ts';
import { WrongUsage } from './arguments.ts';

const WAIT_SECONDS = 25;
const RETRY_SECONDS = 0.5;
/** A proxy may name any time. */
const RETRY_SECONDS_MAX = 60;

export interface FollowOptions {
  /** Types and prefixes; null: all. */
  types: string | null;
  /** The position behind which to begin; 0: with the oldest event that is kept; null: what happens from now on. */
  after: number | null;
  signal: AbortSignal;
  /** Called where the service does not answer or is busy, with what it says, and where it answers again. */
  report(sentence: string): void;
  /** Called once the first request is about to wait. */
  onStarted(after: number): void;
}

/** Ends when the signal aborts. Throws StartRefused where the service refuses the question. */
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

/** Asks until there is an answer that is not about the state of the service; null once the signal aborts. */
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

/** A cursor that no event has is refused with the oldest and the newest one. */
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

/** A position as an option. */
export function positionOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^\d{1,15}$/.test(text))
    throw new WrongUsage('--after must be the position of an event, or 0 for the oldest one.');
  return Number(text);
}
