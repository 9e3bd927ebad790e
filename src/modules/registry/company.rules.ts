import type { BusinessIdentifier } from '#kernel/business-identifier';
import type { CompanyRow } from './company.queries.ts';
import type { Business } from './company.schemas.ts';
import { keyOf } from './identifier.rules.ts';
import type { RegisterEntry } from './register-entry.ts';

export function toBusiness(row: CompanyRow): Business {
  const { incorporated_at } = row;
  return {
    id: `${row.register}-${row.register_key}`,
    legal_name: row.legal_name,
    trading_name: row.trading_name,
    legal_form: row.legal_form,
    business_address: row.address,
    business_identifiers: row.identifiers,
    // The contract's timestamps begin with 1970; a third of all large companies are older.
    incorporated_at: incorporated_at === null || incorporated_at < 0 ? null : incorporated_at,
    website: row.website,
  };
}

/** Whether the entry has a name or an identifier that the row has not, and so would be found by more than before. */
export function tellsMore(entry: RegisterEntry, row: CompanyRow): boolean {
  const names = new Set<string | null>([row.legal_name, row.trading_name, ...row.other_names, null]);
  const identifiers = new Set(row.identifiers.map(nameOf));
  return (
    [entry.legalName, entry.tradingName, ...entry.otherNames].some((name) => !names.has(name)) ||
    entry.identifiers.some((identifier) => !identifiers.has(nameOf(identifier)))
  );
}

const nameOf = (identifier: BusinessIdentifier) =>
  `${identifier.country} ${identifier.type} ${keyOf(identifier)}`;
