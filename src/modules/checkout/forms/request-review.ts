/** The button of a refusal: a person looks at the decision again. */
import { inTransaction } from '#infra/database/transaction';
import { openReviewOfRejection } from '#modules/reviews';
import type { CheckoutDeps } from '../deps.ts';
import { sealAnswerAddress } from '../mails/answer-address.ts';
import { localeFor } from '../state/build-view.ts';
import type { FormResult, FormSender } from '../state/checkout.view.ts';
import { insertReviewRequest } from '../state/refusal.queries.ts';
import { DONE, openForm, STALE } from './form.ts';

const ACTOR = 'buyer';

/** Thrown to roll back a review that another checkout of the buyer asked for at the same time. */
class AlreadyRequested extends Error {}

/** One review for each decision, however often it is asked for. The answer goes to the person who asked. */
export async function requestReview(deps: CheckoutDeps, sender: FormSender): Promise<FormResult> {
  return inTransaction(deps.db, async (db): Promise<FormResult> => {
    const form = await openForm(deps, db, sender);
    if (form.kind !== 'OPEN') return form;
    const { snapshot, state } = form;
    const { key, now, vault, refusal } = snapshot;
    if (refusal === null || state.company === null || !state.person) return STALE;
    if (refusal.review !== 'POSSIBLE') return DONE;
    const { platformId, orderExternalId } = key;
    const reviewId =
      refusal.openReviewId ??
      (await openReviewOfRejection({ db, platformId, actor: ACTOR, now }, refusal.decisionId));
    const isFirst = await insertReviewRequest(db, {
      platform_id: platformId,
      decision_id: refusal.decisionId,
      review_id: reviewId,
      order_external_id: orderExternalId,
      requested_at: now,
      email_sealed: sealAnswerAddress(vault, refusal.decisionId, state.person.email),
      ...localeFor(snapshot),
    });
    if (!isFirst) throw new AlreadyRequested();
    return DONE;
  }).catch((error) => {
    if (error instanceof AlreadyRequested) return DONE;
    throw error;
  });
}
