/** Compares the company that a buyer claims to be with the registries. */
import type { Address } from '#kernel/address';
import type { BusinessIdentifier } from '#kernel/business-identifier';
import type { LegalForm } from '#kernel/fields';
import { Problem } from '#kernel/problem';
import type { Context } from '#operation/operation';
import { type CompanyRow, findCompaniesByIdentifier } from './company.queries.ts';
import { legalFormOf } from './company.rules.ts';
import { entityNumberOfEntry, entityNumbersOf } from './entity-numbers.rules.ts';
import { findOrQueryByIdentifier } from './find-or-query.ts';
import { identifierKeyOf } from './identifier.rules.ts';
import { isNamed } from './same-name.rules.ts';
import { identifierKey } from './search-keys.rules.ts';
import { LEI_REGISTRY } from './sources/gleif-record.ts';
import { TAX_AUTHORITIES } from './sources/vies-source.ts';

export const REGISTRY_STATUSES = ['ACTIVE', 'IN_LIQUIDATION', 'DISSOLVED', 'NOT_FOUND', 'NOT_ASKED'] as const;
export type RegistryStatus = (typeof REGISTRY_STATUSES)[number];

/** What a buyer states about itself. */
export interface ClaimedCompany {
  legalName: string;
  /** Of the business address, ISO 3166-1 alpha-2. */
  country: string;
  legalForm: LegalForm;
  identifiers: readonly BusinessIdentifier[];
}

export type VerifiedSource = 'REGISTRY' | 'TAX_AUTHORITY';

export interface CompanyCheck {
  /** NOT_FOUND: no registry has the identifiers. NOT_ASKED: the buyer has none, or no registry answered. */
  status: RegistryStatus;
  /** Whether a company with the identifiers has the claimed name and country; null if none was found. */
  nameMatches: boolean | null;
  /** The source that lists the company as existing, with the claimed name and one of the identifiers; null if none does. */
  source: VerifiedSource | null;
  /** The source that confirms the claimed legal form; null if none does. */
  legalFormSource: VerifiedSource | null;
  /** Number of identifiers of this company. */
  verified: number;
  /** Unix seconds; negative before 1970. Null if no registry has it. */
  incorporatedAt: number | null;
  /** The registered office. */
  seat: Address | null;
  website: string | null;
  /** The stored company to follow; null if none was found. */
  companyId: number | null;
  /** A number of the company, in one spelling: the same for every identifier by which it was found. */
  companyKey: string | null;
  /** Texts that all buyers of the same legal entity share: the numbers of the company, and its registry entries. */
  entityNumbers: string[];
  /** The names of the registries that have it, each once, sorted. */
  registries: string[];
  /** The latest time at which one of these entries was written, in unix seconds; null if there is none. */
  refreshedAt: number | null;
  /** Number of identifiers for which no registry answered. */
  unanswered: number;
}

/** A company has a handful of identifiers; a hundred must not cost a hundred lookups. */
const IDENTIFIERS_MAX = 10;
/** An identifier that more companies share identifies none of them. */
const SAME_IDENTIFIER_MAX = 200;
/** Agency ids do not prove that a company exists. */
const OF_THE_STATE: readonly string[] = [
  'VAT_ID',
  'TAX_ID',
  'REGISTER_ID',
] satisfies BusinessIdentifier['type'][];

/**
 * Searches the stored companies, and queries live registries for identifiers that none of them has. No transaction may be
 * open. Does not throw if a registry does not answer; the result then contains less.
 */
