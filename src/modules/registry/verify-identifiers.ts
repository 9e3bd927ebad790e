/** Whether registers have a company under the numbers that it gives of itself. */
import type { Db } from '#infra/database/database';
import type { BusinessIdentifier } from '#kernel/business-identifier';
import { type CompanyRow, findCompaniesByIdentifier } from './company.queries.ts';
import { identifierKeyOf } from './identifier.rules.ts';
import { nameWordsOf } from './name.rules.ts';
import { identifierKey } from './search-keys.rules.ts';

export interface IdentifierCheck {
  /** Identifiers that a register has for an existing company of a matching name. */
  verified: number;
  /** Unix seconds; negative before 1970. Null where no matching company says it. */
  incorporatedAt: number | null;
  /** The registers that have them, each once, in the order of their names. */
  registries: string[];
  /** When what they say was last written here, in unix seconds; null where they say nothing. */
  refreshedAt: number | null;
}

/** A company has a handful of numbers, and whoever gives a hundred shall not cost a hundred look-ups. */
const IDENTIFIERS_MAX = 10;
/** A number that so many companies share tells nothing about any of them. */
const SAME_IDENTIFIER_MAX = 20;

/** Asks what is stored, not the live registers. */
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

/** One of the company's names has all words of the other, or the other way round; legal forms aside. */
function hasName({ legal_name, trading_name, other_names, country }: CompanyRow, wanted: string): boolean {
  const wantedWords = new Set(nameWordsOf(wanted, country));
  return [legal_name, trading_name, ...other_names].some((name) => {
    const words = new Set(name === null ? [] : nameWordsOf(name, country));
    const [fewer, more] = words.size < wantedWords.size ? [words, wantedWords] : [wantedWords, words];
    return fewer.size > 0 && [...fewer].every((word) => more.has(word));
  });
}
