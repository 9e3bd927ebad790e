/** The legal forms that a country has, and the one that a registry has for a company. */
import type { Db } from '#infra/database/database';
import type { LegalForm } from '#kernel/fields';
import { businessIdOf, legalFormOf } from './company.rules.ts';
import { findMatches } from './followed.queries.ts';
import { identifierKeyOf } from './identifier.rules.ts';
import { LOCAL_FORMS } from './legal-forms/local-forms.ts';
import { isNamed } from './same-name.rules.ts';
import { identifierKey } from './search-keys.rules.ts';
import type { ClaimedCompany } from './verify-company.ts';

/** Whether the country has the legal form. Never false for OTHER, or for a country without a table of forms. */
export function isFormOfCountry(legalForm: LegalForm, country: string): boolean {
  const forms = LOCAL_FORMS.get(country);
  return legalForm === 'OTHER' || forms === undefined || forms.some((form) => form.legalForm === legalForm);
}

export interface OtherForm {
  legalForm: LegalForm;
  /** The `id` of the business search. */
  businessId: string;
}

/** An identifier that more companies share identifies none of them. */
const SAME_IDENTIFIER_MAX = 100;

/**
 * The legal form in the stored registry, if a company has the claimed name, country and one of the identifiers, and none
 * of those has the claimed form. Null otherwise.
 */
export async function findOtherForm(db: Db, claimed: ClaimedCompany): Promise<OtherForm | null> {
  const keys = claimed.identifiers.map((each) => identifierKey(each, identifierKeyOf(each)));
  if (keys.length === 0) return null;
  const matches = await findMatches(db, keys, SAME_IDENTIFIER_MAX);
  const known = matches
    .filter((row) => row.is_active && row.country === claimed.country && isNamed(row, claimed.legalName))
    .flatMap((row) => {
      const legalForm = legalFormOf(row);
      return legalForm === null ? [] : [{ legalForm, businessId: businessIdOf(row) }];
    });
  return known.some(({ legalForm }) => legalForm === claimed.legalForm) ? null : (known[0] ?? null);
}
