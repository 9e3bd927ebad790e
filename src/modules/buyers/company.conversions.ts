/**
 * The shapes of a company, and how one becomes another:
 *
 * - `BuyerInput`, the partial request: what a caller sends, or a buyer enters.
 * - `Buyer`, the wire: what a response shows. `Pick<Buyer, keyof BuyerInput>` are the fields that a request sets.
 * - `BuyerRow`, the row of `buyers`; `KnownBuyer` once the company is known.
 * - `RegistryEntry` (modules/registry): what a source or a file says, stored as a row of `registry_companies`.
 * - `RegistryFacts`: what a buyer can take over from that row.
 * - `CompanyEntry` (modules/checkout): the lines of the checkout's form.
 */
import type { Static } from 'typebox';
import type { PlatformVault } from '#infra/secrets/vault';
import { readAddress } from '#kernel/address';
import { BUSINESS_IDENTIFIERS_MAX } from '#kernel/business-identifier';
import { daysPastDue } from '#kernel/days-past-due';
import { blankToNull } from '#kernel/text';
import { type CompanyRow, legalFormOf } from '#modules/registry';
import type { Context } from '#operation/operation';
import { compileValidator, isOfCountryFormat } from '#operation/validation';
import type { BuyerRow, KnownBuyer } from './buyer.queries.ts';
import type { RegistryLink } from './buyer.schemas.ts';
import { type Buyer, type BuyerCreation, RegistryFactsSchema, type RegistryField } from './buyer.schemas.ts';

/** A possibly incomplete request: every field may be missing. */
export type BuyerInput = Omit<Static<typeof BuyerCreation>, 'external_id'>;

/** What the registry has for a buyer, by the names of the buyer's fields. Has only values that a request could send. */
export type RegistryFacts = Partial<Pick<KnownBuyer, RegistryField>>;

/** Request to wire: every settable field, missing ones empty. */
export function readBuyer(body: BuyerInput): Pick<Buyer, keyof BuyerInput> {
  return {
    legal_name: body.legal_name ?? null,
    legal_form: body.legal_form ?? null,
    trading_name: blankToNull(body.trading_name),
    registered_at: body.registered_at ?? null,
    incorporated_at: body.incorporated_at ?? null,
    business_identifiers: body.business_identifiers ?? [],
    business_address: readAddress(body.business_address),
    delivery_address: readAddress(body.delivery_address),
    custom_data: body.custom_data ?? null,
    contact_email: body.contact_email ?? null,
  };
}

/** Wire to row: the settable fields as columns, the e-mail address sealed. */
export function toColumns(
  vault: PlatformVault,
  externalId: string,
  { contact_email: email, ...fields }: Pick<Buyer, keyof BuyerInput>,
) {
  return {
    ...fields,
    contact_email_sealed: email === null ? null : vault.seal(placeOf(externalId), email),
  };
}

/** The link to a company of the registry as columns. */
export function toLinkColumns(link: RegistryLink | null, companyId: number | null) {
  return link === null
    ? { registry: null, registry_company_id: null }
    : { registry: link, registry_company_id: companyId };
}

const placeOf = (externalId: string) => `buyers/${externalId}`;

export function openBuyerEmail(
  vault: PlatformVault,
  row: Pick<BuyerRow, 'external_id' | 'contact_email_sealed'>,
): string | null {
  return row.contact_email_sealed && vault.open(placeOf(row.external_id), row.contact_email_sealed);
}

/** Row to wire, with the days past due as of now. */
export function toBuyer(
  row: BuyerRow,
  { vault, now, timeZone }: Pick<Context, 'vault' | 'now' | 'timeZone'>,
): Buyer {
  const {
    overdue_since: overdueSince,
    contact_email_sealed: _,
    identity_changed_at: __,
    contact_email_changed_at: ___,
    is_email_from_merchant: ____,
    ...fields
  } = row;
  return {
    ...fields,
    contact_email: openBuyerEmail(vault, row),
    max_days_past_due: overdueSince === null ? null : daysPastDue(overdueSince, now, timeZone),
  };
}

const issuesOf = compileValidator(RegistryFactsSchema, 'body');

/**
 * Company of the registry to facts. Omits values that a request could not send: registries have longer names, days before
 * 1970, and addresses without a city.
 */
export function factsOf(company: CompanyRow): RegistryFacts {
  const facts = {
    legal_name: company.legal_name,
    legal_form: legalFormOf(company) ?? undefined,
    trading_name: blankToNull(company.trading_name) ?? undefined,
    incorporated_at: company.incorporated_at ?? undefined,
    business_address: readAddress(company.address) ?? undefined,
    business_identifiers: company.identifiers.slice(0, BUSINESS_IDENTIFIERS_MAX),
  };
  // A registry's number or postcode is correct in any format.
  const issues = issuesOf(facts).filter((issue) => !isOfCountryFormat(issue));
  const unfit = new Set(issues.map(({ path }) => unfitPart(path)));
  const { business_identifiers: found, ...values } = facts;
  const fitting = Object.entries(values).filter(([field, value]) => value !== undefined && !unfit.has(field));
  const identifiers = found.filter((_, nth) => !unfit.has(`business_identifiers.${nth}`));
  return {
    ...Object.fromEntries(fitting),
    ...(identifiers.length > 0 && { business_identifiers: identifiers }),
  };
}

/** What an issue makes unusable: a whole address, but only one identifier. */
function unfitPart(path: string): string {
  const [, field = '', nth] = path.split('.');
  return field === 'business_identifiers' ? `${field}.${nth}` : field;
}
