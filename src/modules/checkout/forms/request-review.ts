/** The button of a refusal: requests a review by a person. */
import { inTransaction } from '#infra/database/transaction';
import type { CheckoutDeps } from '../deps.ts';
import { localeFor } from '../state/build-view.ts';
import type { FormResult, FormSender } from '../state/checkout.view.ts';
import { DONE, openForm, STALE } from './form.ts';
import { AlreadyRequested, requestReviewOfRefusal } from './request-review-of-refusal.ts';

/** Opens one review for each decision, regardless of the number of requests. The answer goes to the person who requested it. */
export async function requestReview(deps: CheckoutDeps, sender: FormSender): Promise<FormResult> {
  return inTransaction(deps.db, async (db): Promise<FormResult> => {
    const form = await openForm(deps, db, sender);
    if (form.kind !== 'OPEN') return form;
    const { snapshot, state } = form;
    const { key, now, vault, refusal } = snapshot;
    if (refusal === null || state.company === null || !state.person) return STALE;
    if (refusal.review !== 'POSSIBLE') return DONE;
    await requestReviewOfRefusal(db, {
      ...{ ...key, vault, refusal, now, email: state.person.email, ...localeFor(snapshot) },
    });
    return DONE;
  }).catch((error) => {
    if (error instanceof AlreadyRequested) return DONE;
    throw error;
  });
}