export async function verifyCompany(
  context: Pick<Context, 'db' | 'registries'>,
  claimed: ClaimedCompany,
): Promise<CompanyCheck> {
  const identifiers = claimed.identifiers.filter(({ type }) => OF_THE_STATE.includes(type));
  const found = await Promise.all(
    identifiers.slice(0, IDENTIFIERS_MAX).map((identifier) => companiesWith(context, identifier)),
  );
  const answered = found.filter((rows) => rows !== null);
  const isClaimed = (row: CompanyRow) => row.country === claimed.country && isNamed(row, claimed.legalName);
  const matching = new Map(
    answered
      .flat()
      .filter(isClaimed)
      .map((row) => [row.company_id, row]),
  );
  const rows = authoritative([...matching.values()]);
  const status = rows.length > 0 ? statusOf(rows) : statusOf(authoritative(answered.flat()), answered.length);
  const existing = status === 'DISSOLVED' ? [] : rows.filter((row) => row.is_active);
  const existingIds = new Set(existing.map((row) => row.company_id));
  const days = existing.map((row) => row.incorporated_at).filter((at) => at !== null);
  const best = existing.find((row) => legalFormOf(row) !== null) ?? existing[0] ?? null;
  return {
    status,
    nameMatches: answered.flat().length === 0 ? null : rows.length > 0,
    source: sourceOf(existing),
    legalFormSource: sourceOf(existing.filter((row) => legalFormOf(row) === claimed.legalForm)),
    verified: answered.filter((each) => each.some((row) => existingIds.has(row.company_id))).length,
    incorporatedAt: days.length === 0 ? null : Math.min(...days),
    seat: best?.address ?? null,
    website: existing.find((row) => row.website !== null)?.website ?? null,
    companyId: best?.company_id ?? null,
    companyKey: keyOf(existing.length > 0 ? existing.flatMap((row) => row.identifiers) : identifiers),
    entityNumbers: entityOf(claimed, existing),
    registries: [...new Set(existing.map((row) => row.registry))].sort(),
    refreshedAt: existing.length === 0 ? null : Math.max(...existing.map((row) => row.refreshed_at)),
    unanswered: found.length - answered.length,
  };
}

/** Null if no registry that could know the identifier answers. */
async function companiesWith(
  context: Pick<Context, 'db' | 'registries'>,
  identifier: BusinessIdentifier,
): Promise<CompanyRow[] | null> {
  const { type, value, country } = identifier;
  const key = identifierKeyOf(identifier);
  if (key === '') return [];
  if (type !== 'VAT_ID' && type !== 'REGISTER_ID')
    return findCompaniesByIdentifier(context.db, identifierKey(identifier, key), SAME_IDENTIFIER_MAX);
  try {
    return await findOrQueryByIdentifier(context, { type, value, country });
  } catch (error) {
    if (error instanceof Problem && error.reason === 'REGISTRY_UNAVAILABLE') return null;
    throw error;
  }
}

/**
 * A tax authority keeps the number of a company that its registry has dissolved, and an LEI outlives it too. So the
 * national registry decides whether the company exists; of several entries, the one that was read last.
 */
function authoritative(rows: readonly CompanyRow[]): readonly CompanyRow[] {
  const [first] = rows.toSorted(
    (a, b) => rankOf(a.registry) - rankOf(b.registry) || b.refreshed_at - a.refreshed_at,
  );
  const decisive = rows.filter((row) => row.registry === first?.registry);
  return decisive.some((row) => row.is_active) ? rows : decisive;
}

function rankOf(registry: string): number {
  if (TAX_AUTHORITIES.has(registry)) return 2;
  return registry === LEI_REGISTRY ? 1 : 0;
}

/** Existing entries take precedence over dissolved ones, and among them one that is being wound up. */
function statusOf(rows: readonly CompanyRow[], answers = 1): RegistryStatus {
  if (rows.length === 0) return answers === 0 ? 'NOT_ASKED' : 'NOT_FOUND';
  const existing = rows.filter((row) => row.is_active);
  if (existing.length === 0) return 'DISSOLVED';
  return existing.some((row) => row.is_in_liquidation) ? 'IN_LIQUIDATION' : 'ACTIVE';
}

function sourceOf(rows: readonly CompanyRow[]): VerifiedSource | null {
  if (rows.length === 0) return null;
  return rows.every(({ registry }) => TAX_AUTHORITIES.has(registry)) ? 'TAX_AUTHORITY' : 'REGISTRY';
}

/** Registries repeat the numbers of a company in many spellings; a company has a handful. */
const ENTITY_NUMBERS_MAX = 50;

/** A registry's spelling of the name takes precedence over the claimed one. */
function entityOf({ identifiers, legalName }: ClaimedCompany, existing: readonly CompanyRow[]): string[] {
  const numbers = [
    ...existing.map((row) => entityNumberOfEntry(row.company_id)),
    ...entityNumbersOf(identifiers, existing[0]?.legal_name ?? legalName),
    ...existing.flatMap((row) => entityNumbersOf(row.identifiers, row.legal_name)),
  ];
  return [...new Set(numbers)].slice(0, ENTITY_NUMBERS_MAX);
}

/** The first of the company's numbers, in the order of the keys. */
function keyOf(identifiers: readonly BusinessIdentifier[]): string | null {
  const keys = identifiers.map((each) => identifierKey(each, identifierKeyOf(each)));
  return keys.sort()[0] ?? null;
}
