/** A risk source rates companies: a credit agency, or your own model. A policy reads its score. */
import type { Address } from './address.ts';
import type { BusinessIdentifier } from './business-identifier.ts';
import type { Currency } from './currency.ts';
import type { LegalForm } from './fields.ts';

export interface RiskRequest {
  subject: 'FACILITY_CREATION' | 'FACILITY_RENEWAL' | 'FACILITY_INCREASE';
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

/** Facts in addition to the score, stored with the decision. They must not contain personal data. */
export type RiskData = Record<string, string | number | boolean | null>;

export interface RiskAnswer {
  /** From 0 (very poor) to 100 (very good); null if unknown. */
  score: number | null;
  data: RiskData;
  /** The instant of the data, in unix seconds. */
  at: number;
}

export interface RiskSource {
  /** The name in decisions, in capitals. */
  readonly name: string;
  /** Rates a company; `now` in unix seconds. Rejects only with RiskSourceFailed, if there is no answer. */
  assess(request: RiskRequest, now: number): Promise<RiskAnswer>;
}

/** The effect of a failure of the risk source or the policy: 424, or a referral to a person. */
export type RiskFailureHandling = 'error' | 'refer';

/** The risk source, the effect of its failure, and the clock that measures how long a decision takes. */
export interface Risk {
  source: RiskSource;
  onFailure: RiskFailureHandling;
  /** Monotonic milliseconds. */
  elapsedMs(): number;
}
