/** Who orders and where to. Then all is known that the buyer's credit is decided by. */
import type { Address } from '#kernel/address';
import type { CheckoutDeps } from '../deps.ts';
import type { FormResult, FormSender, PersonEntry } from '../state/checkout.view.ts';
import { isCompanyComplete } from '../state/checkout-state.rules.ts';
import type { Progress } from '../state/progress.rules.ts';
import { completeBuyerOf } from './complete-buyer.ts';
import { readDeliveryEntry, readPersonEntry } from './entry.rules.ts';
import {
  changedProgress,
  DONE,
  type Form,
  refused,
  STALE,
  saveProgress,
  unlessTransitioned,
  withCheckoutLock,
} from './form.ts';
import type { Applying, RequestCredit } from './request-credit.ts';

export interface DetailsEntry {
  person: PersonEntry;
  delivery: { to: string; address: Record<keyof Address, string> };
}

/**
 * What was entered is kept first, in a transaction of its own: the risk source is asked with none open, and where we die
 * meanwhile the next visit goes on from there.
 */
export async function enterDetails(
  deps: CheckoutDeps,
  requestCreditOf: RequestCredit,
  sender: FormSender,
  details: DetailsEntry,
): Promise<FormResult> {
  const kept = await unlessTransitioned(() =>
    withCheckoutLock(deps, sender, (form) => keepDetails(form, details)),
  );
  if (kept.kind !== 'SAVED') return kept;
  deps.onCommitted();
  return kept.applying === null ? DONE : requestCreditOf(kept.applying);
}

interface SavedDetails {
  kind: 'SAVED';
  /** Null for a buyer whose credit was decided about. */
  applying: Applying | null;
}

async function keepDetails(form: Form, details: DetailsEntry): Promise<FormResult | SavedDetails> {
  const { company, isBuyerOnFile, isCodeNeeded, isCreditRequestDue, outcome } = form.state;
  if (outcome !== null || isCodeNeeded) return STALE;
  if (!isBuyerOnFile && !isCompanyComplete(company)) return STALE;
  const person = readPersonEntry(details.person, company?.country ?? null);
  const delivery = readDeliveryEntry(details.delivery);
  const errors = [...person.errors, ...delivery.errors];
  if (errors.length > 0) return refused(...errors);
  const saveOptimistically = { person: person.entry, delivery: delivery.entry };
  const kept = await keepPersonAndDelivery(form, saveOptimistically);
  if (kept.kind !== 'DONE') return kept;
  const applicantEmail = person.entry.email;
  return { kind: 'SAVED', applying: isCreditRequestDue ? { reading: form.reading, applicantEmail } : null };
}

/** And completes the buyer with it, where that was only invited. */
function keepPersonAndDelivery(
  form: Form,
  saveOptimistically: Pick<Progress, 'person' | 'delivery'>,
): Promise<FormResult> {
  const { company, isBuyerOnFile } = form.state;
  if (isBuyerOnFile || company === null) return saveProgress(form, changedProgress(form, saveOptimistically));
  const completed = changedProgress(form, { ...saveOptimistically, isBuyerCompleted: true });
  return saveProgress(form, completed, () => completeBuyerOf(form, company));
}
