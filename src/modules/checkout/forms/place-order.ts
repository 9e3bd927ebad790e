/** The last click: the draft becomes an order, once, with what the buyer saw and agreed to. */
import { Problem } from '#kernel/problem';
import { translatorOf } from '#messages';
import { addCheckoutContact } from '#modules/buyers';
import type { TermOffer } from '#modules/facilities';
import { completeCheckout } from '#modules/orders';
import type { CheckoutDeps } from '../deps.ts';
import { translatorFor } from '../state/build-view.ts';
import { insertConsent } from '../state/checkout.queries.ts';
import type { FormResult, FormSender, PersonEntry } from '../state/checkout.view.ts';
import type { PaymentChoice } from '../state/progress.rules.ts';
import { hashOfTerms, TERMS_VERSION } from '../state/terms.ts';
import { DONE, type Form, refused, STALE, unlessTransitioned, withCheckoutLock } from './form.ts';

const ACTOR = 'buyer';

export interface Consent {
  isGiven: boolean;
  termsVersion: string;
}

/** Thrown to undo what was written: the order would have cost more than the page said. */
class OfferGone extends Error {}

export async function submitOrder(
  deps: CheckoutDeps,
  sender: FormSender,
  consent: Consent,
): Promise<FormResult> {
  try {
    const result = await unlessTransitioned(() =>
      withCheckoutLock(deps, sender, (form) => writeOrder(deps, form, consent)),
    );
    if (result.kind === 'DONE') deps.onCommitted();
    return result;
  } catch (error) {
    // Whatever refuses the term was thrown before the commit: the page shows what is offered instead.
    if (error instanceof OfferGone || (error instanceof Problem && error.status === 422))
      return refused({ field: 'term', error: 'error.offer_gone' });
    throw error;
  }
}

async function writeOrder({ isSandbox }: CheckoutDeps, form: Form, consent: Consent): Promise<FormResult> {
  const { db, reading, state } = form;
  const { key, vault, now, order } = reading;
  // The second click, or the other tab: the outcome is there already.
  if (state.outcome !== null) return DONE;
  if (state.isCodeNeeded || !state.person || !state.delivery) return STALE;
  if (state.mine?.choice && state.choice === null)
    return refused({ field: 'term', error: 'error.offer_gone' });
  if (state.step !== 'review' || state.choice === null) return STALE;
  if (!form.isCurrent || consent.termsVersion !== TERMS_VERSION) return STALE;
  if (!consent.isGiven) return refused({ field: 'consent', error: 'error.consent' });

  const { platformId } = key;
  const placed = await completeCheckout(
    { db, platformId, actor: ACTOR, now, vault, isSandbox },
    order.external_id,
    {
      paymentMethod: 'TRANSFER',
      paymentTerm: state.choice.term,
      deliveryAddress: deliveryAddressOf(form),
      contactEmail: state.person.email,
    },
  );
  await addCheckoutContact({ db, platformId, vault, now }, order.buyer_external_id, contactOf(state.person));
  assertNotDearer(placed.term_offer as TermOffer | null, state.choice);
  await writeConsent(form, state.choice);
  return DONE;
}

function contactOf({ salutation, firstName, lastName, email, phone }: PersonEntry) {
  return {
    salutation: salutation === '' ? null : salutation,
    first_name: firstName,
    last_name: lastName,
    email,
    phone: phone === '' ? null : phone,
  };
}

function deliveryAddressOf({ reading, state }: Form) {
  switch (state.delivery?.to) {
    case 'OTHER':
      return state.delivery.address;
    case 'COMPANY':
      return reading.filed.address;
    default:
      return null;
  }
}

function assertNotDearer(offer: TermOffer | null, choice: PaymentChoice): void {
  if ((offer?.fee.gross ?? 0) > choice.feeGrossMinor) throw new OfferGone();
}

async function writeConsent({ db, reading, state }: Form, { term }: PaymentChoice): Promise<void> {
  const { key, now, platform, merchantName } = reading;
  const { language, formality } = translatorFor(reading);
  const parties = {
    platform: platform.name,
    merchant: merchantName,
    company: state.company?.legalName ?? null,
  };
  await insertConsent(db, {
    platform_id: key.platformId,
    order_external_id: key.orderExternalId,
    consented_at: now,
    terms_version: TERMS_VERSION,
    language,
    formality,
    terms_sha256: hashOfTerms(translatorOf(language, formality), parties),
    payment_term: term,
  });
}
