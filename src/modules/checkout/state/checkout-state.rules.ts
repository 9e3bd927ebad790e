/** Where a checkout stands for one browser: what it may see, what is done, and what comes next. */
import { DAY_SECONDS } from '#kernel/day';
import { purchaseOf } from '#modules/orders';
import { readCompanyEntry } from '../forms/entry.rules.ts';
import type {
  CheckoutOutcome,
  CheckoutStep,
  CompanyEntry,
  DeliveryEntry,
  PersonEntry,
} from './checkout.view.ts';
import type { FiledBuyer } from './filed-buyer.ts';
import { type Offered, offeredFor } from './offered-terms.ts';
import { checkoutOutcomeOf } from './outcome.rules.ts';
import type { PaymentChoice, Progress } from './progress.rules.ts';
import type { Snapshot } from './snapshot.ts';

/** A refused buyer may ask again from here after so long: a decision does not change by asking twice. */
const REQUEST_AGAIN_SECONDS = DAY_SECONDS;

export interface CheckoutState {
  outcome: CheckoutOutcome | null;
  isCodeNeeded: boolean;
  /** To which the code goes. */
  emailOnFile: string | null;
  /** What this browser may see of what was entered; null where that is nothing. */
  mine: Progress | null;
  maySeeFile: boolean;
  isBuyerOnFile: boolean;
  company: CompanyEntry | null;
  person: PersonEntry | null;
  delivery: DeliveryEntry | null;
  /** Whether continuing from the details has the credit of the buyer decided about. */
  isCreditRequestDue: boolean;
  offered: Offered;
  /** While it is offered, for no more than was shown. */
  choice: PaymentChoice | null;
  steps: CheckoutStep[];
  step: CheckoutStep;
}

export function checkoutStateOf(reading: Snapshot): CheckoutState {
  const { order, filed, progress, session, checkout, platform, standing, script, now } = reading;
  const outcome = checkoutOutcomeOf(order);
  const isBuyerOnFile = filed.company !== null;
  const emailOnFile = filed.email;
  const isVerified = (session?.verified_at ?? null) !== null;
  const isOwn = progress !== null && session !== null && progress.enteredBy === keyOfSession(session);
  const maySeeFile = isVerified || (isOwn && progress.isBuyerCompleted);
  const isHidden = isBuyerOnFile ? !maySeeFile : progress !== null && !isOwn && !isVerified;
  const isCodeNeeded = outcome === null && emailOnFile !== null && isHidden;
  const mine = isOwn || isVerified ? progress : null;

  const company = isBuyerOnFile ? (maySeeFile ? filed.company : null) : (mine?.company ?? null);
  const filedPerson = maySeeFile && isReachable(filed.person) ? filed.person : null;
  const person = mine?.person ?? filedPerson;
  const delivery = mine?.delivery ?? (filedPerson ? usualDelivery(filed) : null);
  const offered = offeredFor({
    standing,
    maxPaymentTermDays: platform.max_payment_term,
    purchase: { ...purchaseOf(order), orderedAt: now },
    script,
    now,
  });
  const isCreditRequestDue = isRequestDue(standing.facility, now);
  const isRequested = !isCreditRequestDue || (checkout?.credit_asked_at ?? null) !== null;
  const done = {
    company: isBuyerOnFile || isCompanyComplete(company),
    details: isBuyerOnFile && person !== null && delivery !== null && isRequested,
  };
  const choice = stillOffered(mine?.choice ?? null, offered);
  return {
    outcome,
    isCodeNeeded,
    emailOnFile,
    mine,
    maySeeFile,
    isBuyerOnFile,
    company,
    person,
    delivery,
    isCreditRequestDue,
    offered,
    choice,
    steps: [
      ...(isCodeNeeded ? (['code'] as const) : []),
      // It stays among the steps of whoever went through it here, though nothing can be changed in it any more.
      ...(isBuyerOnFile && !mine?.isBuyerCompleted ? [] : (['company'] as const)),
      'details',
      'payment',
      'review',
      'outcome',
    ],
    step: stepOf({ outcome, isCodeNeeded, done, choice }),
  };
}

export function keyOfSession({ session_sha256 }: { session_sha256: Buffer }): string {
  return session_sha256.toString('base64url');
}

function stepOf(state: {
  outcome: CheckoutOutcome | null;
  isCodeNeeded: boolean;
  done: { company: boolean; details: boolean };
  choice: PaymentChoice | null;
}): CheckoutStep {
  if (state.outcome !== null) return 'outcome';
  if (state.isCodeNeeded) return 'code';
  if (!state.done.company) return 'company';
  if (!state.done.details) return 'details';
  return state.choice === null ? 'payment' : 'review';
}

/** What would be taken if it were typed: a register may know less. */
export function isCompanyComplete(company: CompanyEntry | null): company is CompanyEntry {
  return company !== null && readCompanyEntry(company).errors.length === 0;
}

function isReachable(person: PersonEntry | null): boolean {
  return person !== null && [person.firstName, person.lastName, person.email].every((value) => value !== '');
}

function usualDelivery({ deliveryAddress }: FiledBuyer): DeliveryEntry {
  return deliveryAddress ? { to: 'OTHER', address: deliveryAddress } : { to: 'COMPANY', address: null };
}

function isRequestDue(facility: Snapshot['standing']['facility'], now: number): boolean {
  if (facility === null) return true;
  const decidedAt = facility.reviewed_at ?? facility.updated_at;
  return facility.status === 'REJECTED' && decidedAt + REQUEST_AGAIN_SECONDS <= now;
}

/** Null where the term is gone, or has become dearer than it was when it was chosen. */
function stillOffered(choice: PaymentChoice | null, { offers }: Offered): PaymentChoice | null {
  const offer = offers.find((each) => each.payment_term === choice?.term);
  return choice !== null && offer && offer.fee.gross <= choice.feeGrossMinor ? choice : null;
}
