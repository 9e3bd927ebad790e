/** Who applies for credit, beside the company. */

/**
 * How it is known that the applicant speaks for the company. NOT_ASKED: the platform or the service applies, and not a person
 * in the checkout.
 */
export const APPLICANT_PROOFS = ['NOT_ASKED', 'VOUCHED', 'ADDRESS_ON_FILE', 'CONFIRMED_ADDRESS'] as const;
export type ApplicantProof = (typeof APPLICANT_PROOFS)[number];

/** A person in the checkout. */
export interface ApplyingPerson {
  /** The person's address. */
  email: string;
  proof: Exclude<ApplicantProof, 'NOT_ASKED'>;
  /** The platform's statement that it knows the buyer; null without one. */
  vouching: Vouching | null;
}

export interface Vouching {
  /** The id that the platform gave of its team or system. */
  by: string;
  /** Unix seconds. */
  at: number;
  /** The API key. */
  actor: string;
}
