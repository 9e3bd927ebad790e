/** Somebody who judges a company: a credit agency, a model of one's own. What a policy sees of it is the score. */
import type { Address } from '#kernel/address';
import type { BusinessIdentifier } from '#kernel/business-identifier';
import type { Currency } from '#kernel/currency';
import type { LegalForm } from '#kernel/fields';
import type { FacilitySubject } from '../policy.schemas.ts';

export interface RiskRequest {
  subject: FacilitySubject;
  buyer: {
    external_id: string;
    legal_name: string;
    legal_form: LegalForm;
    business_identifiers: BusinessIdentifier[];
    business_address: Address;
    /** Unix seconds. */
    incorporated_at: number | null;
  };
  currency: Currency;
  /** Minor units. */
  requested_amount: number | null;
  existing_limit: number | null;
  existing_exposure: number;
}

/** Facts beside the score, which are kept with the decision: nothing of a person may be among them. */
export type RiskData = Record<string, string | number | boolean | null>;

export interface RiskAnswer {
  /** From 0 (very poor) to 100 (very good); null where it knows nothing. */
  score: number | null;
  data: RiskData;
  /** Unix seconds: when that was so. */
  at: number;
}

export interface RiskSource {
  /** In capitals, as decisions name it. */
  readonly name: string;
  /** `now` in unix seconds. Rejects with RiskSourceFailed where there is no answer, and with nothing else. */
  assess(request: RiskRequest, now: number): Promise<RiskAnswer>;
}

export type RiskFailureKind =
  | 'TIMEOUT'
  | 'CONNECTION'
  | 'TLS'
  | 'TOO_LARGE'
  | 'PROTOCOL'
  | 'REFUSED'
  | 'SERVER_ERROR'
  | 'CIRCUIT_OPEN';

/** There is no answer. Nothing that was sent or received is in it. */
export class RiskSourceFailed extends Error {
  readonly kind: RiskFailureKind;

  constructor(kind: RiskFailureKind) {
    super(`The risk source gave no answer (${kind}).`);
    this.name = 'RiskSourceFailed';
    this.kind = kind;
  }
}

/** The source of an installation that has none: it knows nothing, and so changes nothing. */
export const localRiskSource: RiskSource = {
  name: 'LOCAL',
  assess: async (_request, now) => ({ score: null, data: {}, at: now }),
};
