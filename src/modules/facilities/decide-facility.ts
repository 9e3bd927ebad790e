/**
 * A decision takes two steps. The assessment calls the outside world and holds no lock. The transaction then compares the
 * last decision under the lock, and refuses an assessment that is out of date.
 */
import type { Db } from '#infra/database/database';
import type { Address } from '#kernel/address';
import type { Currency } from '#kernel/currency';
import { daysPastDue } from '#kernel/days-past-due';
import { notFound, refusal } from '#kernel/problem';
import { buyerIncomplete, dropFormerEntityKeys, emailsOf, isKnown, openBuyerEmail } from '#modules/buyers';
import {
  type Application,
  type ApplyingPerson,
  type Assessment,
  assess,
  NO_BEHAVIOUR,
  recordDecision,
  scriptOf,
} from '#modules/underwriting';
import type { ChangeContext, Context } from '#operation/operation';
import { type Applicant, findApplicant } from './applicant.queries.ts';
import {
  applyDecision,
  type FacilityDecision,
  openFacility,
  triggerOf,
  underReview,
} from './apply-decision.ts';
import { arrears } from './credit.rules.ts';
import {
  type FacilityKey,
  type FacilityRow,
  facilityKeyOf,
  findLastDecided,
  lockFacility,
  updateFacility,
} from './facility.queries.ts';
import type { FacilityAction } from './facility.schemas.ts';
import { type FacilityView, findFacilityView } from './facility-view.queries.ts';
import { facilityTransitionOf } from './freeze.rules.ts';
import { keyFormerFacilities } from './key-former-facilities.ts';
import { lockEntity } from './lock-entity.ts';
import { findPayingBehaviour } from './paying-behaviour.queries.ts';

/** The part of a Context that an assessment needs. `db` must not be a transaction. */
export type AssessmentContext = Pick<
  Context,
  'db' | 'platformId' | 'now' | 'vault' | 'registries' | 'risk' | 'isSandbox'
>;

export interface DecisionRequest {
  about: FacilityAction;
  buyerExternalId: string;
  currency: Currency;
  /** Minor units; null requests what the policy allows. */
  requestedMinor: number | null;
  /** The gross amount of the order in the checkout that the limit is for; absent without one. */
  orderMinor?: number;
  /** The person in the checkout, whose address may also name a sandbox script; absent if the platform applies. */
  applicant?: ApplyingPerson;
  /** Where the goods of an order go, instead of the buyer's own delivery address. */
  deliveryAddress?: Address | null;
}

export interface AssessedFacility {
  request: DecisionRequest;
  assessment: Assessment;
  /** The version of the last transition by a decision that the assessment knew of. */
  lastDecided: number;
}

/**
 * Assesses a request. Call it outside a transaction. Throws NOT_FOUND for an unknown buyer, BUYER_INCOMPLETE for an invited
 * buyer without details, and 424 RISK_DECISION_ERROR.
 */
export async function assessFacility(
  context: AssessmentContext,
  request: DecisionRequest,
): Promise<AssessedFacility> {
  const { db, platformId, now, vault, registries, risk, isSandbox } = context;
  const { about, buyerExternalId, currency, requestedMinor, applicant: person } = request;
  const key = { platformId, buyerExternalId };
  const applicant = await findApplicant(db, { ...key, at: now });
  if (!applicant) throw notFound();
  const { buyer, contacts, lastDecided, hasFormerFacilities } = applicant;
  if (hasFormerFacilities) await keyFormerFacilities(db, vault, platformId);
  if (!isKnown(buyer)) throw buyerIncomplete();
  const { facility, limitPolicy, timeZone } = applicant.standing;
  const emails = () => [...(person ? [person.email] : []), ...emailsOf(vault, buyer, contacts)];
  const behaviour = applicant.hasPayingFacts
    ? await findPayingBehaviour(db, key, { at: now, currency, limitPolicy, timeZone })
    : NO_BEHAVIOUR;
  const script = isSandbox ? scriptOf(buyerExternalId, emails()) : null;
  const due = arrears(applicant.standing, 0, now);
  const assessment = await assess(
    {
      ...{ db, now, vault, registries, elapsedMs: risk.elapsedMs },
      ...{ riskSource: risk.source, onRiskFailure: risk.onFailure },
    },
    {
      ...key,
      spokesperson: whoApplies(request, applicant, person?.email ?? openBuyerEmail(vault, buyer)),
      subject: `FACILITY_${about}`,
      currency,
      requestedMinor,
      orderMinor: request.orderMinor ?? null,
      applicant: person ?? null,
      existingLimitMinor: facility !== null && facility.total_amount > 0 ? facility.total_amount : null,
      exposureMinor: facility === null ? 0 : facility.used_amount + facility.pending_orders_amount,
      // Amounts of another currency cannot be added; their days count.
      overdueMinor: due
        .filter((invoice) => invoice.currency === currency)
        .reduce((sum, invoice) => sum + invoice.outstanding_amount, 0),
      daysPastDueMax:
        due.length === 0 ? null : Math.max(...due.map(({ due_at: at }) => daysPastDue(at, now, timeZone))),
      behaviour,
    },
    buyer,
    script,
  );
  return { request, assessment, lastDecided };
}

