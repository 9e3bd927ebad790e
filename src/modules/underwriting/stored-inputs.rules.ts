/** The inputs of old decisions, which were made before later inputs existed. */
import { behaviourInputs, NO_BEHAVIOUR } from './paying-behaviour.rules.ts';
import type { PolicyInputs } from './policy.schemas.ts';

/** What was known at the time of an input that did not exist yet: nothing. */
const UNKNOWN_THEN: Partial<PolicyInputs> = behaviourInputs(NO_BEHAVIOUR, Number);

/** Stored inputs with every name of today. Those that a decision lacks count as unknown, not as what is known today. */
export function completeInputs(stored: Partial<PolicyInputs>): PolicyInputs {
  return { ...UNKNOWN_THEN, ...stored } as PolicyInputs;
}
