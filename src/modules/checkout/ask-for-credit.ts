/** Has the credit of a buyer decided about, where it never was. */
import { inTransaction } from '#infra/transaction';
import type { Currency } from '#kernel/currency';
import { Problem } from '#kernel/problem';
import { type AssessedFacility, assessFacility, openOnAssessment } from '#modules/facilities';
import { updateCheckout } from './checkout.queries.ts';
import type { PersonEntry, Sender, Submitted } from './checkout.view.ts';
import { DONE, refused, UNKNOWN } from './form.ts';
import { type Reading, readOpenCheckout } from './read-checkout.ts';
import { situationOf } from './situation.rules.ts';
import type { CheckoutSurroundings } from './surroundings.ts';

const ACTOR = 'buyer';

export type AskForCredit = (sender: Sender) => Promise<Submitted>;

/**
 * DONE whatever was decided: the page says what is offered now. Where no decision could be made the buyer is told, may try
 * again, and may go on without credit. Clicks that meet share one question, which may cost money; from elsewhere another one
 * may be asked at the same time, and one facility comes of both.
 */
export function createCreditDesk(surroundings: CheckoutSurroundings): AskForCredit {
  const asked = new Map<string, Promise<Submitted>>();
  return async (sender) => {
    const reading = await readOpenCheckout(surroundings, surroundings.db, sender.token, sender.session);
    if (!reading) return UNKNOWN;
    const so = situationOf(reading);
    if (!so.isCreditToAsk || so.outcome !== null) return DONE;
    const name = `${reading.key.platformId}/${reading.key.orderExternalId}`;
    const answer = asked.get(name) ?? ask(surroundings, reading, so.person).finally(() => asked.delete(name));
    asked.set(name, answer);
    return answer;
  };
}

async function ask(
  surroundings: CheckoutSurroundings,
  reading: Reading,
  person: PersonEntry | null,
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
      ...(person !== null && { applicantEmail: person.email }),
    }),
  );
  const decided =
    assessed && (await unlessRefused('ACTIVE_FACILITY_EXISTS', () => open(surroundings, reading, assessed)));
  if (!decided) await inTransaction(db, (transaction) => noteAsked(transaction, reading));
  onCommitted();
  return assessed ? DONE : refused({ field: null, error: 'error.check_unavailable' });
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
