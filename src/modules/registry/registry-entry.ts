import type { Address } from '#kernel/address';
import type { BusinessIdentifier } from '#kernel/business-identifier';

/** A company as a registry publishes it: the result of live sources and importers. */
export interface RegistryEntry {
  /** A short code in capitals: `GLEIF`, `COMPANIES_HOUSE`, `VIES`, … */
  registry: string;
  /** LEI, company number, VAT id: unique within the registry. */
  registryKey: string;
  legalName: string;
  tradingName: string | null;
  /** Previous names, names in other languages and in other scripts; never the legal or the trading name again. */
  otherNames: string[];
  /** Free text of the registry. */
  legalForm: string | null;
  /** ISO 20275. Null also for its two codes that name no form (8888 and 9999). */
  elfCode: string | null;
  /** The registered seat, its country always filled. Each field is as long as a buyer's may be, or shorter. */
  address: Address;
  identifiers: BusinessIdentifier[];
  /** Unix seconds of that day's midnight in UTC; negative before 1970. */
  incorporatedAt: number | null;
  website: string | null;
  /** Not dissolved, removed or converted. A company in insolvency proceedings is active. */
  isActive: boolean;
}
