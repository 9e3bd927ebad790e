/** The checkout as its pages call it. */
import { createRateLimit } from '#http/rate-limit';
import { LANGUAGES } from '#kernel/language';
import { PAYMENT_TERMS } from '#kernel/payment-term';
import { cancelByBuyer } from '#modules/orders';
import { createCreditDesk } from './ask-for-credit.ts';
import { insertSession, updateCheckout } from './checkout.queries.ts';
import type { CheckoutForms, Opened, Sender, Submitted } from './checkout.view.ts';
import { searchCompanies } from './company-search.ts';
import { enterCode, sendCode } from './enter-code.ts';
import { chooseCompany, enterCompany } from './enter-company.ts';
import { enterDetails } from './enter-details.ts';
import { changedProgress, DONE, entered, refused, STALE, submitted, unlessMoved } from './form.ts';
import { isCancellable, outcomeOf } from './outcome.rules.ts';
import { placeOrder } from './place-order.ts';
import { newSession, readCheckout, readOpenCheckout, sessionHash } from './read-checkout.ts';
import type { CheckoutSurroundings } from './surroundings.ts';
import { mayCancel, platformView, viewOf, voiceOf } from './view.ts';

/** As often as an API key may search. */
const SEARCHES_PER_SECOND = 5;

export function createCheckoutForms(surroundings: CheckoutSurroundings): CheckoutForms {
  const searchLimit = createRateLimit(SEARCHES_PER_SECOND, SEARCHES_PER_SECOND, surroundings.clock);
  const askForCredit = createCreditDesk(surroundings);
  return {
    open: (token, session) => open(surroundings, token, session),
    async statusOf(token) {
      const reading = await readOpenCheckout(surroundings, surroundings.db, token, null);
      return reading && { outcome: outcomeOf(reading.order), version: reading.checkout?.version ?? 1 };
    },
    chooseLanguage: (sender, language) => chooseLanguage(surroundings, sender, language),
    sendCode: (sender) => sendCode(surroundings, sender),
    enterCode: (sender, code) => enterCode(surroundings, sender, code),
    searchCompanies: (sender, asked) => searchCompanies(surroundings, searchLimit, sender, asked),
    chooseCompany: (sender, businessId) => chooseCompany(surroundings, sender, businessId),
    enterCompany: (sender, company) => enterCompany(surroundings, sender, company),
    enterDetails: (sender, details) => enterDetails(surroundings, askForCredit, sender, details),
    choosePayment: (sender, term) => choosePayment(surroundings, sender, term),
    placeOrder: (sender, consent) => placeOrder(surroundings, sender, consent),
    cancelOrder: (sender) => cancelOrder(surroundings, sender),
  };
}

async function open(
  surroundings: CheckoutSurroundings,
  token: string,
  session: string | null,
): Promise<Opened> {
  const { db, vault, clocks } = surroundings;
  const reading = await readCheckout(surroundings, db, token, session);
  if (!reading) return { kind: 'UNKNOWN' };
  const { platform } = reading;
  if (platform.disabled_at !== null) {
    const { language, formality } = platform;
    return { kind: 'DISABLED', platform: platformView(platform), language, formality };
  }
  const opened = reading.session ? null : newSession();
  // What is first seen is seen by a browser that may see nothing yet, with or without its row.
  if (opened) await insertSession(db, reading.key, sessionHash(opened) as Buffer, reading.now);
  const view = viewOf(reading, { vault, realNow: clocks.realNow() });
  return { kind: 'OPEN', view, newSession: opened };
}

function chooseLanguage(
  surroundings: CheckoutSurroundings,
  sender: Sender,
  wanted: string,
): Promise<Submitted> {
  return submitted(surroundings, sender, async ({ db, reading }) => {
    const language = LANGUAGES.find((each) => each === wanted);
    if (!language) return refused({ field: 'language', error: 'error.choose' });
    const { checkout, key, now } = reading;
    // What another window shows is in other words then: nobody consents to words that were not seen.
    if (language !== voiceOf(reading).language)
      await updateCheckout(db, key, { language, version: (checkout?.version ?? 0) + 1, updated_at: now });
    return DONE;
  });
}

function choosePayment(
  surroundings: CheckoutSurroundings,
  sender: Sender,
  wanted: string,
): Promise<Submitted> {
  return entered(surroundings, sender, (form) => {
    const { so } = form;
    if (so.step !== 'payment' && so.step !== 'review') return STALE;
    const term = PAYMENT_TERMS.find((each) => each === wanted);
    if (!term) return refused({ field: 'term', error: 'error.choose' });
    const offer = so.offered.offers.find((each) => each.payment_term === term);
    if (!offer) return refused({ field: 'term', error: 'error.offer_gone' });
    return changedProgress(form, { choice: { term, feeGrossMinor: offer.fee.gross } });
  });
}

async function cancelOrder(surroundings: CheckoutSurroundings, sender: Sender): Promise<Submitted> {
  const result = await unlessMoved(() =>
    submitted(surroundings, sender, async ({ db, reading, so, isCurrent }) => {
      const { key, order, now } = reading;
      if (so.outcome === 'CANCELLED') return DONE;
      if (!isCancellable(order) || !mayCancel(reading, so) || !isCurrent) return STALE;
      await cancelByBuyer({ db, platformId: key.platformId, actor: 'buyer', now }, order.external_id);
      return DONE;
    }),
  );
  if (result.kind === 'DONE') surroundings.onCommitted();
  return result;
}
