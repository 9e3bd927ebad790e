/** The person who applies for credit on behalf of a company. */

/**
 * How it is known that the applicant speaks for the company. NOT_ASKED: the platform or the service applies, not a person
 * in the checkout. UNPROVEN: likewise, but a person in a checkout named the company without a proof.
 */
export const APPLICANT_PROOFS = [
  'NOT_ASKED',
  'VOUCHED',
  'ADDRESS_ON_FILE',
  'CONFIRMED_ADDRESS',
  'UNPROVEN',
] as const;
export type ApplicantProof = (typeof APPLICANT_PROOFS)[number];

/** What a person in the checkout can show. */
export type ShownProof = Exclude<ApplicantProof, 'NOT_ASKED' | 'UNPROVEN'>;

/** A person in the checkout. */
export interface ApplyingPerson {
  /** The person's address. */
  email: string;
  proof: ShownProof;
  /** The company's addresses on file, one of which the person confirmed; empty with another proof. */
  emailsOnFile: readonly string[];
  /** The platform's statement that it knows the buyer; null without one. */
  vouching: Vouching | null;
}

export interface Vouching {
  /** The team or system of the platform that vouches, by the id that the platform sent. */
  by: string;
  /** Unix seconds. */
  at: number;
  /** The API key. */
  actor: string;
}
