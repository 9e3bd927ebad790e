/** Where a checkout stands for one browser: what it may see, what is done, and what comes next. */
import { DAY_SECONDS } from '#kernel/day';
import { purchaseOf } from '#modules/orders';
import type { CompanyEntry, DeliveryEntry, Outcome, PersonEntry, Step } from './checkout.view.ts';
import { readCompany } from './entry.rules.ts';
import type { FiledBuyer } from './filed-buyer.ts';
import { type Offered, offeredFor } from './offered-terms.ts';
import { outcomeOf } from './outcome.rules.ts';
import type { Choice, Progress } from './progress.rules.ts';
import type { Reading } from './read-checkout.ts';

/** A refused buyer may ask again from here after so long: a decision does not change by asking twice. */
const ASK_AGAIN_SECONDS = DAY_SECONDS;

export interface Situation {
  outcome: Outcome | null;
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
  isCreditToAsk: boolean;
  offered: Offered;
  /** While it is offered, for no more than was shown. */
  choice: Choice | null;
  steps: Step[];
  step: Step;
}

export function situationOf(reading: Reading): Situation {
  const { order, filed, progress, session, checkout, platform, standing, script, now } = reading;
  const outcome = outcomeOf(order);
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
  const isCreditToAsk = isAskDue(standing.facility, now);
  const isAsked = !isCreditToAsk || (checkout?.credit_asked_at ?? null) !== null;
  const done = {
    company: isBuyerOnFile || isWhole(company),
    details: isBuyerOnFile && person !== null && delivery !== null && isAsked,
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
    isCreditToAsk,
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

function stepOf(so: {
  outcome: Outcome | null;
  isCodeNeeded: boolean;
  done: { company: boolean; details: boolean };
  choice: Choice | null;
}): Step {
  if (so.outcome !== null) return 'outcome';
  if (so.isCodeNeeded) return 'code';
  if (!so.done.company) return 'company';
  if (!so.done.details) return 'details';
  return so.choice === null ? 'payment' : 'review';
}

/** What would be taken if it were typed: a register may know less. */
export function isWhole(company: CompanyEntry | null): company is CompanyEntry {
  return company !== null && readCompany(company).errors.length === 0;
}

function isReachable(person: PersonEntry | null): boolean {
  return person !== null && [person.firstName, person.lastName, person.email].every((value) => value !== '');
}

function usualDelivery({ deliveryAddress }: FiledBuyer): DeliveryEntry {
  return deliveryAddress ? { to: 'OTHER', address: deliveryAddress } : { to: 'COMPANY', address: null };
}

function isAskDue(facility: Reading['standing']['facility'], now: number): boolean {
  if (facility === null) return true;
  const decidedAt = facility.reviewed_at ?? facility.updated_at;
  return facility.status === 'REJECTED' && decidedAt + ASK_AGAIN_SECONDS <= now;
}

/** Null where the term is gone, or has become dearer than it was when it was chosen. */
function stillOffered(choice: Choice | null, { offers }: Offered): Choice | null {
  const offer = offers.find((each) => each.payment_term === choice?.term);
  return choice !== null && offer && offer.fee.gross <= choice.feeGrossMinor ? choice : null;
}
