/** A buyer asks for a person to look at a refusal: once for each decision, in the checkout or on its own page. */
import type { Db } from '#infra/database/database';
import type { PlatformVault } from '#infra/secrets/vault';
import type { Formality, Language } from '#kernel/language';
import { openReviewOfRejection } from '#modules/reviews';
import { sealAnswerAddress } from '../mails/answer-address.ts';
import { insertReviewRequest, type KnownRefusal } from '../state/refusal.queries.ts';

const ACTOR = 'buyer';

/** Thrown to roll back a review that was asked for elsewhere at the same time. */
export class AlreadyRequested extends Error {}

export interface ReviewRequest {
  platformId: number;
  vault: PlatformVault;
  refusal: KnownRefusal;
  /** The order that the answer is about; null for the facility. */
  orderExternalId: string | null;
  /** Who asks, and gets the answer. */
  email: string;
  language: Language;
  formality: Formality;
  /** Unix seconds of the platform's clock. */
  now: number;
}

/** In a transaction. Throws AlreadyRequested. */
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
