/** The checkout as its pages call it. */

import { LANGUAGES } from '#kernel/language';
import { PAYMENT_TERMS } from '#kernel/payment-term';
import { cancelByBuyer } from '#modules/orders';
import { createRateLimit } from '#operation/rate-limit';
import { enterCode, sendCode } from '../access/enter-code.ts';
import type { CheckoutDeps } from '../deps.ts';
import { buildView, mayCancel, platformView, translatorFor } from '../state/build-view.ts';
import { insertSession, updateCheckout } from '../state/checkout.queries.ts';
import type { CheckoutForms, FormResult, FormSender, Opened } from '../state/checkout.view.ts';
import { checkoutOutcomeOf, isCancellable } from '../state/outcome.rules.ts';
import { newSession, readOpenSnapshot, readSnapshot, sessionHash } from '../state/snapshot.ts';
import { searchCompanies } from './company-search.ts';
import { chooseCompany, enterCompany } from './enter-company.ts';
import { enterDetails } from './enter-details.ts';
import {
  changedProgress,
  DONE,
  refused,
  STALE,
  saveOptimistically,
  unlessTransitioned,
  withCheckoutLock,
} from './form.ts';
import { submitOrder } from './place-order.ts';
import { createCreditRequester } from './request-credit.ts';

/** As often as an API key may search. */
const SEARCHES_PER_SECOND = 5;

export function createCheckoutForms(deps: CheckoutDeps): CheckoutForms {
  const searchLimit = createRateLimit(SEARCHES_PER_SECOND, SEARCHES_PER_SECOND, deps.clock);
  const requestCreditOf = createCreditRequester(deps);
  return {
    open: (token, session) => open(deps, token, session),
    async statusOf(token) {
      const reading = await readOpenSnapshot(deps, deps.db, token, null);
      return (
        reading && { outcome: checkoutOutcomeOf(reading.order), version: reading.checkout?.version ?? 1 }
      );
    },
    chooseLanguage: (sender, language) => chooseLanguage(deps, sender, language),
    sendCode: (sender) => sendCode(deps, sender),
    enterCode: (sender, code) => enterCode(deps, sender, code),
    searchCompanies: (sender, query) => searchCompanies(deps, searchLimit, sender, query),
    chooseCompany: (sender, businessId) => chooseCompany(deps, sender, businessId),
    enterCompany: (sender, company) => enterCompany(deps, sender, company),
    enterDetails: (sender, details) => enterDetails(deps, requestCreditOf, sender, details),
    choosePayment: (sender, term) => choosePayment(deps, sender, term),
    placeOrder: (sender, consent) => submitOrder(deps, sender, consent),
    cancelOrder: (sender) => cancelOrder(deps, sender),
  };
}

async function open(deps: CheckoutDeps, token: string, session: string | null): Promise<Opened> {
  const { db, vault, clocks } = deps;
  const reading = await readSnapshot(deps, db, token, session);
  if (!reading) return { kind: 'UNKNOWN' };
  const { platform } = reading;
  if (platform.disabled_at !== null) {
    const { language, formality } = platform;
    return { kind: 'DISABLED', platform: platformView(platform), language, formality };
  }
  const opened = reading.session ? null : newSession();
  // What is first seen is seen by a browser that may see nothing yet, with or without its row.
  if (opened) await insertSession(db, reading.key, sessionHash(opened) as Buffer, reading.now);
  const view = buildView(reading, { vault, realNow: clocks.realNow() });
  return { kind: 'OPEN', view, newSession: opened };
}

function chooseLanguage(deps: CheckoutDeps, sender: FormSender, wanted: string): Promise<FormResult> {
  return withCheckoutLock(deps, sender, async ({ db, reading }) => {
    const language = LANGUAGES.find((each) => each === wanted);
    if (!language) return refused({ field: 'language', error: 'error.choose' });
    const { checkout, key, now } = reading;
    // What another window shows is in other words then: nobody consents to words that were not seen.
    if (language !== translatorFor(reading).language)
      await updateCheckout(db, key, { language, version: (checkout?.version ?? 0) + 1, updated_at: now });
    return DONE;
  });
}

function choosePayment(deps: CheckoutDeps, sender: FormSender, wanted: string): Promise<FormResult> {
  return saveOptimistically(deps, sender, (form) => {
    const { state } = form;
    if (state.step !== 'payment' && state.step !== 'review') return STALE;
    const term = PAYMENT_TERMS.find((each) => each === wanted);
    if (!term) return refused({ field: 'term', error: 'error.choose' });
    const offer = state.offered.offers.find((each) => each.payment_term === term);
    if (!offer) return refused({ field: 'term', error: 'error.offer_gone' });
    return changedProgress(form, { choice: { term, feeGrossMinor: offer.fee.gross } });
  });
}

async function cancelOrder(deps: CheckoutDeps, sender: FormSender): Promise<FormResult> {
  const result = await unlessTransitioned(() =>
    withCheckoutLock(deps, sender, async ({ db, reading, state, isCurrent }) => {
      const { key, order, now } = reading;
      if (state.outcome === 'CANCELLED') return DONE;
      if (!isCancellable(order) || !mayCancel(reading, state) || !isCurrent) return STALE;
      await cancelByBuyer({ db, platformId: key.platformId, actor: 'buyer', now }, order.external_id);
      return DONE;
    }),
  );
  if (result.kind === 'DONE') deps.onCommitted();
  return result;
}
