/** Which company is meant, where several entries of the registers answer to the same identifiers. */
import type { CompanyRow } from './company.queries.ts';
import { legalFormOf } from './company.rules.ts';
import type { Match } from './followed.queries.ts';

/** Without a company, how many companies share the identifiers: 0, or 2 and more. */
export type IdentifiedCompany = { company: CompanyRow } | { company: null; companyCount: number };

/**
 * The one company that has every identifier that any company has: several registers may know it. Dissolved ones count
 * only where no other has them. Where none or several are left, how many companies share the identifiers.
 */
export function companyMeant(matches: readonly Match[]): IdentifiedCompany {
  const existing = matches.filter((match) => match.is_active);
  const companies = distinguish(existing.length > 0 ? existing : matches);
  const known = new Set(companies.flatMap(identifiersOf)).size;
  const whole = companies.filter((company) => new Set(identifiersOf(company)).size === known);
  const [only, ...others] = whole;
  if (only !== undefined && others.length === 0) return { company: fullest(only) };
  return { company: null, companyCount: only === undefined ? companies.length : whole.length };
}

const identifiersOf = (entries: readonly Match[]) => entries.flatMap(({ matched }) => matched);

/**
 * Entries of different registers are one company where its name is written with the same words; two of one register never
 * are: registers give a number again in every court's district, and to companies of one name as well.
 */
function distinguish(entries: readonly Match[]): Match[][] {
  const named = Map.groupBy(entries, ({ name_words }) => name_words.split('|')[0]);
  return [...named.values()].flatMap((group) => {
    const registries = new Set(group.map(({ registry }) => registry));
    return registries.size === group.length ? [group] : group.map((entry) => [entry]);
  });
}

/** The entry that tells most of what a buyer must have; of equal ones the freshest. */
function fullest(entries: readonly Match[]): Match {
  return entries.reduce((best, entry) => {
    const more = fullnessOf(entry) - fullnessOf(best) || entry.refreshed_at - best.refreshed_at;
    return more > 0 ? entry : best;
  });
}

function fullnessOf(entry: Match): number {
  const { postcode, city } = entry.address;
  return Number(legalFormOf(entry) !== null) + Number(postcode !== null && city !== null);
}
