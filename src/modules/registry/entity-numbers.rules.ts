/** The numbers by which two buyers are recognized as one legal entity. */
import type { BusinessIdentifier } from '#kernel/business-identifier';
import { identifierKeyOf } from './identifier.rules.ts';
import { nameWordsOf } from './name.rules.ts';
import { identifierKey, wholeNameKey } from './search-keys.rules.ts';

/** In these countries each court assigns its own numbers: a trade register number identifies a company only with its name. */
const NUMBERED_BY_COURT = new Set(['DE']);

/** The types that identify a company. Agency ids do not. */
const OF_A_COMPANY: ReadonlySet<string> = new Set<BusinessIdentifier['type']>([
  'VAT_ID',
  'TAX_ID',
  'REGISTER_ID',
]);

/** One text for each number of the company, in one spelling. Equal texts mean the same legal entity. */
export function entityNumbersOf(identifiers: readonly BusinessIdentifier[], legalName: string): string[] {
  return identifiers
    .filter(({ type }) => OF_A_COMPANY.has(type))
    .flatMap((identifier) => {
      const { type, country } = identifier;
      const value = identifierKeyOf(identifier);
      if (value === '') return [];
      const number = identifierKey(identifier, value);
      const isShared = type === 'REGISTER_ID' && NUMBERED_BY_COURT.has(country);
      return isShared ? `${number} ${wholeNameKey(country, nameWordsOf(legalName, country))}` : number;
    });
}

/** The text for a registry company, to be compared like those of `entityNumbersOf`. */
export function entityNumberOfEntry(companyId: number): string {
  return `entry ${companyId}`;
}
