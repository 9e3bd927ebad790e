/** Requests a credit decision: about a buyer without one, or about a higher limit for the order. */
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import type { Address } from '#kernel/address';
import { Problem } from '#kernel/problem';
import {
  type AssessedFacility,
  applyIncrease,
  assessFacility,
  assessIncrease,
  openAssessedFacility,
} from '#modules/facilities';
import type { ApplyingPerson, ShownProof } from '#modules/underwriting';
import type { CheckoutDeps } from '../deps.ts';
import { queueRefusal } from '../mails/queue-refusal.ts';
import { isCreditRequested, updateCheckout } from '../state/checkout.queries.ts';
import type { CompanyEntry, FormResult, PersonEntry } from '../state/checkout.view.ts';
import type { DueRequest } from '../state/due-request.rules.ts';
import type { Snapshot } from '../state/snapshot.ts';
import { CREDIT_DECIDED, refused } from './form.ts';
import type { FormMemory } from './form-memory.ts';

const ACTOR = 'buyer';

export interface CreditRequest {
  /** Read under the checkout's lock, by the form that saved the details or confirmed the address. */
  snapshot: Snapshot;
  about: DueRequest;
  company: CompanyEntry | null;
  /** The applicant. */
  person: PersonEntry;
  proof: ShownProof;
  /** The delivery address; null for the address of the company. */
  deliveryAddress: Address | null;
}

/**
 * CREDIT_DECIDED for any decision: the payment page shows what is now offered. Refused if no decision could be made: the buyer may try
 * again, or continue without credit. Concurrent requests for one order share one decision, because a decision may cost money: a form
 * that saved the details during a request read them before the result took the checkout's lock. Another process may request a second
 * decision at the same time; one facility results from both.
 */
export async function requestCreditOnce(
  deps: CheckoutDeps,
  { creditRequests, limits }: FormMemory,
  request: CreditRequest,
): Promise<FormResult> {
  const { key } = request.snapshot;
  const name = `${key.platformId}/${key.orderExternalId}`;
  const known = creditRequests.get(name);
  if (known) return known;
  // Only people whom the platform does not know are counted: strangers who apply in a company's name must not lock it out.
  const isCounted = request.proof === 'CONFIRMED_ADDRESS';
  const refusal = isCounted ? limits.refusalOfApplication(key.platformId, request.company) : null;
  if (refusal !== null) {
    await inTransaction(deps.db, (transaction) => markRequested(transaction, request.snapshot));
    return refused(refusal);
  }
  const result = requestCredit(deps, request).finally(() => creditRequests.delete(name));
  creditRequests.set(name, result);
  return result;
}

async function requestCredit(deps: CheckoutDeps, request: CreditRequest): Promise<FormResult> {
  const { db, onCommitted } = deps;
  const { snapshot } = request;
  // A form that was read during another request may arrive after its result. Sending the details again is a new application.
  const isFirst = (snapshot.checkout?.credit_requested_at ?? null) === null;
  if (isFirst && (await isCreditRequested(db, snapshot.key))) return CREDIT_DECIDED;
  const assessed = await assess(deps, request).catch(failureIf('RISK_DECISION_ERROR', ...OVERTAKEN));
  const result = assessed instanceof Problem ? assessed : await applyInTransaction(deps, request, assessed);
  if (result instanceof Problem)
    await inTransaction(db, (transaction) => markRequested(transaction, snapshot));
  onCommitted();
  const isFailed = result instanceof Problem && result.reason === 'RISK_DECISION_ERROR';
  return isFailed ? refused({ field: null, error: 'error.check_unavailable' }) : CREDIT_DECIDED;
}

/** Another request was decided first, or the facility has changed: the payment page shows what is now offered. */
const OVERTAKEN = ['ACTIVE_FACILITY_EXISTS', 'PENDING_INCREASE', 'INVALID_STATUS_TRANSITION'] as const;

function applyInTransaction(
  deps: CheckoutDeps,
  request: CreditRequest,
  assessed: AssessedFacility,
): Promise<Problem | undefined> {
  return inTransaction(deps.db, (transaction) => applyRequest(deps, transaction, request, assessed)).catch(
    failureIf(...OVERTAKEN),
  );
}

function assess(
  { db, registries, risk, isSandbox }: CheckoutDeps,
  { snapshot, about, person, proof, deliveryAddress }: CreditRequest,
): Promise<AssessedFacility> {
  const { key, vault, now, order } = snapshot;
  const context = { db, platformId: key.platformId, now, vault, registries, risk, isSandbox };
  const request = {
    buyerExternalId: order.buyer_external_id,
    // Null: the policy grants the limit that the buyer deserves, because the buyer orders again.
    requestedMinor: null,
    orderMinor: order.amount_gross,
    applicant: applicantOf(snapshot, person, proof),
    deliveryAddress,
  };
  if (about === 'INCREASE') return assessIncrease(context, request);
  return assessFacility(context, { ...request, about, currency: order.currency });
}

function applicantOf({ order, filed }: Snapshot, { email }: PersonEntry, proof: ShownProof): ApplyingPerson {
  const { vouched_by: by, vouched_at: at, vouched_actor: actor } = order;
  const isVouched = proof === 'VOUCHED' && by !== null && at !== null && actor !== null;
  return {
    email,
    proof,
    emailsOnFile: proof === 'ADDRESS_ON_FILE' ? filed.companyEmails : [],
    vouching: isVouched ? { by, at, actor } : null,
  };
}

async function applyRequest(
  deps: CheckoutDeps,
  db: Db,
  { snapshot, about, company, person }: CreditRequest,
  assessed: AssessedFacility,
): Promise<undefined> {
  const { key, now } = snapshot;
  await markRequested(db, snapshot, assessed.assessment.decisionId);
  const apply = about === 'INCREASE' ? applyIncrease : openAssessedFacility;
  const { facility, assessment } = await apply(
    { db, platformId: key.platformId, actor: ACTOR, now },
    assessed,
  );
  const { outcome, buyerReasons: reasons } = assessment;
  if (outcome === 'REJECT')
    await queueRefusal(deps, db, snapshot, {
      version: facility.version,
      to: person.email,
      recipient: `${person.firstName} ${person.lastName}`,
      company: company?.legalName ?? '',
      reasons,
    });
}

/** The update locks the checkout, before the facility is locked. */
async function markRequested(db: Db, { key, now }: Snapshot, decisionId?: string): Promise<void> {
  await updateCheckout(db, key, {
    credit_requested_at: now,
    ...(decisionId !== undefined && { credit_decision_id: decisionId }),
  });
}

/** Returns a problem with one of the reasons; rethrows every other error. */
function failureIf(...reasons: readonly string[]): (error: unknown) => Problem {
  return (error) => {
    if (error instanceof Problem && reasons.includes(error.reason ?? '')) return error;
    throw error;
  };
}
