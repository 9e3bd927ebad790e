/** What a company is looked for by, where our own registry has no answer. */
export type CompanyQuestion =
  | { country: string; name: string }
  | {
      country: string;
      type: 'VAT_ID' | 'REGISTER_ID';
      /** As somebody wrote it. */
      value: string;
    };

/** Registers of others, asked over the network: never while a transaction is open. */
export interface CompanyRegistries {
  /**
   * Asks those that could know, and keeps what they tell: true where our own registry may know more now. Throws
   * REGISTRY_UNAVAILABLE where there are some, and none of them answers.
   */
  lookUp(question: CompanyQuestion): Promise<boolean>;
}
