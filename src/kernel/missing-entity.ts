/** What a request names although it does not exist. */
import { Problem, type ProblemDetails, refusal } from './problem.ts';
import type { Reason } from './problem-reasons.ts';

export interface MissingEntity {
  /** `body.buyer_external_id` */
  field: string;
  /** Null where the field is left out. */
  value: string | null;
  /** A sentence on how the named thing comes into being. */
  remedy: string;
}

/** A 404 that says which field names what does not exist. */
export function namedNotFound(missing: MissingEntity): Problem {
  return new Problem('NOT_FOUND', { details: detailsOf(missing) });
}

/** The same as 422 REFERENCED_ENTITY_NOT_FOUND. `error` is the sentence for the caller. */
export function referenceNotFound(error: string, missing: MissingEntity): Problem {
  return refusal(REASON, error, detailsOf(missing));
}

/** Rethrows. A 404 from work on a thing that the body names says which field names it. */
export function rethrowNaming(missing: MissingEntity): (error: unknown) => never {
  return (error) => {
    throw error instanceof Problem && error.code === 'NOT_FOUND' ? namedNotFound(missing) : error;
  };
}

const REASON: Reason = 'REFERENCED_ENTITY_NOT_FOUND';

const detailsOf = ({ field, value, remedy }: MissingEntity): ProblemDetails => ({ field, value, remedy });
