/** Checks whether registries have a company under the identifiers it claims. */
import type { Db } from '#infra/database/database';
import type { BusinessIdentifier } from '#kernel/business-identifier';
import { type CompanyRow, findCompaniesByIdentifier } from './company.queries.ts';
import { identifierKeyOf } from './identifier.rules.ts';
import { nameWordsOf } from './name.rules.ts';
import { identifierKey } from './search-keys.rules.ts';

export interface IdentifierCheck {
  /** Number of identifiers that a registry has for an existing company of a matching name. */
  verified: number;
  /** Unix seconds; negative before 1970. Null if no matching company has it. */
  incorporatedAt: number | null;
  /** The names of the registries that have them, each once, sorted. */
  registries: string[];
  /** The latest time at which one of these entries was written, in unix seconds; null if there is none. */
  refreshedAt: number | null;
}

/** A company has a handful of identifiers; a hundred must not cost a hundred lookups. */
const IDENTIFIERS_MAX = 10;
/** An identifier that more companies share does not identify any of them. */
const SAME_IDENTIFIER_MAX = 20;

/** Reads the stored companies only; queries no live registry. */
export async function verifyIdentifiers(
  db: Db,
  company: { legalName: string; identifiers: readonly BusinessIdentifier[] },
): Promise<IdentifierCheck> {
  const found = await Promise.all(
    company.identifiers.slice(0, IDENTIFIERS_MAX).map(async (identifier) => {
      const key = identifierKey(identifier, identifierKeyOf(identifier));
      const rows = await findCompaniesByIdentifier(db, key, SAME_IDENTIFIER_MAX);
      return rows.filter((row) => row.is_active && hasName(row, company.legalName));
    }),
  );
  const companies = found.flat();
  const days = companies.map((row) => row.incorporated_at).filter((at) => at !== null);
  return {
    verified: found.filter((rows) => rows.length > 0).length,
    incorporatedAt: days.length === 0 ? null : Math.min(...days),
    registries: [...new Set(companies.map((row) => row.registry))].sort(),
    refreshedAt: companies.length === 0 ? null : Math.max(...companies.map((row) => row.refreshed_at)),
  };
}

/** Whether one of the company's names has all words of the other, or the reverse; legal forms are ignored. */
function hasName({ legal_name, trading_name, other_names, country }: CompanyRow, wanted: string): boolean {
  const wantedWords = new Set(nameWordsOf(wanted, country));
  return [legal_name, trading_name, ...other_names].some((name) => {
    const words = new Set(name === null ? [] : nameWordsOf(name, country));
    const [fewer, more] = words.size < wantedWords.size ? [words, wantedWords] : [wantedWords, words];
    return fewer.size > 0 && [...fewer].every((word) => more.has(word));
  });
}
