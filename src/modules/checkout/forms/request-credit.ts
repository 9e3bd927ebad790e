/** Requests a credit decision for a buyer without one. */
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import { Problem } from '#kernel/problem';
import { type AssessedFacility, assessFacility, openAssessedFacility } from '#modules/facilities';
import type { CheckoutDeps } from '../deps.ts';
import { updateCheckout } from '../state/checkout.queries.ts';
import type { FormResult } from '../state/checkout.view.ts';
import type { Snapshot } from '../state/snapshot.ts';
import { CREDIT_DECIDED, refused } from './form.ts';

const ACTOR = 'buyer';

export interface CreditRequest {
  /** Read under the checkout's lock, by the form that saved the details. */
  snapshot: Snapshot;
  applicantEmail: string;
}

/** The requests in progress in this process, by order. */
export type CreditRequests = Map<string, Promise<FormResult>>;

/**
 * CREDIT_DECIDED whatever the decision: the payment page shows what is offered now. Refused where no decision could be made:
 * the buyer may try again, or continue without credit. Concurrent requests for one order share one decision, because a
 * decision may cost money: a form that saved the details during a request read them before the result took the checkout's
 * lock. Another process may request a second decision at the same time; one facility results from both.
 */
export function requestCreditOnce(
  deps: CheckoutDeps,
  requests: CreditRequests,
  request: CreditRequest,
): Promise<FormResult> {
  const { key } = request.snapshot;
  const name = `${key.platformId}/${key.orderExternalId}`;
  const result = requests.get(name) ?? requestCredit(deps, request).finally(() => requests.delete(name));
  requests.set(name, result);
  return result;
}

async function requestCredit(deps: CheckoutDeps, request: CreditRequest): Promise<FormResult> {
  const { db, onCommitted } = deps;
  const { snapshot } = request;
  const assessed = await assess(deps, request).catch(undefinedIf('RISK_DECISION_ERROR'));
  const opened =
    assessed &&
    (await inTransaction(db, (transaction) => openFacility(transaction, snapshot, assessed)).catch(
      undefinedIf('ACTIVE_FACILITY_EXISTS'),
    ));
  if (!opened) await inTransaction(db, (transaction) => markRequested(transaction, snapshot));
  onCommitted();
  return assessed ? CREDIT_DECIDED : refused({ field: null, error: 'error.check_unavailable' });
}

function assess(
  { db, risk, isSandbox }: CheckoutDeps,
  { snapshot, applicantEmail }: CreditRequest,
): Promise<AssessedFacility> {
  const { key, vault, now, order } = snapshot;
  return assessFacility(
    { db, platformId: key.platformId, now, vault, risk, isSandbox },
    {
      about: 'CREATION',
      buyerExternalId: order.buyer_external_id,
      currency: order.currency,
      requestedMinor: order.amount_gross,
      applicantEmail,
    },
  );
}

async function openFacility(db: Db, snapshot: Snapshot, assessed: AssessedFacility): Promise<true> {
  const { key, now } = snapshot;
  await markRequested(db, snapshot);
  await openAssessedFacility({ db, platformId: key.platformId, actor: ACTOR, now }, assessed);
  return true;
}

/** The update locks the checkout, before the facility is locked. */
async function markRequested(db: Db, { key, now }: Snapshot): Promise<void> {
  await updateCheckout(db, key, { credit_requested_at: now });
}

/** Undefined for a problem with this reason; rethrows every other error. */
function undefinedIf(reason: string): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof Problem && error.reason === reason) return undefined;
    throw error;
  };
}
