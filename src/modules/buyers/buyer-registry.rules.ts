/** What a buyer takes over from the register, and how long it stays the register's. */
import { isDeepStrictEqual } from 'node:util';
import type { Static } from 'typebox';
import { readAddress } from '#kernel/address';
import { BUSINESS_IDENTIFIERS_MAX, type BusinessIdentifier } from '#kernel/business-identifier';
import { changedFields } from '#kernel/changes';
import { blankToNull } from '#kernel/text';
import { isSameIdentifier, type RegisteredCompany } from '#modules/registry';
import { compileValidator } from '#operation/validation';
import type { BuyerData, CompanyKnown, WholeBuyer } from './buyer.rules.ts';
import {
  type BuyerCreation,
  type BuyerRegistry,
  REGISTER_IDENTIFIER_TYPES,
  REGISTRY_FIELDS,
  REQUIRED_FIELDS,
  RegistryFacts,
  type RegistryField,
} from './buyer.schemas.ts';

export type NewBuyer = Omit<Static<typeof BuyerCreation>, 'external_id'>;

/** As stored: what the answer shows, and which of the buyer's identifiers the register gave. */
export interface RegistryLink extends BuyerRegistry {
  identifiers: BusinessIdentifier[];
}

type Facts = Partial<Omit<Pick<BuyerData, RegistryField>, keyof CompanyKnown> & CompanyKnown>;

const PLAIN_FIELDS = REGISTRY_FIELDS.filter((field) => field !== 'business_identifiers');
const NO_IDENTIFIERS: readonly RegistryIdentifier[] = [];

type RegistryIdentifier = BusinessIdentifier & { type: (typeof REGISTER_IDENTIFIER_TYPES)[number] };

export function isComplete<B extends NewBuyer>(body: B): body is B & WholeBuyer {
  return missingFields(body).length === 0;
}

export function missingFields(body: NewBuyer): (typeof REQUIRED_FIELDS)[number][] {
  return REQUIRED_FIELDS.filter((field) => body[field] === undefined);
}

/** Whether it names nobody but the one to write to. Half a company is no invitation. */
export function isInvitation(body: NewBuyer): boolean {
  return (body.contact_email ?? null) !== null && missingFields(body).length === REQUIRED_FIELDS.length;
}

/** The identifiers to ask the register for; none where the request tells what a buyer must have. */
export function identifiersToLookUp(body: NewBuyer): readonly RegistryIdentifier[] {
  if (isComplete(body)) return NO_IDENTIFIERS;
  return (body.business_identifiers ?? []).filter(isRegistryIdentifier);
}

function isRegistryIdentifier(identifier: BusinessIdentifier): identifier is RegistryIdentifier {
  return (REGISTER_IDENTIFIER_TYPES as readonly string[]).includes(identifier.type);
}

/** The request with what it leaves out and the register knows. What it says, be it null, stays. */
export function fillFrom(company: RegisteredCompany, body: NewBuyer): { body: NewBuyer; link: RegistryLink } {
  const facts = factsOf(company);
  const own = body.business_identifiers ?? [];
  const added = identifiersBeside(own, facts.business_identifiers);
  const filled = PLAIN_FIELDS.filter((field) => body[field] === undefined && facts[field] !== undefined);
  const isFilled = (field: RegistryField) =>
    field === 'business_identifiers' ? added.length > 0 : filled.includes(field);
  return {
    // Facts fit a request, so their address has what a request's must have.
    body: { ...body, ...pick(facts, filled), business_identifiers: [...own, ...added] } as NewBuyer,
    link: {
      registry: company.registry,
      business_id: company.businessId,
      is_active: company.isActive,
      fields: REGISTRY_FIELDS.filter(isFilled),
      refreshed_at: company.refreshedAt,
      identifiers: added,
    },
  };
}

/** What is left of it once the platform has changed these fields; null where that is nothing. */
export function linkAfterChange(link: RegistryLink | null, changed: readonly string[]): RegistryLink | null {
  const fields = link?.fields.filter((field) => !changed.includes(field)) ?? [];
  if (link === null || fields.length === 0) return null;
  return { ...link, fields, identifiers: fields.includes('business_identifiers') ? link.identifiers : [] };
}

export interface Refreshed {
  data: Facts;
  link: RegistryLink;
  changedFields: string[];
}

/**
 * What the company makes of its buyer now; null where nothing changes. A value goes over to another one and is never
 * emptied: an entry that tells less than before, or what does not fit a buyer, says nothing.
 */
export function refresh(
  stored: Required<Facts> & { registry: RegistryLink },
  company: RegisteredCompany,
): Refreshed | null {
  const link = stored.registry;
  const facts = factsOf(company);
  const data: Facts = pick(
    facts,
    PLAIN_FIELDS.filter((field) => link.fields.includes(field) && facts[field] !== undefined),
  );
  let { identifiers } = link;
  if (link.fields.includes('business_identifiers') && facts.business_identifiers) {
    const own = stored.business_identifiers.filter(
      (one) => !link.identifiers.some((given) => isDeepStrictEqual(given, one)),
    );
    identifiers = identifiersBeside(own, facts.business_identifiers);
    data.business_identifiers = [...own, ...identifiers];
  }
  const changed = changedFields<Facts>(stored, data);
  if (changed.length === 0 && link.is_active === company.isActive) return null;
  return {
    data,
    link: { ...link, identifiers, is_active: company.isActive, refreshed_at: company.refreshedAt },
    changedFields: [...changed, 'registry'],
  };
}

const issuesOf = compileValidator(RegistryFacts, 'body');

/** What fits a buyer, by the rules for requests: registers have longer names, older days, addresses without city. */
function factsOf(company: RegisteredCompany): Facts {
  const facts = {
    legal_name: company.legalName,
    legal_form: company.legalForm ?? undefined,
    trading_name: blankToNull(company.tradingName) ?? undefined,
    incorporated_at: company.incorporatedAt ?? undefined,
    business_address: readAddress(company.address) ?? undefined,
    business_identifiers: company.identifiers.slice(0, BUSINESS_IDENTIFIERS_MAX),
  };
  const unfit = new Set(issuesOf(facts).map(({ path }) => unfitPart(path)));
  const fitting = PLAIN_FIELDS.filter((field) => facts[field] !== undefined && !unfit.has(field));
  const identifiers = facts.business_identifiers.filter(
    (_, nth) => !unfit.has(`business_identifiers.${nth}`),
  );
  return {
    ...(pick(facts, fitting) as Facts),
    ...(identifiers.length > 0 && { business_identifiers: identifiers }),
  };
}

/** An address is unfit as a whole, an identifier by itself. */
function unfitPart(path: string): string {
  const [, field = '', nth] = path.split('.');
  return field === 'business_identifiers' ? `${field}.${nth}` : field;
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
