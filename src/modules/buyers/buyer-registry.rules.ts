/** What a buyer takes from the registry, and for how long a field follows it. */
import { isDeepStrictEqual } from 'node:util';
import { BUSINESS_IDENTIFIERS_MAX, type BusinessIdentifier } from '#kernel/business-identifier';
import { changedFields } from '#kernel/changes';
import { businessIdOf, type CompanyRow, isSameIdentifier } from '#modules/registry';
import { missingFields } from './buyer.rules.ts';
import {
  REGISTRY_FIELDS,
  REGISTRY_IDENTIFIER_TYPES,
  type RegistryField,
  type RegistryLink,
} from './buyer.schemas.ts';
import { type BuyerInput, factsOf, type RegistryFacts } from './company.conversions.ts';
import type { LinkedBuyer } from './linked-buyer.queries.ts';

const PLAIN_FIELDS = REGISTRY_FIELDS.filter((field) => field !== 'business_identifiers');
const NO_IDENTIFIERS: readonly RegistryIdentifier[] = [];

type RegistryIdentifier = BusinessIdentifier & { type: (typeof REGISTRY_IDENTIFIER_TYPES)[number] };

/** The identifiers to look up in the registry; none if the request has all required fields. */
export function identifiersToLookUp(body: BuyerInput): readonly RegistryIdentifier[] {
  if (missingFields(body).length === 0) return NO_IDENTIFIERS;
  return (body.business_identifiers ?? []).filter(isRegistryIdentifier);
}

function isRegistryIdentifier(identifier: BusinessIdentifier): identifier is RegistryIdentifier {
  return (REGISTRY_IDENTIFIER_TYPES as readonly string[]).includes(identifier.type);
}

/** The request, with the registry's values for the fields that it omits. Values that it sends are kept, even null. */
export function fillFrom(company: CompanyRow, body: BuyerInput): { body: BuyerInput; link: RegistryLink } {
  const facts = factsOf(company);
  const own = body.business_identifiers ?? [];
  const added = identifiersBeside(own, facts.business_identifiers);
  const filled = PLAIN_FIELDS.filter((field) => body[field] === undefined && facts[field] !== undefined);
  const isFilled = (field: RegistryField) =>
    field === 'business_identifiers' ? added.length > 0 : filled.includes(field);
  return {
    // Facts have passed the validation of requests, so their address is complete.
    body: { ...body, ...pick(facts, filled), business_identifiers: [...own, ...added] } as BuyerInput,
    link: {
      registry: company.registry,
      business_id: businessIdOf(company),
      is_active: company.is_active,
      fields: REGISTRY_FIELDS.filter(isFilled),
      refreshed_at: company.refreshed_at,
      identifiers: added,
    },
  };
}

/** The link once the platform has changed these fields; null if no field follows the registry any more. */
export function linkAfterChange(link: RegistryLink | null, changed: readonly string[]): RegistryLink | null {
  const fields = link?.fields.filter((field) => !changed.includes(field)) ?? [];
  if (link === null || fields.length === 0) return null;
  return { ...link, fields, identifiers: fields.includes('business_identifiers') ? link.identifiers : [] };
}

export interface Refreshed {
  facts: RegistryFacts;
  link: RegistryLink;
  changedFields: string[];
}

/**
 * The changes of a buyer after its company was written again; null if there are none. A value is replaced and never
 * cleared: a field that the entry no longer has, or whose value does not fit a buyer, stays unchanged.
 */
export function refresh(stored: LinkedBuyer, company: CompanyRow): Refreshed | null {
  const link = stored.registry;
  const facts = factsOf(company);
  const taken: RegistryFacts = pick(
    facts,
    PLAIN_FIELDS.filter((field) => link.fields.includes(field) && facts[field] !== undefined),
  );
  let { identifiers } = link;
  if (link.fields.includes('business_identifiers') && facts.business_identifiers) {
    const own = stored.business_identifiers.filter(
      (one) => !link.identifiers.some((given) => isDeepStrictEqual(given, one)),
    );
    identifiers = identifiersBeside(own, facts.business_identifiers);
    taken.business_identifiers = [...own, ...identifiers];
  }
  const changed = changedFields<RegistryFacts>(stored, taken);
  if (changed.length === 0 && link.is_active === company.is_active) return null;
  return {
    facts: taken,
    link: { ...link, identifiers, is_active: company.is_active, refreshed_at: company.refreshed_at },
    changedFields: [...changed, 'registry'],
  };
}

function identifiersBeside(
  own: readonly BusinessIdentifier[],
  found: readonly BusinessIdentifier[] = NO_IDENTIFIERS,
): BusinessIdentifier[] {
  return found
    .filter((each) => !own.some((one) => isSameIdentifier(one, each)))
    .slice(0, Math.max(0, BUSINESS_IDENTIFIERS_MAX - own.length));
}

function pick<T extends object, K extends keyof T>(from: T, fields: readonly K[]): Pick<T, K> {
  return Object.fromEntries(fields.map((field) => [field, from[field]])) as Pick<T, K>;
}
