/** Somebody who judges a company: a credit agency, a model of one's own. What a policy sees of it is the score. */
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

/** What becomes of an application when the risk source or the policy fails: refused with 424, or left to a person. */
export type RiskFailureHandling = 'error' | 'refer';

/** Who is asked, and what becomes of a question without an answer. */
export interface Risk {
  source: RiskSource;
  onFailure: RiskFailureHandling;
}
