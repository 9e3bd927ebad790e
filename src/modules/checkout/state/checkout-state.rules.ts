/** The state of a checkout for one browser, computed from a snapshot: nothing stores a step. */
import { purchaseOf } from '#modules/orders';
import type { ShownProof } from '#modules/underwriting';
import { type Access, accessOf } from '../access/access.rules.ts';
import { applicantProofOf } from '../access/applicant.rules.ts';
import { type RequestedCode, requestedCodeOf } from '../access/requested-code.rules.ts';
import type { CheckoutOutcome, CheckoutStep } from './checkout.view.ts';
import { type DueRequest, dueRequestOf } from './due-request.rules.ts';
import { type Offered, offeredFor } from './offered-terms.ts';
import { checkoutOutcomeOf } from './outcome.rules.ts';
import type { Snapshot } from './snapshot.ts';
import { currentStepOf, stepsOf } from './step.rules.ts';
import { isCompanyComplete, type VisibleProgress, visibleProgressOf } from './visible-progress.rules.ts';

export interface CheckoutState extends Access, VisibleProgress {
  outcome: CheckoutOutcome | null;
  /** The credit decision that saving the details requests; null if none. */
  dueRequest: DueRequest | null;
  /** The proof that the person speaks for the company; null while the person has to confirm the address. */
  proof: ShownProof | null;
  /** Null while no code has to be entered. */
  code: RequestedCode | null;
  offered: Offered;
  steps: CheckoutStep[];
  step: CheckoutStep;
}

export function checkoutStateOf(snapshot: Snapshot): CheckoutState {
  const { order, filed, checkout, platform, standing, script, now } = snapshot;
  const outcome = checkoutOutcomeOf(order);
  const offered = offeredFor({
    standing,
    platform,
    purchase: { ...purchaseOf(order), orderedAt: now },
    script,
    now,
  });
  const dueRequest = dueRequestOf(snapshot);
  const isCreditRequested = dueRequest === null || (checkout?.credit_requested_at ?? null) !== null;

  const access = accessOf(snapshot, outcome);
  const progress = visibleProgressOf({ filed, sent: snapshot.sentForInvoice }, access, offered);
  const proof = applicantProofOf(snapshot, progress.person);
  const isProofDue = !isCreditRequested && proof === null;
  const isCompanyKnown = access.isBuyerOnFile || isCompanyComplete(progress.company);
  const code = requestedCodeOf(outcome, access, { isCompanyKnown, isProofDue });
  return {
    outcome,
    dueRequest,
    proof,
    code,
    offered,
    ...access,
    ...progress,
    steps: stepsOf(access, isProofDue || proof === 'CONFIRMED_ADDRESS'),
    step: currentStepOf(outcome, access, progress, { code, isCreditRequested }),
  };
}
