/** What one person may decide, and what needs two. */
import { DAY_SECONDS } from '#kernel/day';
import { MINOR_UNITS_MAX } from '#kernel/fields';
import { type Issue, invalidRequest, refusal } from '#kernel/problem';
import { isBlank, isPlainText } from '#kernel/text';
import type { ReviewRow } from './review.queries.ts';

/**
 * The most that one person may grant, in minor units: what the policy proposed, or else what was asked for. Null where
 * the policy refused, or where nothing was proposed or asked for: then any acceptance takes two.
 */
export function limitAloneMax(
  review: Pick<ReviewRow, 'automatic_outcome' | 'limit_minor' | 'requested_minor'>,
): number | null {
  if (review.automatic_outcome === 'REJECT') return null;
  return review.limit_minor ?? review.requested_minor;
}

/** The limit that one person grants; without a wish, all that one may. Throws OVERRIDE_REQUIRED beyond that. */
export function limitGrantedAlone(review: ReviewRow, requestedMinor: number | null): number {
  const max = limitAloneMax(review);
  const limit = requestedMinor ?? max;
  if (max !== null && limit !== null && limit <= max) return limit;
  throw refusal('OVERRIDE_REQUIRED', 'This goes beyond what the policy proposed and needs a second person', {
    limit_max: max,
  });
}

const REASON_LENGTH_MAX = 1_000;

/** A decision without a reason cannot be explained later. */
export function assertReason(reason: string): void {
  const issue = reasonIssue(reason);
  if (issue) throw invalidRequest([{ ...issue, path: 'body.reason' }]);
}

function reasonIssue(reason: string): Omit<Issue, 'path'> | null {
  if (isBlank(reason)) return { code: 'TOO_SHORT', message: 'must not be empty' };
  if (reason.length > REASON_LENGTH_MAX)
    return { code: 'TOO_LONG', message: `must have at most ${REASON_LENGTH_MAX} characters` };
  if (isPlainText(reason)) return null;
  return { code: 'INVALID_VALUE', message: 'must have no control characters but line breaks' };
}

export function assertLimit(limitMinor: number): void {
  const path = 'body.limit';
  if (!Number.isSafeInteger(limitMinor))
    throw invalidRequest([{ code: 'INVALID_TYPE', path, message: 'must be integer' }]);
  if (limitMinor < 1) throw invalidRequest([{ code: 'TOO_SMALL', path, message: 'must be at least 1' }]);
  if (limitMinor > MINOR_UNITS_MAX)
    throw invalidRequest([{ code: 'TOO_BIG', path, message: `must be at most ${MINOR_UNITS_MAX}` }]);
}

/** Two names are one person however they are written. */
export function isSamePerson(one: string, other: string): boolean {
  const bare = (name: string) => name.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
  return bare(one) === bare(other);
}

/** A day of the platform's clock. */
const SCRIPTED_REVIEW_SECONDS = DAY_SECONDS;

/** What a case keeps of a sandbox script that ends it by itself; opened at `openedAt` (unix seconds). */
export function scriptedColumns(
  reviewEnds: 'ACCEPT' | 'REJECT' | null,
  openedAt: number,
): Pick<ReviewRow, 'scripted_outcome' | 'scripted_at'> {
  return {
    scripted_outcome: reviewEnds,
    scripted_at: reviewEnds === null ? null : openedAt + SCRIPTED_REVIEW_SECONDS,
  };
}
