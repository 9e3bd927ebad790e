/** A buyer requests a review of a refusal by a person: once for each decision, in the checkout or on its own page. */
import type { Db } from '#infra/database/database';
import type { PlatformVault } from '#infra/secrets/vault';
import type { Formality, Language } from '#kernel/language';
import { openReviewOfRejection } from '#modules/reviews';
import { sealAnswerAddress } from '../mails/answer-address.ts';
import { insertReviewRequest, type KnownRefusal } from '../state/refusal.queries.ts';

const ACTOR = 'buyer';

/** Thrown to roll back a review that another request created at the same time. */
export class AlreadyRequested extends Error {}

export interface ReviewRequest {
  platformId: number;
  vault: PlatformVault;
  refusal: KnownRefusal;
  /** The order that the answer refers to; null for the facility. */
  orderExternalId: string | null;
  /** The person who requests the review, and gets the answer. */
  email: string;
  language: Language;
  formality: Formality;
  /** Unix seconds of the platform's clock. */
  now: number;
}

/** Runs in a transaction. Throws AlreadyRequested. */
export async function requestReviewOfRefusal(db: Db, request: ReviewRequest): Promise<void> {
  const { platformId, vault, refusal, orderExternalId, email, language, formality, now } = request;
  const { decisionId, openReviewId } = refusal;
  const reviewId =
    openReviewId ?? (await openReviewOfRejection({ db, platformId, actor: ACTOR, now }, decisionId));
  const isFirst = await insertReviewRequest(db, {
    platform_id: platformId,
    decision_id: decisionId,
    review_id: reviewId,
    order_external_id: orderExternalId,
    requested_at: now,
    email_sealed: sealAnswerAddress(vault, decisionId, email),
    language,
    formality,
    answered_at: null,
  });
  if (!isFirst) throw new AlreadyRequested();
}
