/** The last click: the draft becomes an order, once, with what the buyer saw and agreed to. */
import { Problem } from '#kernel/problem';
import { speakerOf } from '#messages';
import { addCheckoutContact } from '#modules/buyers';
import type { TermOffer } from '#modules/facilities';
import { completeCheckout } from '#modules/orders';
import { insertConsent } from './checkout.queries.ts';
import type { PersonEntry, Sender, Submitted } from './checkout.view.ts';
import { DONE, type Form, refused, STALE, submitted, unlessMoved } from './form.ts';
import type { Choice } from './progress.rules.ts';
import type { CheckoutSurroundings } from './surroundings.ts';
import { hashOfTerms, TERMS_VERSION } from './terms.ts';
import { voiceOf } from './view.ts';

const ACTOR = 'buyer';

export interface Consent {
  isGiven: boolean;
  termsVersion: string;
}

/** Thrown to undo what was written: the order would have cost more than the page said. */
class OfferGone extends Error {}

export async function placeOrder(
  surroundings: CheckoutSurroundings,
  sender: Sender,
  consent: Consent,
): Promise<Submitted> {
  try {
    const result = await unlessMoved(() =>
      submitted(surroundings, sender, (form) => place(surroundings, form, consent)),
    );
    if (result.kind === 'DONE') surroundings.onCommitted();
    return result;
  } catch (error) {
    // Whatever refuses the term was thrown before the commit: the page shows what is offered instead.
    if (error instanceof OfferGone || (error instanceof Problem && error.status === 422))
      return refused({ field: 'term', error: 'error.offer_gone' });
    throw error;
  }
}

async function place({ isSandbox }: CheckoutSurroundings, form: Form, consent: Consent): Promise<Submitted> {
  const { db, reading, so } = form;
  const { key, vault, now, order } = reading;
  // The second click, or the other tab: the outcome is there already.
  if (so.outcome !== null) return DONE;
  if (so.isCodeNeeded || !so.person || !so.delivery) return STALE;
  if (so.mine?.choice && so.choice === null) return refused({ field: 'term', error: 'error.offer_gone' });
  if (so.step !== 'review' || so.choice === null) return STALE;
  if (!form.isCurrent || consent.termsVersion !== TERMS_VERSION) return STALE;
  if (!consent.isGiven) return refused({ field: 'consent', error: 'error.consent' });

  const { platformId } = key;
  const placed = await completeCheckout(
    { db, platformId, actor: ACTOR, now, vault, isSandbox },
    order.external_id,
    {
      paymentMethod: 'TRANSFER',
      paymentTerm: so.choice.term,
      deliveryAddress: deliveryAddressOf(form),
      contactEmail: so.person.email,
    },
  );
  await addCheckoutContact({ db, platformId, vault, now }, order.buyer_external_id, contactOf(so.person));
  assertNotDearer(placed.term_offer as TermOffer | null, so.choice);
  await writeConsent(form, so.choice);
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

function deliveryAddressOf({ reading, so }: Form) {
  switch (so.delivery?.to) {
    case 'OTHER':
      return so.delivery.address;
    case 'COMPANY':
      return reading.filed.address;
    default:
      return null;
  }
}

function assertNotDearer(offer: TermOffer | null, choice: Choice): void {
  if ((offer?.fee.gross ?? 0) > choice.feeGrossMinor) throw new OfferGone();
}

async function writeConsent({ db, reading, so }: Form, { term }: Choice): Promise<void> {
  const { key, now, platform, merchantName } = reading;
  const { language, formality } = voiceOf(reading);
  const parties = {
    platform: platform.name,
    merchant: merchantName,
    company: so.company?.legalName ?? null,
  };
  await insertConsent(db, {
    platform_id: key.platformId,
    order_external_id: key.orderExternalId,
    consented_at: now,
    terms_version: TERMS_VERSION,
    language,
    formality,
    terms_sha256: hashOfTerms(speakerOf(language, formality), parties),
    payment_term: term,
  });
}
