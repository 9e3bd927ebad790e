/** The outcome of an attempt for its delivery. */
import { nextDelaySeconds } from '#kernel/backoff';
import type { DeliveryTrigger } from './delivery.lifecycle.ts';

const GONE = 410;

export interface AttemptAnswer {
  /** Null if there was no answer. */
  statusCode: number | null;
  /** Why there was no complete answer; null if there was one. */
  failure: string | null;
  retryAfterSeconds: number | null;
}

export interface AttemptJudgement {
  trigger: Extract<DeliveryTrigger, 'acknowledge' | 'discard' | 'give_up' | 'retry'>;
  /** Seconds until the next attempt; null if there is none. */
  delaySeconds: number | null;
}

/**
 * Judges attempt number `attempt` of a round, from 1, `elapsedSeconds` after the round began. `random` is in [0, 1). An incomplete
 * answer acknowledges nothing, regardless of its status.
 */
export function judgeAttempt(
  attempt: number,
  elapsedSeconds: number,
  { statusCode, failure, retryAfterSeconds }: AttemptAnswer,
  random: number,
): AttemptJudgement {
  const answered = failure === null ? statusCode : null;
  if (answered !== null && answered >= 200 && answered < 300)
    return { trigger: 'acknowledge', delaySeconds: null };
  if (answered === GONE) return { trigger: 'discard', delaySeconds: null };
  const delaySeconds = nextDelaySeconds(attempt, elapsedSeconds, random, retryAfterSeconds);
  return { trigger: delaySeconds === null ? 'give_up' : 'retry', delaySeconds };
}
