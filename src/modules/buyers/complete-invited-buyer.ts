/** An invited buyer enters its company. */
import { changedFields, nextVersion } from '#kernel/changes';
import { invalidRequest, notFound, refusal } from '#kernel/problem';
import { type CompanyRow, isSameIdentifier } from '#modules/registry';
import type { Context } from '#operation/operation';
import { compileValidator, isOfCountryFormat } from '#operation/validation';
import { recordBuyerUpdated } from './buyer.events.ts';
import { type BuyerRow, lockBuyer, updateBuyer } from './buyer.queries.ts';
import { isKnown } from './buyer.rules.ts';
import { type Buyer, CompleteBuyer } from './buyer.schemas.ts';
import { fillFrom } from './buyer-registry.rules.ts';
import {
  type BuyerInput,
  openBuyerEmail,
  readBuyer,
  toColumns,
  toLinkColumns,
} from './company.conversions.ts';

const issuesOf = compileValidator(CompleteBuyer, 'body');

/**
 * Writes the company that the buyer entered; `chosen`, a followed company of the registry, adds what is missing. Values of
 * the platform stay if the buyer entered none, and its identifiers always stay. Throws NOT_FOUND for an unknown buyer,
 * INVALID_STATUS_TRANSITION once the company is known, and a 400 with everything missing or invalid, with the paths of a PUT.
 */
export async function completeInvitedBuyer(
  { db, platformId, vault, now }: Pick<Context, 'db' | 'platformId' | 'vault' | 'now'>,
  externalId: string,
  company: BuyerInput,
  chosen: CompanyRow | null = null,
): Promise<BuyerRow> {
  const row = await lockBuyer(db, platformId, externalId);
  if (!row) throw notFound();
  if (isKnown(row))
    throw refusal('INVALID_STATUS_TRANSITION', 'The company of the buyer is already known', { allowed: [] });
  const stored = { ...row, contact_email: openBuyerEmail(vault, row) };
  const said = withStored(company, stored);
  const { body, columns } = chosen === null ? { body: said, columns: {} } : withChosen(said, chosen);
  // The checkout has validated what the buyer typed. The rest comes from the registry or is already stored.
  const issues = issuesOf(body).filter((issue) => !isOfCountryFormat(issue));
  if (issues.length > 0) throw invalidRequest(issues);
  const data = readBuyer(body);
  const completed = await updateBuyer(db, platformId, externalId, {
    ...toColumns(vault, externalId, data),
    ...columns,
    is_company_entered: true,
    ...nextVersion(row, now),
  });
  const { registry } = completed;
  await recordBuyerUpdated(db, completed, changedFields(stored, { ...data, registry }));
  return completed;
}

/** The stored fields, overwritten by the entered ones. */
function withStored(company: BuyerInput, stored: Pick<Buyer, keyof BuyerInput>): BuyerInput {
  const own = stored.business_identifiers;
  const added = (company.business_identifiers ?? []).filter(
    (each) => !own.some((one) => isSameIdentifier(one, each)),
  );
  const before = Object.keys(CompleteBuyer.properties).map((name) => [
    name,
    stored[name as keyof BuyerInput],
  ]);
  const isSaid = ([, value]: unknown[]) => value !== null && value !== undefined && value !== '';
  return {
    ...Object.fromEntries([...before.filter(isSaid), ...Object.entries(company).filter(isSaid)]),
    business_identifiers: [...own, ...added],
  };
}

function withChosen(said: BuyerInput, company: CompanyRow) {
  const { body, link } = fillFrom(company, said);
  const taken = link.fields.length > 0 ? link : null;
  return { body, columns: toLinkColumns(taken, company.company_id) };
}
