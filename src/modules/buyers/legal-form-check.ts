/** Checks the legal form of a buyer against its country and its registry. */
import type { Db } from '#infra/database/database';
import type { BusinessIdentifier } from '#kernel/business-identifier';
import { invalidRequest, refusal } from '#kernel/problem';
import { findOtherForm, isFormOfCountry } from '#modules/registry';
import type { Buyer } from './buyer.schemas.ts';

type Claimed = Pick<Buyer, 'legal_name' | 'legal_form' | 'business_address' | 'business_identifiers'>;

/**
 * Throws a 400 for a form that the country of the business address does not have, and LEGAL_FORM_MISMATCH if the
 * stored registry has the company with another form. Accepts an invited buyer. Runs one statement if there are identifiers.
 */
export async function assertLegalForm(
  db: Db,
  { legal_name: legalName, legal_form: legalForm, business_address: address, ...rest }: Claimed,
): Promise<void> {
  const country = address?.country ?? null;
  if (legalName === null || legalForm === null || country === null) return;
  if (!isFormOfCountry(legalForm, country))
    throw invalidRequest([
      {
        code: 'INVALID_VALUE',
        path: 'body.legal_form',
        message: `is not a legal form of ${country}; GET /v1/legal_forms lists them`,
      },
    ]);
  const identifiers = rest.business_identifiers.filter(isOfTheState);
  const other = await findOtherForm(db, { legalName, legalForm, country, identifiers });
  if (other === null) return;
  throw refusal(
    'LEGAL_FORM_MISMATCH',
    `The registry records the legal form ${other.legalForm} for the company, not ${legalForm}`,
    {
      legal_form: legalForm,
      registry_legal_form: other.legalForm,
      business_id: other.businessId,
    },
  );
}

/** Whether the identifier is not an agency id, which no registry has. */
const isOfTheState = ({ type }: BusinessIdentifier) => !type.startsWith('AGENCY');
