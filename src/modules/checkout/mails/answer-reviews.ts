/** Mails buyers the answers to the reviews that they requested, in the checkout or on their own page. */
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import type { PlatformVault } from '#infra/secrets/vault';
import type { Currency } from '#kernel/currency';
import type { Formality, Language } from '#kernel/language';
import { findBuyerOnFile } from '#modules/buyers';
import { findFacility } from '#modules/facilities';
import { composeMail, insertMails, type MailRequest, type NewMailRow } from '#modules/notifications';
import { findOrder, type OrderRow } from '#modules/orders';
import { findPlatform, type PlatformRow } from '#modules/platforms';
import { createLink, linkUrl } from '../links/link.ts';
import {
  type AnsweredReview,
  type EndedReview,
  findEndedReviews,
  takeAnswer,
} from '../state/refusal.queries.ts';
import { openAnswerAddress } from './answer-address.ts';
import type { InvitationDeps } from './invite-buyers.ts';
import { readOrderForMail, recipientOf } from './outcome-mails.ts';

/** Answers at most `reviewsMax` requests. Returns the number of ended reviews it processed; none of them stays due. */
export async function answerReviews(deps: InvitationDeps, reviewsMax: number): Promise<number> {
  const ended = await findEndedReviews(deps.db, reviewsMax);
  for (const review of ended) {
    const failure = await inTransaction(deps.db, (db) => answer({ ...deps, db }, review));
    if (failure !== null)
      deps.log.error({ err: failure, platform_id: review.platformId }, 'answer of a review not mailed');
  }
  return ended.length;
}

/** Writes the mail, its link and the end of the request in one transaction. Returns the error of a mail that cannot be composed. */
async function answer(deps: InvitationDeps, ended: EndedReview): Promise<Error | null> {
  const { db, vault, clocks, baseUrl } = deps;
  const { platformId, decisionId } = ended;
  const platform = (await findPlatform(db, platformId)) as PlatformRow;
  clocks.learn(platformId, platform.clock_ahead_seconds);
  const now = clocks.now(platformId);
  const taken = await takeAnswer(db, ended, now);
  if (!taken) return null;
  const platformVault = vault.forPlatform(platform.code, platform.data_key_wrapped);
  const request: EndedRequest = {
    ...{ taken, platformId, now, vault: platformVault },
    to: openAnswerAddress(platformVault, decisionId, taken.email_sealed),
  };
  const answered =
    taken.order_external_id === null
      ? await aboutFacility(db, request)
      : await aboutOrder(db, request, { externalId: taken.order_external_id, baseUrl: baseUrl() });
  if (answered === null) return null;
  let mails: NewMailRow[];
  try {
    mails = await composeMail(vault, platform, {
      ...answered,
      ...{ cause: `review/${decisionId}/answer`, to: request.to, buyer: taken.buyer_external_id, now },
      ...{ language: taken.language as Language, formality: taken.formality as Formality },
      baseUrl: baseUrl() || null,
    });
  } catch (error) {
    return error as Error;
  }
  await insertMails(db, mails);
  return null;
}

/** A review that has ended, and the person who requested it. */
interface EndedRequest {
  taken: AnsweredReview;
  platformId: number;
  vault: PlatformVault;
  to: string;
  now: number;
}

type AnswerKind = 'review_granted' | 'review_refused' | 'facility_review_refused';
type Answer = { [Kind in AnswerKind]: Pick<MailRequest<Kind>, 'kind' | 'content'> }[AnswerKind];

async function aboutOrder(
  db: Db,
  { taken, platformId, vault, to, now }: EndedRequest,
  { externalId, baseUrl }: { externalId: string; baseUrl: string },
): Promise<Answer> {
  const order = (await findOrder(db, { platformId, externalId })) as OrderRow;
  const content = {
    ...(await readOrderForMail(db, vault, order, to)),
    company: order.buyer_legal_name ?? '',
  };
  return taken.outcome === 'REJECT'
    ? { kind: 'review_refused', content: { ...content, url: null } }
    : { kind: 'review_granted', content: { ...content, url: await linkTo(db, order, { baseUrl, now }) } };
}

/** Null if credit was granted: the mails about the facility report it. */
async function aboutFacility(db: Db, { taken, platformId, vault, to }: EndedRequest): Promise<Answer | null> {
  if (taken.outcome !== 'REJECT') return null;
  const { buyer_external_id: buyerExternalId } = taken;
  const [facility, buyer] = await Promise.all([
    findFacility(db, { platformId, buyerExternalId }),
    findBuyerOnFile(db, vault, { platformId, externalId: buyerExternalId }),
  ]);
  if (!facility || !buyer) return null;
  const isRunning = facility.status === 'ACTIVE' || facility.status === 'FROZEN';
  return {
    kind: 'facility_review_refused',
    content: {
      company: buyer.company?.legal_name ?? '',
      currency: facility.currency as Currency,
      limitMinor: facility.status === 'ACTIVE' ? facility.total_amount : null,
      expiresAt: isRunning ? facility.expires_at : null,
      ...{ reasons: [], recipient: recipientOf(buyer, to) },
    },
  };
}

/** Null once the order is placed: the buyer has nothing left to choose. */
async function linkTo(
  db: Db,
  { platform_id: platformId, external_id: orderExternalId, status }: OrderRow,
  { baseUrl, now }: { baseUrl: string; now: number },
): Promise<string | null> {
  if (status !== 'DRAFT' || baseUrl === '') return null;
  const { token } = await createLink(db, { platformId, orderExternalId, now });
  return linkUrl(baseUrl, token);
}
