/** What the answer to an attempt means for its delivery. */
import { nextDelaySeconds } from '#kernel/backoff';
import type { DeliveryTrigger } from './delivery.lifecycle.ts';

const GONE = 410;

export interface AttemptAnswer {
  /** Null without an answer. */
  statusCode: number | null;
  retryAfterSeconds: number | null;
}

export interface AttemptJudgement {
  trigger: Extract<DeliveryTrigger, 'acknowledge' | 'discard' | 'give_up' | 'retry'>;
  /** Seconds to the next attempt; null if there is none. */
  delaySeconds: number | null;
}

/** Judges attempt number `attempt` of a round, from 1, `elapsedSeconds` after the round began. `random` is in [0, 1). */
export function judgeAttempt(
  attempt: number,
  elapsedSeconds: number,
  { statusCode, retryAfterSeconds }: AttemptAnswer,
  random: number,
): AttemptJudgement {
  if (statusCode !== null && statusCode >= 200 && statusCode < 300)
    return { trigger: 'acknowledge', delaySeconds: null };
  if (statusCode === GONE) return { trigger: 'discard', delaySeconds: null };
  const delaySeconds = nextDelaySeconds(attempt, elapsedSeconds, random, retryAfterSeconds);
  return { trigger: delaySeconds === null ? 'give_up' : 'retry', delaySeconds };
}
