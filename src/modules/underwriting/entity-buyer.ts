/** Another buyer of the applicant's legal entity, with a limit or an application under review. */
import type { Currency } from '#kernel/currency';

export interface EntityBuyer {
  buyerExternalId: string;
  currency: Currency;
  /** What it may owe, in minor units of its currency; 0 while its first application is under review. */
  heldMinor: number;
}
