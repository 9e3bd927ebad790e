/** A new buyer from the request, completed from the registry. */
import type { Db } from '#infra/database/database';
import { type Issue, invalidRequest } from '#kernel/problem';
import { findOrQueryByIdentifier, followCompanyNamed, type IdentifiedCompany } from '#modules/registry';
import type { Context } from '#operation/operation';
import { isInvitation, missingFields } from './buyer.rules.ts';
import { fillFrom, identifiersToLookUp } from './buyer-registry.rules.ts';
import { type BuyerInput, readBuyer, toLinkColumns } from './company.conversions.ts';

const NOT_QUERIED: IdentifiedCompany = { company: null, companyCount: 0 };

/**
 * Queries live registries for a company that the request does not describe and the stored registry does not have. Call it
 * before the transaction. Throws REGISTRY_UNAVAILABLE if no registry answers.
 */
export async function queryRegistries(
  context: Pick<Context, 'db' | 'registries'>,
  body: BuyerInput,
): Promise<void> {
  for (const { country, type, value } of identifiersToLookUp(body))
    await findOrQueryByIdentifier(context, { country, type, value });
}

/**
 * Completes the request from the stored registry. Runs no statement if it has all required fields. If neither the request
 * nor the registry has the company, a contact_email makes an invited buyer. Otherwise throws a 400 with every missing field.
 */
export async function completeBuyer(db: Db, body: BuyerInput) {
  if (missingFields(body).length === 0) return { data: readBuyer(body), linkColumns: {} };
  const requested = identifiersToLookUp(body);
  const found = requested.length > 0 ? await followCompanyNamed(db, requested) : NOT_QUERIED;
  if (found.company !== null) {
    const { body: filled, link } = fillFrom(found.company, body);
    if (missingFields(filled).length === 0)
      return { data: readBuyer(filled), linkColumns: toLinkColumns(link, found.company.company_id) };
    if (!isInvitation(body))
      throw invalidRequest(issuesOf(filled, 'is required: neither the request nor the registry has it'));
  } else if (!isInvitation(body)) {
    throw invalidRequest(
      issuesOf(body, requested.length === 0 ? INCOMPLETE : whyUnknown(found.companyCount)),
    );
  }
  return { data: readBuyer(body), linkColumns: {} };
}

const INCOMPLETE = 'is required: send legal_name, legal_form and business_address together, or none of them';

function whyUnknown(companyCount: number): string {
  return companyCount === 0
    ? 'is required: the registry has no company with this identifier'
    : `is required: the registry has ${companyCount} companies with this identifier`;
}

function issuesOf(body: BuyerInput, message: string): Issue[] {
  return missingFields(body).map((field) => ({ code: 'REQUIRED', path: `body.${field}`, message }));
}
