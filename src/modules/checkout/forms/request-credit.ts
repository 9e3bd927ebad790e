/** Has the credit of a buyer decided about, where it never was. */
import { inTransaction } from '#infra/database/transaction';
import type { Currency } from '#kernel/currency';
import { Problem } from '#kernel/problem';
import { type AssessedFacility, assessFacility, openOnAssessment } from '#modules/facilities';
import type { CheckoutDeps } from '../deps.ts';
import { updateCheckout } from '../state/checkout.queries.ts';
import type { FormResult } from '../state/checkout.view.ts';
import type { Snapshot } from '../state/snapshot.ts';
import { CREDIT_DECIDED, refused } from './form.ts';

const ACTOR = 'buyer';

/** A buyer whose details were just kept, as they were read under the checkout's lock. */
export interface Applying {
  reading: Snapshot;
  applicantEmail: string;
}

export type RequestCredit = (applying: Applying) => Promise<FormResult>;

/**
 * DECIDED whatever came out: the page of the payment terms says what is offered now. Where no decision could be made the buyer
 * is told, may try again, and may go on without credit. Clicks that meet share one question, which may cost money: whoever
 * kept the details while it was under way read them before its answer took the checkout's lock. From elsewhere another one may
 * be asked at the same time, and one facility comes of both.
 */
export function createCreditRequester(deps: CheckoutDeps): RequestCredit {
  const pending = new Map<string, Promise<FormResult>>();
  return (applying) => {
    const { key } = applying.reading;
    const name = `${key.platformId}/${key.orderExternalId}`;
    const answer = pending.get(name) ?? requestCredit(deps, applying).finally(() => pending.delete(name));
    pending.set(name, answer);
    return answer;
  };
}

async function requestCredit(deps: CheckoutDeps, { reading, applicantEmail }: Applying): Promise<FormResult> {
  const { db, risk, isSandbox, onCommitted } = deps;
  const { key, vault, now, order } = reading;
  const context = { db, platformId: key.platformId, now, vault, risk, isSandbox };
  const assessed = await unlessRefused('RISK_DECISION_ERROR', () =>
    assessFacility(context, {
      about: 'CREATION',
      buyerExternalId: order.buyer_external_id,
      currency: order.currency as Currency,
      requestedMinor: order.amount_gross,
      applicantEmail,
    }),
  );
  const decided =
    assessed && (await unlessRefused('ACTIVE_FACILITY_EXISTS', () => open(deps, reading, assessed)));
  if (!decided) await inTransaction(db, (transaction) => noteRequested(transaction, reading));
  onCommitted();
  return assessed ? CREDIT_DECIDED : refused({ field: null, error: 'error.check_unavailable' });
}

async function open({ db }: CheckoutDeps, reading: Snapshot, assessed: AssessedFacility): Promise<true> {
  const { key, order, now } = reading;
  await inTransaction(db, async (transaction) => {
    await noteRequested(transaction, reading);
    await openOnAssessment(
      transaction,
      { platformId: key.platformId, buyerExternalId: order.buyer_external_id },
      assessed,
      { actor: ACTOR, now },
    );
  });
  return true;
}

/** Which locks the checkout: it comes before the facility. */
async function noteRequested(db: CheckoutDeps['db'], { key, now }: Snapshot): Promise<void> {
  await updateCheckout(db, key, { credit_asked_at: now });
}

async function unlessRefused<T>(reason: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem && error.reason === reason) return undefined;
    throw error;
  }
}
