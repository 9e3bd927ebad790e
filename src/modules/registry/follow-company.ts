/** What a register knows of a company, for those who take it over and want to hear when it changes. */
import type { Db } from '#infra/database/database';
import type { Address } from '#kernel/address';
import type { BusinessIdentifier } from '#kernel/business-identifier';
import type { LegalForm } from '#kernel/fields';
import { type CompanyRow, findCompaniesByKey } from './company.queries.ts';
import { businessIdOf, keysNamed, legalFormOf } from './company.rules.ts';
import { findMatches, followCompany, takeChangedCompanies } from './followed.queries.ts';
import { identifierKeyOf } from './identifier.rules.ts';
import { companyMeant } from './same-company.rules.ts';
import { identifierKey } from './search-keys.rules.ts';

/** As the register tells it: a name may be longer than a buyer's, an address without city, a day before 1970. */
export interface RegisteredCompany {
  companyId: number;
  registry: string;
  /** The `id` of a business search. */
  businessId: string;
  legalName: string;
  tradingName: string | null;
  legalForm: LegalForm | null;
  address: Address;
  identifiers: BusinessIdentifier[];
  /** Unix seconds; negative before 1970. */
  incorporatedAt: number | null;
  isActive: boolean;
  /** Unix seconds: when it was written last. */
  refreshedAt: number;
}

/** Without a company, how many share the identifiers: 0, or 2 and more. */
export type FollowedCompany = { company: RegisteredCompany } | { company: null; companyCount: number };

/** A number that so many companies share tells nothing about any of them. */
const COMPANIES_OF_AN_IDENTIFIER_MAX = 100;

/**
 * The company that the identifiers name, in a transaction that keeps what it takes from it: nobody can write the company
 * before that ends, and `takeChanges` tells of it afterwards.
 */
export async function followCompanyNamed(
  db: Db,
  identifiers: readonly BusinessIdentifier[],
): Promise<FollowedCompany> {
  const wanted = identifiers.map((each) => identifierKey(each, identifierKeyOf(each)));
  const meant = companyMeant(await findMatches(db, wanted, COMPANIES_OF_AN_IDENTIFIER_MAX));
  if (meant.company === null) return meant;
  const row = await followCompany(db, meant.company.company_id);
  return row ? { company: toRegistered(row) } : { company: null, companyCount: 0 };
}

/** The same of a company that somebody chose from a business search, by its `id` there. Null where it is gone. */
export async function followCompanyChosen(db: Db, businessId: string): Promise<RegisteredCompany | null> {
  const [company] = await findCompaniesByKey(db, keysNamed(businessId));
  const row = company && (await followCompany(db, company.company_id));
  return row ? toRegistered(row) : null;
}

/** Followed companies that were written again since they were last taken, so many at most; kept only by a commit. */
export async function takeChanges(db: Db, countMax: number): Promise<RegisteredCompany[]> {
  return (await takeChangedCompanies(db, countMax)).map(toRegistered);
}

/** The company that a business search showed with this `id`; undefined where there is none. */
export async function findRegisteredCompany(
  db: Db,
  businessId: string,
): Promise<RegisteredCompany | undefined> {
  const [row] = await findCompaniesByKey(db, keysNamed(businessId));
  return row && toRegistered(row);
}

export function toRegistered(row: CompanyRow): RegisteredCompany {
  return {
    companyId: row.company_id,
    registry: row.registry,
    businessId: businessIdOf(row),
    legalName: row.legal_name,
    tradingName: row.trading_name,
    legalForm: legalFormOf(row),
    address: row.address,
    identifiers: row.identifiers,
    incorporatedAt: row.incorporated_at,
    isActive: row.is_active,
    refreshedAt: row.refreshed_at,
  };
}
