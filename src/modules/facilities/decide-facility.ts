/**
 * Asking for a decision, and acting on it. Between the two others may act as well: the assessment waits for the outside
 * world without a lock, so what it was made from is compared again, under the lock, before anything is written.
 */

import type { Db } from '#infra/database/database';
import type { Currency } from '#kernel/currency';
import { daysPastDue } from '#kernel/days-past-due';
import { notFound } from '#kernel/problem';
import { buyerIncomplete, emailsOf, findContactsOfBuyers, isKnown } from '#modules/buyers';
import { type Assessment, assess, recordDecision, scriptOf } from '#modules/underwriting';
import type { Context } from '#operation/operation';
import { findApplicant } from './applicant.queries.ts';
import { applyDecision, type FacilityDecision, openFacility, underReview } from './apply-decision.ts';
import { arrears } from './credit.rules.ts';
import {
  type FacilityKey,
  type FacilityRow,
  findLastDecided,
  lockFacility,
  updateFacility,
} from './facility.queries.ts';
import type { FacilityAction } from './facility.schemas.ts';
import type { Attribution } from './transition-facility.ts';

/** What an assessment needs of its surroundings; `db` is no transaction. */
export type AssessmentContext = Pick<Context, 'db' | 'platformId' | 'now' | 'vault' | 'risk' | 'isSandbox'>;

export interface SimulationRequest {
  about: FacilityAction;
  buyerExternalId: string;
  currency: Currency;
  requestedMinor: number | null;
  /** Of whoever applies, where that is no contact of the buyer yet: a sandbox may have a script for it. */
  applicantEmail?: string;
}

export interface AssessedFacility {
  request: SimulationRequest;
  assessment: Assessment;
  /** The last decision that the assessment knew of, by its move. */
  lastDecided: number;
}

/**
 * Assesses, with no transaction open. Throws NOT_FOUND for an unknown buyer, BUYER_INCOMPLETE for one that is only invited,
 * and 424 RISK_DECISION_ERROR.
 */
export async function assessFacility(
  context: AssessmentContext,
  request: SimulationRequest,
): Promise<AssessedFacility> {
  const { db, platformId, now, vault, risk, isSandbox } = context;
  const { about, buyerExternalId, currency, requestedMinor, applicantEmail } = request;
  const key = { platformId, buyerExternalId };
  const [applicant, contacts] = await Promise.all([
    findApplicant(db, { ...key, at: now }),
    isSandbox ? findContactsOfBuyers(db, platformId, [buyerExternalId]) : [],
  ]);
  if (!applicant) throw notFound();
  const { buyer, history, lastDecided } = applicant;
  if (!isKnown(buyer)) throw buyerIncomplete();
  const { facility, overdue, limitPolicy } = applicant.standing;
  const emails = () => [...(applicantEmail ? [applicantEmail] : []), ...emailsOf(vault, buyer, contacts)];
  const script = isSandbox ? scriptOf(buyerExternalId, emails()) : null;
  const due = arrears(overdue, limitPolicy, 0, now);
  const assessment = await assess(
    { db, now, riskSource: risk.source, onRiskFailure: risk.onFailure },
    {
      ...key,
      subject: `FACILITY_${about}`,
      currency,
      requestedMinor,
      existingLimitMinor: facility !== null && facility.total_amount > 0 ? facility.total_amount : null,
      exposureMinor: facility === null ? 0 : facility.used_amount + facility.pending_orders_amount,
      // Another currency cannot be added; its days count all the same.
      overdueMinor: due
        .filter((invoice) => invoice.currency === currency)
        .reduce((sum, invoice) => sum + invoice.outstanding_amount, 0),
      daysPastDueMax:
        due.length === 0 ? null : Math.max(...due.map(({ due_at: at }) => daysPastDue(at, now))),
      ...history,
    },
    buyer,
    script,
  );
  return { request, assessment, lastDecided };
}

/**
 * Records and applies what was assessed to a facility that the transaction has locked. Throws PENDING_RENEWAL or
 * PENDING_INCREASE where it was decided about meanwhile: the assessment knows nothing of that.
 */
export async function actOnAssessment(
  db: Db,
  facility: FacilityRow,
  { request, assessment, lastDecided }: AssessedFacility,
  change: Attribution,
): Promise<FacilityRow> {
  const key = { platformId: facility.platform_id, buyerExternalId: facility.buyer_external_id };
  if ((await findLastDecided(db, key)) !== lastDecided) throw underReview(request.about, facility);
  return applyDecision(db, facility, await recorded(db, request.about, assessment, change), change);
}

/** The same for a buyer without a facility, or with one that was refused. Throws ACTIVE_FACILITY_EXISTS. */
export async function openOnAssessment(
  db: Db,
  key: FacilityKey,
  { request, assessment }: AssessedFacility,
  change: Attribution,
): Promise<FacilityRow> {
  const decision = await recorded(db, 'CREATION', assessment, change);
  const opened = await openFacility(db, key, request.currency, decision, change);
  if (opened) return opened;
  assertNone(await lockFacility(db, key));
  // Nothing was ever granted in the currency that it was asked for in before.
  const reopened = await updateFacility(db, key, { currency: request.currency });
  return applyDecision(db, reopened, decision, change);
}

/** Throws ACTIVE_FACILITY_EXISTS for any facility but a refused one: its buyer may apply again. */
export function assertNone(facility: FacilityRow | undefined): void {
  if (facility && facility.status !== 'REJECTED') throw underReview('CREATION', facility);
}

async function recorded<About extends FacilityAction>(
  db: Db,
  about: About,
  assessment: Assessment,
  { actor, now }: Attribution,
): Promise<FacilityDecision & { about: About }> {
  const { decisionId, reviewId } = await recordDecision(db, assessment, { actor, now });
  const { outcome, limitMinor, riskBand, priceClass, application } = assessment;
  switch (outcome) {
    case 'ACCEPT':
      return { about, decisionId, outcome, limitMinor: limitMinor as number, riskBand, priceClass };
    case 'REFER':
      return {
        about,
        decisionId,
        outcome,
        reviewId: reviewId as string,
        requestedMinor: application.requestedMinor,
      };
    case 'REJECT':
      return { about, decisionId, outcome };
  }
}
