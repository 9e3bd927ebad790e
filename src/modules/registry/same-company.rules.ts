/** Decides which company a buyer means if several registry entries have the same identifiers. */
import type { CompanyRow } from './company.queries.ts';
import { legalFormOf } from './company.rules.ts';
import type { Match } from './followed.queries.ts';

/** Without a company, the number of companies that share the identifiers: 0, or at least 2. */
export type IdentifiedCompany = { company: CompanyRow } | { company: null; companyCount: number };

/**
 * The only company with all the identifiers that were found; several registries may have it. Dissolved companies count
 * only if no existing one matches. Otherwise the number of companies that share the identifiers.
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
 * Entries of different registries are one company if their names have the same words. Entries of one registry are different
 * companies: courts assign the same numbers, even to companies of the same name.
 */
function distinguish(entries: readonly Match[]): Match[][] {
  const named = Map.groupBy(entries, ({ name_words }) => name_words.split('|')[0]);
  return [...named.values()].flatMap((group) => {
    const registries = new Set(group.map(({ registry }) => registry));
    return registries.size === group.length ? [group] : group.map((entry) => [entry]);
  });
}

/** The entry with the most required fields of a buyer; if several have as many, the latest. */
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
