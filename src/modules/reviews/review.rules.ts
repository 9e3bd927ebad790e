/** What one person may decide, and what needs two. */
import { MINOR_UNITS_MAX } from '#kernel/fields';
import { type Issue, invalidRequest, refusal } from '#kernel/problem';
import { isBlank, isPlainText } from '#kernel/text';
import type { FacilityDecision } from '#modules/facilities';
import type { ReviewRow } from '#modules/underwriting';

/** Which action on a facility the review is about; null for anything else. */
export function aboutOf({ subject }: Pick<ReviewRow, 'subject'>): FacilityDecision['about'] | null {
  return ABOUT[subject];
}

const ABOUT: Record<ReviewRow['subject'], FacilityDecision['about'] | null> = {
  FACILITY_CREATION: 'CREATION',
  FACILITY_RENEWAL: 'RENEWAL',
  FACILITY_INCREASE: 'INCREASE',
  ORDER: null,
  FINANCING: null,
  INSOLVENCY: null,
};

/**
 * The most that one person may grant, in minor units: the limit that the policy proposed for a facility, the amount of an
 * order or a financing, which the facility limits. Null if the policy rejected or proposed nothing, and for an insolvency: then any
 * acceptance takes two persons.
 */
function limitAloneMax(
  review: Pick<ReviewRow, 'subject' | 'automatic_outcome' | 'limit_minor' | 'requested_minor'>,
): number | null {
  if (review.automatic_outcome === 'REJECT') return null;
  return aboutOf(review) === null ? review.requested_minor : review.limit_minor;
}

/** The limit that one person grants, in minor units; null requests the most allowed. Throws OVERRIDE_REQUIRED beyond that. */
export function limitGrantedAlone(review: ReviewRow, requestedMinor: number | null): number {
  assertWholeFinancing(review, requestedMinor);
  const max = limitAloneMax(review);
  const limit = requestedMinor ?? max;
  if (max !== null && limit !== null && limit <= max) return limit;
  const needs =
    review.subject === 'INSOLVENCY'
      ? 'Lifting an insolvency'
      : 'This goes beyond what the policy proposed and';
  throw refusal('OVERRIDE_REQUIRED', `${needs} needs a second person`, { limit_max: max });
}

/** Throws a 400 if a decision about an insolvency has a limit, because it grants none. */
export function assertNoLimitOfInsolvency(
  { subject }: Pick<ReviewRow, 'subject'>,
  limitMinor: number | null,
): void {
  if (subject !== 'INSOLVENCY' || limitMinor === null) return;
  const message = 'must be left out: a review of an insolvency grants no limit';
  throw invalidRequest([{ code: 'INVALID_VALUE', path: 'body.limit', message }]);
}

/** Asserts that an override proposes a limit or, for an insolvency, to lift it without a limit. Throws a 400 otherwise. */
export function assertProposal(review: ReviewRow, limitMinor: number | null): void {
  assertNoLimitOfInsolvency(review, limitMinor);
  if (review.subject !== 'INSOLVENCY' && limitMinor === null)
    throw invalidRequest([{ code: 'REQUIRED', path: 'body.limit', message: 'is required' }]);
  assertWholeFinancing(review, limitMinor);
}

/** A financing is accepted with its whole amount or not at all. Throws a 400 for less. */
function assertWholeFinancing(
  { subject, requested_minor: wholeMinor }: Pick<ReviewRow, 'subject' | 'requested_minor'>,
  limitMinor: number | null,
): void {
  if (subject !== 'FINANCING' || limitMinor === null || limitMinor >= (wholeMinor ?? 0)) return;
  const message = `must be at least ${wholeMinor}, the amount of the financing`;
  throw invalidRequest([{ code: 'TOO_SMALL', path: 'body.limit', message }]);
}

const REASON_LENGTH_MAX = 1_000;

/** Throws a 400 for an empty or unprintable reason: a decision without one cannot be explained later. */
export function assertReason(reason: string): void {
  const issue = reasonIssue(reason);
  if (issue) throw invalidRequest([{ ...issue, path: 'body.reason' }]);
}

function reasonIssue(reason: string): Omit<Issue, 'path'> | null {
  if (isBlank(reason)) return { code: 'TOO_SHORT', message: 'must not be empty' };
  if (reason.length > REASON_LENGTH_MAX)
    return { code: 'TOO_LONG', message: `must have at most ${REASON_LENGTH_MAX} characters` };
  if (isPlainText(reason)) return null;
  return { code: 'INVALID_VALUE', message: 'must have no control characters except line breaks' };
}

/** Throws a 400 unless the limit, in minor units, is a positive amount. */
export function assertLimit(limitMinor: number): void {
  const path = 'body.limit';
  if (!Number.isSafeInteger(limitMinor))
    throw invalidRequest([{ code: 'INVALID_TYPE', path, message: 'must be integer' }]);
  if (limitMinor < 1) throw invalidRequest([{ code: 'TOO_SMALL', path, message: 'must be at least 1' }]);
  if (limitMinor > MINOR_UNITS_MAX)
    throw invalidRequest([{ code: 'TOO_BIG', path, message: `must be at most ${MINOR_UNITS_MAX}` }]);
}
