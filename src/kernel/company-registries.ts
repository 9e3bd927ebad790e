/** A search for a company that the stored registry does not know. */
export type CompanyQuestion =
  | { country: string; name: string }
  | {
      country: string;
      type: 'VAT_ID' | 'REGISTER_ID';
      /** As the caller wrote it. */
      value: string;
    };

/** The live registries, queried over the network: never inside a transaction. */
export interface CompanyRegistries {
  /**
   * Queries the registries that cover the country and stores their results. True if the stored registry may have
   * changed. Throws REGISTRY_UNAVAILABLE if no registry that covers the country answers.
   */
  lookUp(question: CompanyQuestion): Promise<boolean>;
}
