/** The model of the knowledge about the company: the registry, the buyer's data, the applicant and the delivery. */
import type { Facility, Model, RegistryStatus } from './state.ts';

/** Minor units that the test's policy grants to an established company, to one that is wound up, and to one known to a person. */
export const POLICY_LIMIT = 100_000;
const LIMIT_IN_LIQUIDATION = 40_000;
const LIMIT_BY_PERSON = 70_000;

export type PolicyAnswer =
  | { outcome: 'ACCEPT' | 'REFER'; limit: number }
  | { outcome: 'REJECT'; limit: null };

/** How the person in a checkout proves to speak for the company; NOT_ASKED if the platform applies. */
export type Proof = 'NOT_ASKED' | 'CONFIRMED_ADDRESS' | 'ADDRESS_ON_FILE' | 'VOUCHED';

/** The registry confirms an existing company under the buyer's name; a person or the platform vouches for another one. */
function identityOf({ company }: Model, proof: Proof): 'REGISTRY' | 'PERSON' | 'SELF_DECLARED' {
  const { registryStatus, isRenamed, identityChangedAt, grantedByPersonAt } = company;
  if (registryStatus !== 'DISSOLVED' && !isRenamed) return 'REGISTRY';
  const isKnown = grantedByPersonAt !== null && grantedByPersonAt >= identityChangedAt;
  return proof === 'VOUCHED' || isKnown ? 'PERSON' : 'SELF_DECLARED';
}

/** The answer of the test's policy. */
export function policyAnswer(model: Model, proof: Proof): PolicyAnswer {
  const { registryStatus, isElsewhere } = model.company;
  if (registryStatus === 'DISSOLVED') return { outcome: 'REJECT', limit: null };
  const identity = identityOf(model, proof);
  const limit =
    registryStatus === 'IN_LIQUIDATION'
      ? LIMIT_IN_LIQUIDATION
      : identity === 'PERSON'
        ? LIMIT_BY_PERSON
        : POLICY_LIMIT;
  const isReferred = identity === 'SELF_DECLARED' || isElsewhere || proof === 'CONFIRMED_ADDRESS';
  return { outcome: isReferred ? 'REFER' : 'ACCEPT', limit };
}

export function setRegistryStatus(model: Model, status: RegistryStatus): void {
  model.company.registryStatus = status;
  if (model.facility) freezeIfDissolved(model, model.facility, model.now);
}

/** Sets the buyer's data. Another name makes the buyer another company. */
export function putBuyer({ company, now }: Model, put: { isRenamed: boolean; isElsewhere: boolean }): void {
  if (put.isRenamed !== company.isRenamed) company.identityChangedAt = now;
  Object.assign(company, put);
}

/** The facility follows the company from the first decision that finds it. */
export function follow({ company }: Model, facility: Facility): void {
  if (company.registryStatus !== 'DISSOLVED' && !company.isRenamed) facility.isFollowing = true;
}

/** Freezes an ACTIVE facility of a dissolved company, regardless of the transition that activated it. */
export function freezeIfDissolved({ company }: Model, facility: Facility, at: number): void {
  if (facility.status !== 'ACTIVE' || !facility.isFollowing || company.registryStatus !== 'DISSOLVED') return;
  facility.status = 'FROZEN';
  facility.frozenAt ??= at;
}
