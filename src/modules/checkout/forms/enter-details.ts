/** The form with the person who orders and the delivery address: the last data that a credit decision needs. */
import { isDeepStrictEqual } from 'node:util';
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import type { Address } from '#kernel/address';
import { applicantProofOf } from '../access/applicant.rules.ts';
import type { CheckoutDeps } from '../deps.ts';
import { updateCheckout } from '../state/checkout.queries.ts';
import type { FormResult, FormSender, PersonEntry, TypedInvoice } from '../state/checkout.view.ts';
import { sealProgress } from '../state/progress.rules.ts';
import { isCompanyComplete } from '../state/visible-progress.rules.ts';
import { completeWithCompany } from './complete-with-company.ts';
import { readDeliveryEntry, readInvoiceEntry, readPersonEntry } from './entry.rules.ts';
import { changedProgress, DONE, type Form, openForm, refused, STALE, staleIfTransitioned } from './form.ts';
import type { FormMemory } from './form-memory.ts';
import { type CreditRequest, requestCreditOnce } from './request-credit.ts';
import { queueCode } from './send-code.ts';

export interface DetailsEntry {
  person: PersonEntry;
  delivery: { to: string; address: Record<keyof Address, string> };
  invoice?: TypedInvoice;
}

interface SavedDetails {
  kind: 'SAVED';
  /** Null if no credit decision is due, or it waits for the code. */
  creditRequest: CreditRequest | null;
}

/**
 * Saves the details, and then requests credit if a decision is due, or sends the code that the decision waits for. The details are
 * committed first: no transaction is open during the request, and after a crash the next visit continues from them.
 */
export async function enterDetails(
  deps: CheckoutDeps,
  memory: FormMemory,
  sender: FormSender,
  details: DetailsEntry,
): Promise<FormResult> {
  const saved = await inTransaction(deps.db, (db) => saveDetails(deps, memory, db, sender, details)).catch(
    staleIfTransitioned,
  );
  if (saved.kind !== 'SAVED') return saved;
  deps.onCommitted();
  if (saved.creditRequest === null) return DONE;
  return requestCreditOnce(deps, memory, saved.creditRequest);
}

/** Also completes a buyer that was only invited, unless the decision waits for the code: until then the company can be changed. */
async function saveDetails(
  deps: CheckoutDeps,
  memory: FormMemory,
  db: Db,
  sender: FormSender,
  details: DetailsEntry,
): Promise<FormResult | SavedDetails> {
  const form = await openForm(deps, db, sender);
  if (form.kind !== 'OPEN') return form;
  const { snapshot, state } = form;
  const { company, isBuyerOnFile } = state;
  if (state.outcome !== null || state.isCodeNeeded) return STALE;
  if (!isBuyerOnFile && !isCompanyComplete(company)) return STALE;

  const person = readPersonEntry(details.person, company?.country ?? null);
  const delivery = readDeliveryEntry(details.delivery);
  const invoice = details.invoice && readInvoiceEntry(details.invoice);
  const errors = [...person.errors, ...delivery.errors, ...(invoice?.errors ?? [])];
  if (errors.length > 0) return refused(...errors);

  const proof = applicantProofOf(snapshot, person.entry);
  const awaitsCode = state.dueRequest !== null && proof === null;
  const toComplete = isBuyerOnFile || awaitsCode ? null : company;
  const progress = changedProgress(form, {
    person: person.entry,
    delivery: delivery.entry,
    ...(invoice && { invoice: invoice.entry }),
    ...(toComplete && { isBuyerCompleted: true }),
  });
  // The same details sent again are already saved, in any version.
  if (!isDeepStrictEqual(progress, snapshot.progress)) {
    if (!form.isCurrent) return STALE;
    if (toComplete) await completeWithCompany(db, snapshot, toComplete);
    await updateCheckout(db, snapshot.key, {
      version: snapshot.checkout.version + 1,
      updated_at: snapshot.now,
      progress_sealed: sealProgress(snapshot.vault, snapshot.key.orderExternalId, progress),
    });
  }
  if (state.dueRequest === null) return { kind: 'SAVED', creditRequest: null };
  const applicant = {
    company: snapshot.filed.company ?? company,
    person: person.entry,
    deliveryAddress: delivery.entry.address,
  };
  if (proof !== null)
    return { kind: 'SAVED', creditRequest: { snapshot, about: state.dueRequest, ...applicant, proof } };
  return sendApplicationCode(deps, memory, form, applicant);
}

/** The application waits for the code. The details stay saved if no code can be sent. */
async function sendApplicationCode(
  deps: CheckoutDeps,
  memory: FormMemory,
  form: Form,
  { company, person }: Pick<CreditRequest, 'company' | 'person'>,
): Promise<FormResult | SavedDetails> {
  const { key, checkout } = form.snapshot;
  // Sending the details again is a new application, also after a decision or without an earlier code.
  if (checkout.credit_requested_at !== null)
    await updateCheckout(form.db, key, { credit_requested_at: null });
  const sent = await queueCode(deps, memory, form, { purpose: 'APPLICATION', email: person.email }, company);
  return sent.kind === 'DONE' ? { kind: 'SAVED', creditRequest: null } : sent;
}
