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
   * Queries the registries that cover the country and stores what they return. True when the stored registry may know
   * more now. Throws REGISTRY_UNAVAILABLE when no registry that covers the country answers.
   */
  lookUp(question: CompanyQuestion): Promise<boolean>;
}
