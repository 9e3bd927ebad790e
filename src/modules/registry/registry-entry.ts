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
  /** The registry's free text. */
  legalForm: string | null;
  /** The code of ISO 20275. Null also for the two codes that name no form (8888 and 9999). */
  elfCode: string | null;
  /** The registered office, with its country always set. No field is longer than a buyer's may be. */
  address: Address;
  identifiers: BusinessIdentifier[];
  /** Midnight (UTC) of that day in unix seconds; negative before 1970. */
  incorporatedAt: number | null;
  website: string | null;
  /** Not dissolved, removed or converted. A company in insolvency proceedings is active. */
  isActive: boolean;
  /** Being wound up, or insolvent. Omitted by sources that do not publish it. */
  isInLiquidation?: boolean;
}
