import type { BusinessIdentifier } from '#kernel/business-identifier';
import type { LegalForm } from '#kernel/fields';
import type { CompanyRow } from './company.queries.ts';
import type { Business } from './company.schemas.ts';
import { identifierKeyOf } from './identifier.rules.ts';
import { elfForm } from './legal-form.lookup.ts';
import { readLegalForm, stripLegalForm } from './legal-form.rules.ts';
import type { RegistryEntry } from './registry-entry.ts';

/** The `id` of a business search: registry and key. It is stable. */
export function businessIdOf({ registry, registry_key }: CompanyRow): string {
  return `${registry}-${registry_key}`;
}

/** Every registry and key that an id may consist of: either can contain a hyphen. */
export function keysNamed(businessId: string): { registry: string; registryKey: string }[] {
  return [...businessId.matchAll(/-/g)].map(({ index }) => ({
    registry: businessId.slice(0, index),
    registryKey: businessId.slice(index + 1),
  }));
}

export function toBusiness(row: CompanyRow): Business {
  const { incorporated_at } = row;
  return {
    id: businessIdOf(row),
    legal_name: row.legal_name,
    trading_name: row.trading_name,
    legal_form: row.legal_form,
    business_address: row.address,
    business_identifiers: row.identifiers,
    // The contract's timestamps begin with 1970; a third of all large companies are older.
    incorporated_at: incorporated_at === null || incorporated_at < 0 ? null : incorporated_at,
    website: row.website,
  };
}

/** Whether the entry has a name or an identifier that the row lacks, or another status. */
export function tellsMore(entry: RegistryEntry, row: CompanyRow): boolean {
  const names = new Set<string | null>([row.legal_name, row.trading_name, ...row.other_names, null]);
  const identifiers = new Set(row.identifiers.map(nameOf));
  return (
    entry.isActive !== row.is_active ||
    (entry.isInLiquidation ?? row.is_in_liquidation) !== row.is_in_liquidation ||
    [entry.legalName, entry.tradingName, ...entry.otherNames].some((name) => !names.has(name)) ||
    entry.identifiers.some((identifier) => !identifiers.has(nameOf(identifier)))
  );
}

const nameOf = (identifier: BusinessIdentifier) =>
  `${identifier.country} ${identifier.type} ${identifierKeyOf(identifier)}`;

/**
 * One of the seven legal forms: from the ELF code, else the registry's text, else the company's name. Null if none of
 * them determines it; OTHER only if the country's table says so.
 */
export function legalFormOf({ elf_code, legal_form, legal_name, country }: CompanyRow): LegalForm | null {
  const byCode = elf_code === null ? undefined : elfForm(elf_code)?.legalForm;
  const byWords = legal_form === null ? undefined : recognised(legal_form, country);
  return byCode ?? byWords ?? stripLegalForm(legal_name, country).form?.legal_form ?? null;
}

/** Unrecognised text is read as OTHER without a local code. */
function recognised(text: string, country: string): LegalForm | undefined {
  const { legal_form, local_code } = readLegalForm(text, country);
  return legal_form === 'OTHER' && local_code === null ? undefined : legal_form;
}