function whoApplies(
  { applicant: person, deliveryAddress }: DecisionRequest,
  { buyer, confirmation, isFirstOrder }: Applicant,
  email: string | null,
): Application['spokesperson'] {
  const known = confirmation && { by: 'REVIEWER' as const, ...confirmation };
  return {
    email,
    emailsOnFile: person?.emailsOnFile ?? [],
    deliveryAddress: deliveryAddress ?? buyer.delivery_address,
    isFirstOrder,
    voucher: person?.vouching ? { by: 'PLATFORM' } : known,
  };
}

/**
 * Records and applies an assessment to a facility that the transaction has locked. Throws PENDING_RENEWAL or
 * PENDING_INCREASE if another decision was made since the assessment.
 */
export async function applyAssessment(
  context: ChangeContext,
  facility: FacilityRow,
  { request, assessment, lastDecided }: AssessedFacility,
): Promise<FacilityRow> {
  const lastDecidedNow = await findLastDecided(context.db, facilityKeyOf(facility));
  if (lastDecidedNow !== lastDecided) throw underReview(request.about, facility);
  const decision = await recorded(context, request.about, assessment);
  if (decision.outcome === 'ACCEPT')
    await dropFormerEntityKeys(context.db, buyerOf(facility), assessment.entityKeys);
  return applyDecision(context, facility, decision);
}

const buyerOf = ({ platform_id: platformId, buyer_external_id: externalId }: FacilityRow) => ({
  platformId,
  externalId,
});

/** A facility with the assessment that decided about it: other buyers of the legal entity may have changed it. */
export interface DecidedFacility {
  facility: FacilityRow;
  assessment: Assessment;
}

/** Records and applies an assessment for a buyer with no facility or a rejected one. Throws ACTIVE_FACILITY_EXISTS. */
export async function openAssessedFacility(
  context: ChangeContext,
  assessed: AssessedFacility,
): Promise<DecidedFacility> {
  const { request, assessment } = await lockEntity(context, assessed);
  return { facility: await openDecidedFacility(context, request, assessment), assessment };
}

async function openDecidedFacility(
  context: ChangeContext,
  { buyerExternalId, currency }: DecisionRequest,
  assessment: Assessment,
): Promise<FacilityRow> {
  const { db, platformId } = context;
  const decision = await recorded(context, 'CREATION', assessment);
  const keyed = { has_entity_keys: true };
  const opened = await openFacility(context, buyerExternalId, { currency, ...keyed }, decision);
  if (opened) return opened;
  const key = { platformId, buyerExternalId };
  assertNoFacility(await lockFacility(db, key));
  // A rejected facility may change its currency: nothing was granted in it.
  const reopened = await updateFacility(db, key, { currency, ...keyed });
  return applyDecision(context, reopened, decision);
}

/** Throws ACTIVE_FACILITY_EXISTS for any facility but a rejected one, whose buyer may apply again. */
export function assertNoFacility(facility: FacilityRow | undefined): void {
  if (facility && facility.status !== 'REJECTED') throw underReview('CREATION', facility);
}

type Requestable = 'RENEWAL' | 'INCREASE';

/**
 * Checks before the assessment that a renewal or an increase may be requested. Throws NOT_FOUND,
 * INVALID_STATUS_TRANSITION, FACILITY_FROZEN, PENDING_RENEWAL or PENDING_INCREASE, and INCREASE_NOT_ABOVE_LIMIT.
 */
export async function assertRequestable(
  { db, platformId }: { db: Db; platformId: number },
  buyerExternalId: string,
  about: Requestable,
  requestedMinor: number | null = null,
): Promise<FacilityView> {
  const facility = await findFacilityView(db, { platformId, buyerExternalId });
  if (!facility) throw notFound();
  assertStatus(facility, about, requestedMinor);
  if (facility.pending_actions.some(({ type }) => type === about)) throw underReview(about, facility);
  return facility;
}

/** Like `assertRequestable`, under the lock, but without pending actions: `applyAssessment` finds those by the last decision. */
export async function lockRequestable(
  db: Db,
  key: FacilityKey,
  about: Requestable,
  requestedMinor: number | null = null,
): Promise<FacilityRow> {
  const facility = await lockFacility(db, key);
  if (!facility) throw notFound();
  assertStatus(facility, about, requestedMinor);
  return facility;
}

function assertStatus(facility: FacilityRow, about: Requestable, requestedMinor: number | null): void {
  facilityTransitionOf(facility, triggerOf(about, 'REFER'));
  if (requestedMinor !== null && requestedMinor <= facility.total_amount)
    throw refusal('INCREASE_NOT_ABOVE_LIMIT', `The limit is already ${facility.total_amount}`, {
      requested: requestedMinor,
      total_amount: facility.total_amount,
    });
}

async function recorded<About extends FacilityAction>(
  context: ChangeContext,
  about: About,
  assessment: Assessment,
): Promise<FacilityDecision & { about: About }> {
  const { decisionId, reviewId } = await recordDecision(context, assessment);
  const { outcome, limitMinor, riskBand, priceClass, application, buyerReasons, registryCompanyId } =
    assessment;
  const decision = { about, decisionId, buyerReasons, registryCompanyId };
  switch (outcome) {
    case 'ACCEPT':
      return { ...decision, outcome, limitMinor: limitMinor as number, riskBand, priceClass };
    case 'REFER':
      return {
        ...decision,
        outcome,
        reviewId: reviewId as string,
        requestedMinor: application.requestedMinor,
      };
    case 'REJECT':
      return { ...decision, outcome };
  }
}
