/** The form with the payment term. */
import { PAYMENT_TERMS } from '#kernel/payment-term';
import type { CheckoutDeps } from '../deps.ts';
import type { FormResult, FormSender } from '../state/checkout.view.ts';
import { readForm, refused, STALE, saveOptimistically } from './form.ts';

export async function choosePayment(
  deps: CheckoutDeps,
  sender: FormSender,
  chosen: string,
): Promise<FormResult> {
  const form = await readForm(deps, deps.db, sender);
  if (form.kind !== 'OPEN') return form;
  const { step, offered } = form.state;
  if (step !== 'payment' && step !== 'review') return STALE;
  const term = PAYMENT_TERMS.find((each) => each === chosen);
  if (!term) return refused({ field: 'term', error: 'error.choose' });
  const offer = offered.offers.find((each) => each.payment_term === term);
  if (!offer) return refused({ field: 'term', error: 'error.offer_gone' });
  return saveOptimistically(deps, form, { choice: { term, feeGrossMinor: offer.fee.gross } });
}
