/** Companies of the registers, as somebody who types a name or a number looks for theirs. */

import { isCountry } from '#kernel/country';
import { isBlank, isPlainLine } from '#kernel/text';
import { isVatIdFormat } from '#kernel/vat-id';
import {
  businessIdOf,
  type CompanyRow,
  findOrQueryByIdentifier,
  findOrQueryByName,
  legalFormOf,
} from '#modules/registry';
import type { RateLimit } from '#operation/rate-limit';
import type { CheckoutDeps } from '../deps.ts';
import type { CompanyEntry, CompanySearch, FormSender, FoundCompany } from '../state/checkout.view.ts';
import { checkoutStateOf } from '../state/checkout-state.rules.ts';
import { linesOf, numbersOf } from '../state/filed-buyer.ts';
import { readOpenSnapshot } from '../state/snapshot.ts';

const FOUND_MAX = 10;
const QUERY_LENGTH_MIN = 2;
const QUERY_LENGTH_MAX = 255;
const IDENTIFIER_LENGTH_MAX = 48;

/**
 * Throws TOO_MANY_REQUESTS, and REGISTRY_UNAVAILABLE where our own register knows nobody and no other one answers. Null for
 * an unknown token, and for a browser that is not to enter a company now.
 */
export async function searchCompanies(
  deps: CheckoutDeps,
  searchLimit: RateLimit,
  sender: FormSender,
  { country, query }: { country: string; query: string },
): Promise<CompanySearch | null> {
  const { db } = deps;
  const reading = await readOpenSnapshot(deps, db, sender.token, sender.session);
  if (!reading) return null;
  const state = checkoutStateOf(reading);
  if (!reading.session || state.isCodeNeeded || state.outcome !== null || state.isBuyerOnFile) return null;
  // By order: whoever makes more links to it gets no more searches.
  searchLimit.take(`${reading.key.platformId}/${reading.key.orderExternalId}`, () => {});
  const text = query.trim();
  const isAskable =
    isCountry(country) &&
    isPlainLine(text) &&
    !isBlank(text) &&
    [...text].length >= QUERY_LENGTH_MIN &&
    [...text].length <= QUERY_LENGTH_MAX;
  const hits = isAskable ? await search(deps, country, text) : NOTHING;
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

/** What looks like a number is looked for as one first; a company may be called like one all the same. */
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

/** What the registry knows, as a buyer would have typed it. */
export function entryOf(company: CompanyRow): CompanyEntry {
  return {
    legalName: company.legal_name,
    legalForm: legalFormOf(company) ?? '',
    tradingName: company.trading_name ?? '',
    ...linesOf(company.address),
    ...numbersOf(company.identifiers),
    businessId: businessIdOf(company),
  };
}
