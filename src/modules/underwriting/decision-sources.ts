/** Where the inputs of a decision came from. */
import type { KnownBuyer } from '#modules/buyers';
import type { CompanyCheck } from '#modules/registry';
import type { ApplyingPerson } from './applicant.ts';
import type { Application, Voucher } from './assessment.rules.ts';
import type { DecisionSource } from './decision.queries.ts';
import type { EntityBuyer } from './entity-buyer.ts';
import type { ReviewRow } from './review.queries.ts';
import { ENTITY_SOURCE } from './source.names.ts';

export function sourcesOf(
  { applicant, spokesperson: { voucher } }: Application,
  buyer: KnownBuyer,
  company: CompanyCheck,
  now: number,
): DecisionSource[] {
  return [
    { name: 'BUYER', at: buyer.updated_at, data: {} },
    {
      name: 'COMPANY_REGISTER',
      at: company.refreshedAt ?? now,
      data: { registries: company.registries.join(' '), unanswered: company.unanswered },
    },
    { name: 'PLATFORM_HISTORY', at: now, data: {} },
    ...sourcesOfApplicant(applicant, now),
    ...(voucher?.by === 'REVIEWER' ? [reviewerSource(voucher)] : []),
  ];
}

function reviewerSource({ at, decisionId }: Extract<Voucher, { by: 'REVIEWER' }>): DecisionSource {
  return { name: 'REVIEWER', at, data: { decision_id: decisionId } };
}

/** The checkout, and the platform's own statement about the buyer. */
function sourcesOfApplicant(applicant: ApplyingPerson | null, now: number): DecisionSource[] {
  if (applicant === null) return [];
  const { proof, vouching } = applicant;
  const vouched = vouching && {
    name: 'VOUCHED',
    at: vouching.at,
    data: { by: vouching.by, actor: vouching.actor },
  };
  return [{ name: 'CHECKOUT', at: now, data: { applicant_proof: proof } }, ...(vouched ? [vouched] : [])];
}

/** The maximum number of other buyers that a source names. */
const ENTITY_BUYERS_NAMED_MAX = 20;

export function entitySources(beside: readonly EntityBuyer[], now: number): DecisionSource[] {
  if (beside.length === 0) return [];
  const named = beside.slice(0, ENTITY_BUYERS_NAMED_MAX).map(({ buyerExternalId }) => buyerExternalId);
  return [{ name: ENTITY_SOURCE, at: now, data: { buyers: named.join(' ') } }];
}

export function insolvencySources(insolvency: ReviewRow | undefined): DecisionSource[] {
  if (insolvency === undefined) return [];
  const { review_id, opened_at: at } = insolvency;
  return [{ name: 'INSOLVENCY', at, data: { review_id } }];
}
