/** Mails buyers the answer of the reviews that they asked for in the checkout. */
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import type { Formality, Language } from '#kernel/language';
import { composeMail, insertMails, type NewMailRow } from '#modules/notifications';
import { findOrder, type OrderRow } from '#modules/orders';
import { findPlatform, type PlatformRow } from '#modules/platforms';
import { createLink, linkUrl } from '../links/link.ts';
import { type EndedReview, findEndedReviews, takeAnswer } from '../state/refusal.queries.ts';
import { openAnswerAddress } from './answer-address.ts';
import type { InvitationDeps } from './invite-buyers.ts';
import { readOrderForMail } from './outcome-mails.ts';

/** Answers at most `reviewsMax` requests. Returns the number of reviews that had ended; none of them stays due. */
export async function answerReviews(deps: InvitationDeps, reviewsMax: number): Promise<number> {
  const ended = await findEndedReviews(deps.db, reviewsMax);
  for (const review of ended) {
    const failure = await inTransaction(deps.db, (db) => answer({ ...deps, db }, review));
    if (failure !== null)
      deps.log.error({ err: failure, platform_id: review.platformId }, 'answer of a review not mailed');
  }
  return ended.length;
}

/** The mail, its link and the end of the request are one transaction. Returns the error of a mail that cannot be composed. */
async function answer(deps: InvitationDeps, ended: EndedReview): Promise<Error | null> {
  const { db, vault, clocks, baseUrl } = deps;
  const { platformId, decisionId } = ended;
  const platform = (await findPlatform(db, platformId)) as PlatformRow;
  clocks.learn(platformId, platform.clock_ahead_seconds);
  const now = clocks.now(platformId);
  const taken = await takeAnswer(db, ended, now);
  if (!taken) return null;
  const order = (await findOrder(db, { platformId, externalId: taken.order_external_id })) as OrderRow;
  const platformVault = vault.forPlatform(platform.code, platform.data_key_wrapped);
  const isGranted = taken.outcome !== 'REJECT';
  const to = openAnswerAddress(platformVault, decisionId, taken.email_sealed);
  const orderForMail = await readOrderForMail(db, platformVault, order, to);
  const url = isGranted ? await linkTo(db, order, { baseUrl: baseUrl(), now }) : null;
  let mails: NewMailRow[];
  try {
    mails = await composeMail(vault, platform, {
      cause: `review/${decisionId}/answer`,
      kind: isGranted ? 'review_granted' : 'review_refused',
      to,
      buyer: order.buyer_external_id,
      language: taken.language as Language,
      formality: taken.formality as Formality,
      content: { ...orderForMail, company: order.buyer_legal_name ?? '', url },
      now,
      baseUrl: baseUrl() || null,
    });
  } catch (error) {
    return error as Error;
  }
  await insertMails(db, mails);
  return null;
}

/** Null once the order is placed: there is nothing left to choose. */
async function linkTo(
  db: Db,
  { platform_id: platformId, external_id: orderExternalId, status }: OrderRow,
  { baseUrl, now }: { baseUrl: string; now: number },
): Promise<string | null> {
  if (status !== 'DRAFT' || baseUrl === '') return null;
  const { token } = await createLink(db, { platformId, orderExternalId, now });
  return linkUrl(baseUrl, token);
}
