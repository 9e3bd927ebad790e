import type { CompanyRow } from './company.queries.ts';
import type { Business } from './company.schemas.ts';

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
