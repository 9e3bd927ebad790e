/** Companies whose values others copy. A followed company is reported once it is written again. */
import type { Db } from '#infra/database/database';
import type { BusinessIdentifier } from '#kernel/business-identifier';
import { type CompanyRow, findCompaniesByKey } from './company.queries.ts';
import { keysNamed } from './company.rules.ts';
import { findMatches, followCompany, followCompanyByKey } from './followed.queries.ts';
import { identifierKeyOf } from './identifier.rules.ts';
import { companyMeant, type IdentifiedCompany } from './same-company.rules.ts';
import { identifierKey } from './search-keys.rules.ts';

/** An identifier that more companies share identifies none of them. */
const COMPANIES_OF_AN_IDENTIFIER_MAX = 100;

/**
 * Finds the company with these identifiers and follows it. Call it in a transaction: the company is locked until the
 * transaction ends, and `takeChangedCompanies` reports every later change.
 */
export async function followCompanyNamed(
  db: Db,
  identifiers: readonly BusinessIdentifier[],
): Promise<IdentifiedCompany> {
  const wanted = identifiers.map((each) => identifierKey(each, identifierKeyOf(each)));
  const meant = companyMeant(await findMatches(db, wanted, COMPANIES_OF_AN_IDENTIFIER_MAX));
  if (meant.company === null) return meant;
  const company = await followCompany(db, meant.company.company_id);
  return company ? { company } : { company: null, companyCount: 0 };
}

/** Follows a company by the `id` of a business search. Undefined if the company no longer exists. */
export async function followCompanyChosen(db: Db, businessId: string): Promise<CompanyRow | undefined> {
  return followCompanyByKey(db, keysNamed(businessId));
}

/** Finds a company by the `id` of a business search. Undefined if there is none. */
export async function findCompanyByBusinessId(db: Db, businessId: string): Promise<CompanyRow | undefined> {
  const [company] = await findCompaniesByKey(db, keysNamed(businessId));
  return company;
}
