/** Has the credit of a buyer decided about, where it never was. */
import { inTransaction } from '#infra/transaction';
import type { Currency } from '#kernel/currency';
import { Problem } from '#kernel/problem';
import { type AssessedFacility, assessFacility, openOnAssessment } from '#modules/facilities';
import { updateCheckout } from './checkout.queries.ts';
import type { Submitted } from './checkout.view.ts';
import { DECIDED, refused } from './form.ts';
import type { Reading } from './read-checkout.ts';
import type { CheckoutSurroundings } from './surroundings.ts';

const ACTOR = 'buyer';

/** A buyer whose details were just kept, as they were read under the checkout's lock. */
export interface Applying {
  reading: Reading;
  applicantEmail: string;
}

export type AskForCredit = (applying: Applying) => Promise<Submitted>;

/**
 * DECIDED whatever came out: the page of the payment terms says what is offered now. Where no decision could be made the buyer
 * is told, may try again, and may go on without credit. Clicks that meet share one question, which may cost money: whoever
 * kept the details while it was under way read them before its answer took the checkout's lock. From elsewhere another one may
 * be asked at the same time, and one facility comes of both.
 */
export function createCreditDesk(surroundings: CheckoutSurroundings): AskForCredit {
  const asked = new Map<string, Promise<Submitted>>();
  return (applying) => {
    const { key } = applying.reading;
    const name = `${key.platformId}/${key.orderExternalId}`;
    const answer = asked.get(name) ?? ask(surroundings, applying).finally(() => asked.delete(name));
    asked.set(name, answer);
    return answer;
  };
}

async function ask(
  surroundings: CheckoutSurroundings,
  { reading, applicantEmail }: Applying,
): Promise<Submitted> {
  const { db, risk, isSandbox, onCommitted } = surroundings;
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
    assessed && (await unlessRefused('ACTIVE_FACILITY_EXISTS', () => open(surroundings, reading, assessed)));
  if (!decided) await inTransaction(db, (transaction) => noteAsked(transaction, reading));
  onCommitted();
  return assessed ? DECIDED : refused({ field: null, error: 'error.check_unavailable' });
}

async function open(
  { db }: CheckoutSurroundings,
  reading: Reading,
  assessed: AssessedFacility,
): Promise<true> {
  const { key, order, now } = reading;
  await inTransaction(db, async (transaction) => {
    await noteAsked(transaction, reading);
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
async function noteAsked(db: CheckoutSurroundings['db'], { key, now }: Reading): Promise<void> {
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
