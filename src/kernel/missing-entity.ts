/** Errors for a request that names an entity which does not exist. */
import { Problem, type ProblemDetails, refusal } from './problem.ts';
import type { Reason } from './problem-reasons.ts';

export interface MissingEntity {
  /** `body.buyer_external_id` */
  field: string;
  /** Null if the field is omitted. */
  value: string | null;
  /** A sentence on how to create the entity. */
  remedy: string;
}

/** A 404 that says which field names the missing entity. */
export function namedNotFound(missing: MissingEntity): Problem {
  return new Problem('NOT_FOUND', { details: detailsOf(missing) });
}

/** A 422 REFERENCED_ENTITY_NOT_FOUND that says which field names the missing entity. `error` is the sentence for the caller. */
export function referenceNotFound(error: string, missing: MissingEntity): Problem {
  return refusal(REASON, error, detailsOf(missing));
}

/** Rethrows the error. A 404 becomes one that says which field of the body names the missing entity. */
export function rethrowNaming(missing: MissingEntity): (error: unknown) => never {
  return (error) => {
    throw error instanceof Problem && error.code === 'NOT_FOUND' ? namedNotFound(missing) : error;
  };
}

const REASON: Reason = 'REFERENCED_ENTITY_NOT_FOUND';

const detailsOf = ({ field, value, remedy }: MissingEntity): ProblemDetails => ({ field, value, remedy });
