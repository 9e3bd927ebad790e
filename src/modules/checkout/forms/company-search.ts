/** Searches the registries for the buyer's company, by name or by number. */

import { isCountry } from '#kernel/country';
import { isBlank, isPlainLine } from '#kernel/text';
import { isVatIdFormat } from '#kernel/vat-id';
import { businessIdOf, type CompanyRow, findOrQueryByIdentifier, findOrQueryByName } from '#modules/registry';
import type { RateLimit } from '#operation/rate-limit';
import type { CheckoutDeps } from '../deps.ts';
import type { CompanySearch, FormSender, FoundCompany } from '../state/checkout.view.ts';
import { checkoutStateOf } from '../state/checkout-state.rules.ts';
import { readOpenSnapshot } from '../state/snapshot.ts';

const FOUND_MAX = 10;
const QUERY_LENGTH_MIN = 2;
const QUERY_LENGTH_MAX = 255;
const IDENTIFIER_LENGTH_MAX = 48;

/**
 * Null for an unknown token, and for a browser that may not enter a company now. Throws TOO_MANY_REQUESTS, and
 * REGISTRY_UNAVAILABLE if no company is stored here and no external registry answers.
 */
export async function searchCompanies(
  deps: CheckoutDeps,
  searchLimit: RateLimit,
  sender: FormSender,
  { country, query }: { country: string; query: string },
): Promise<CompanySearch | null> {
  const { db } = deps;
  const snapshot = await readOpenSnapshot(deps, db, sender.token, sender.session);
  if (!snapshot) return null;
  const state = checkoutStateOf(snapshot);
  if (!snapshot.session || state.isCodeNeeded || state.outcome !== null || state.isBuyerOnFile) return null;
  // Counted per order, so that another link to it does not raise the limit.
  searchLimit.take(`${snapshot.key.platformId}/${snapshot.key.orderExternalId}`, () => {});
  const text = query.trim();
  const isSearchable =
    isCountry(country) &&
    isPlainLine(text) &&
    !isBlank(text) &&
    [...text].length >= QUERY_LENGTH_MIN &&
    [...text].length <= QUERY_LENGTH_MAX;
  const hits = isSearchable ? await search(deps, country, text) : NOTHING;
  return {
    country,
    query,
    found: hits.companies.slice(0, FOUND_MAX).map(toFound),
    total: hits.total,
  };
}

interface Hits {
  companies: CompanyRow[];
  total: number;
}
const NOTHING: Hits = { companies: [], total: 0 };

/** Text that looks like a number is searched as a number first, then as a name. */
async function search(deps: CheckoutDeps, country: string, text: string): Promise<Hits> {
  if (looksLikeNumber(text)) {
    const companies = await searchByNumber(deps, country, text);
    if (companies.length > 0) return { companies, total: companies.length };
  }
  return findOrQueryByName(deps, { country, name: text, limit: FOUND_MAX });
}

async function searchByNumber(deps: CheckoutDeps, country: string, value: string): Promise<CompanyRow[]> {
  const types = isVatIdFormat(value, country)
    ? (['VAT_ID', 'REGISTER_ID'] as const)
    : (['REGISTER_ID'] as const);
  for (const type of types) {
    const companies = await findOrQueryByIdentifier(deps, { country, type, value });
    if (companies.length > 0) return companies;
  }
  return [];
}

/** `DE811907980`, `HRB 70008`, `552 100 554`; not `Studio 54`. */
export function looksLikeNumber(text: string): boolean {
  const digits = text.match(/\p{Nd}/gu)?.length ?? 0;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return digits >= 3 && digits >= letters && text.length <= IDENTIFIER_LENGTH_MAX;
}

function toFound(company: CompanyRow): FoundCompany {
  return {
    businessId: businessIdOf(company),
    legalName: company.legal_name,
    tradingName: company.trading_name,
    address: company.address,
    identifiers: company.identifiers.map(({ value }) => value),
  };
}
