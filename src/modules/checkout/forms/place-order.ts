/** The last form: places the order once, on the terms that the buyer saw and consented to. */
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import type { Address } from '#kernel/address';
import { Problem } from '#kernel/problem';
import { translatorOf } from '#messages';
import { addCheckoutContact, recordCheckoutLanguage } from '#modules/buyers';
import type { TermOffer } from '#modules/facilities';
import { completeCheckout, type InvoiceDetails } from '#modules/orders';
import type { CheckoutDeps } from '../deps.ts';
import { localeFor } from '../state/build-view.ts';
import { insertConsent, updateCheckout } from '../state/checkout.queries.ts';
import type { CompanyEntry, FormResult, FormSender, PersonEntry } from '../state/checkout.view.ts';
import { type PaymentChoice, sealProgress } from '../state/progress.rules.ts';
import { hashOfTerms, TERMS_VERSION } from '../state/terms.ts';
import { completeWithCompany } from './complete-with-company.ts';
import { changedProgress, DONE, type Form, openForm, refused, STALE, staleIfTransitioned } from './form.ts';

const ACTOR = 'buyer';

export interface Consent {
  isGiven: boolean;
  termsVersion: string;
}

/** Thrown to roll back an order whose fee exceeds the one on the page. */
class OfferGone extends Error {}

export async function submitOrder(
  deps: CheckoutDeps,
  sender: FormSender,
  consent: Consent,
): Promise<FormResult> {
  try {
    const result = await inTransaction(deps.db, (db) => writeOrder(deps, db, sender, consent)).catch(
      staleIfTransitioned,
    );
    if (result.kind === 'DONE') deps.onCommitted();
    return result;
  } catch (error) {
    // The transaction was rolled back. The payment page shows the terms that are now offered.
    if (error instanceof OfferGone || (error instanceof Problem && error.status === 422))
      return refused({ field: 'term', error: 'error.offer_gone' });
    throw error;
  }
}

async function writeOrder(
  deps: CheckoutDeps,
  db: Db,
  sender: FormSender,
  consent: Consent,
): Promise<FormResult> {
  const form = await openForm(deps, db, sender);
  if (form.kind !== 'OPEN') return form;
  const { snapshot, state } = form;
  const { key, vault, now, order } = snapshot;
  // A second click, or another tab: the order is already placed.
  if (state.outcome !== null) return DONE;
  if (state.isCodeNeeded || !state.person || !state.delivery) return STALE;
  if (state.mine?.choice && state.choice === null)
    return refused({ field: 'term', error: 'error.offer_gone' });
  if (state.step !== 'review' || state.choice === null) return STALE;
  if (!form.isCurrent || consent.termsVersion !== TERMS_VERSION) return STALE;
  if (!consent.isGiven) return refused({ field: 'consent', error: 'error.consent' });

  const { platformId } = key;
  const companyAddress = state.isBuyerOnFile ? snapshot.filed.address : await settleCompany(form);
  const placed = await completeCheckout(
    { db, platformId, actor: ACTOR, now, vault, isSandbox: deps.isSandbox },
    order.external_id,
    {
      paymentMethod: 'TRANSFER',
      paymentTerm: state.choice.term,
      deliveryAddress: deliveryAddressOf(form, companyAddress),
      contactEmail: state.person.email,
      invoice: invoiceOf(form),
    },
  );
  await addCheckoutContact({ db, platformId, vault, now }, order.buyer_external_id, contactOf(state.person));
  assertNotDearer(placed.term_offer, state.choice);
  await writeConsent(form, state.choice);
  return DONE;
}

/** Only what was entered here: for other fields the order keeps what the platform sent. */
function invoiceOf({ state: { mine } }: Form): InvoiceDetails {
  const { purchaseOrder = '', email = '', address = null } = mine?.invoice ?? {};
  return {
    purchaseOrderNumber: purchaseOrder === '' ? null : purchaseOrder,
    email: email === '' ? null : email,
    billingAddress: address,
  };
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

/** Completes a buyer that was only invited, because no credit was requested. Returns the address of the company. */
async function settleCompany(form: Form): Promise<Address | null> {
  const { db, snapshot, state } = form;
  const { key, vault, now, checkout } = snapshot;
  const buyer = await completeWithCompany(db, snapshot, state.company as CompanyEntry);
  const progress = changedProgress(form, { isBuyerCompleted: true });
  await updateCheckout(db, key, {
    version: checkout.version + 1,
    updated_at: now,
    progress_sealed: sealProgress(vault, key.orderExternalId, progress),
  });
  return buyer.business_address;
}

function deliveryAddressOf({ state }: Form, companyAddress: Address | null) {
  switch (state.delivery?.to) {
    case 'OTHER':
      return state.delivery.address;
    case 'COMPANY':
      return companyAddress;
    default:
      return null;
  }
}

function assertNotDearer(offer: TermOffer | null, choice: PaymentChoice): void {
  if ((offer?.fee.gross ?? 0) > choice.feeGrossMinor) throw new OfferGone();
}

async function writeConsent({ db, snapshot, state }: Form, { term }: PaymentChoice): Promise<void> {
  const { key, now, platform, merchantName, checkout, order } = snapshot;
  const { language, formality } = localeFor(snapshot);
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
  if (checkout?.language != null)
    await recordCheckoutLanguage(
      db,
      { platformId: key.platformId, externalId: order.buyer_external_id },
      checkout.language,
    );
}
