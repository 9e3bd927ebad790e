/**
 * Mails buyers the outcome of orders placed in the checkout. It follows the event stream, because orders and reviews know
 * nothing of mails. The position in the stream is saved in the transaction that queues the mails, so that each event is
 * mailed once.
 */
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import type { Log } from '#infra/log';
import type { Vault } from '#infra/secrets/vault';
import type { EventType } from '#kernel/event';
import type { PaymentTerm } from '#kernel/payment-term';
import { translatorOf } from '#messages';
import { findMerchant, shownName } from '#modules/merchants';
import { composeMail, insertMails, type NewMailRow, type OrderForMail } from '#modules/notifications';
import { findOrder, type OrderRow, openOrderEmail } from '#modules/orders';
import { findPlatform, type PlatformRow } from '#modules/platforms';
import { type BuyerReasonCode, textOfReason } from '#modules/underwriting';
import { findRefusal } from '../state/refusal.queries.ts';
import {
  findNextPosition,
  findOutcomes,
  findPlatformsToMail,
  lockMailedPosition,
  type OrderOutcome,
  writeMailedPosition,
} from './outcome-mails.queries.ts';

export interface OutcomeMailDeps {
  /** The database, not a transaction. */
  db: Db;
  vault: Vault;
  log: Log;
  /** The address of the service, without a trailing slash; empty until it listens. */
  baseUrl(): string;
}

const MAILED: readonly EventType[] = [
  'ORDER.CONFIRMED',
  'ORDER.PENDING_CONFIRMATION',
  'ORDER.CANCELLED',
  'ORDER.EXPIRED',
];
const EVENTS_MAX = 500;

/** Queues the mails for all events so far, on every platform. Returns the number of mails. */
export async function queueOutcomeMails(deps: OutcomeMailDeps): Promise<number> {
  let queued = 0;
  for (const platformId of await findPlatformsToMail(deps.db)) {
    for (;;) {
      const batch = await inTransaction(deps.db, (db) => queueNext({ ...deps, db }, platformId));
      if (batch === null) break;
      queued += batch;
    }
  }
  return queued;
}

/** Queues the mails for the next events. Null where there are none, or another process queues them. */
async function queueNext(deps: OutcomeMailDeps, platformId: number): Promise<number | null> {
  const { db } = deps;
  const after = await lockMailedPosition(db, platformId);
  if (after === undefined) return null;
  const upTo = await findNextPosition(db, platformId, { after, eventsMax: EVENTS_MAX });
  if (upTo === undefined) return null;
  const platform = (await findPlatform(db, platformId)) as PlatformRow;
  const mails: NewMailRow[] = [];
  for (const outcome of await findOutcomes(db, platformId, { after, upTo, types: MAILED })) {
    const order = await findOrder(db, { platformId, externalId: outcome.order_external_id });
    if (!order) continue;
    const contents = { ...(await readOrderForMail(db, order)), reasons: await readReasons(db, order) };
    mails.push(...(await compose(deps, platform, outcome, order, contents)));
  }
  const written = mails.length === 0 ? [] : await insertMails(db, mails);
  await writeMailedPosition(db, platformId, upTo);
  return written.filter(Boolean).length;
}

/** Nothing where there is nobody or nothing to tell, or the mail cannot be composed: that must not delay later mails. */
async function compose(
  { vault, log, baseUrl }: OutcomeMailDeps,
  platform: PlatformRow,
  outcome: OrderOutcome,
  order: OrderRow,
  { reasons, ...orderForMail }: OrderForMail & { reasons: BuyerReasonCode[] },
): Promise<NewMailRow[]> {
  const { platform_id, code, data_key_wrapped } = platform;
  try {
    const to = openOrderEmail(vault.forPlatform(code, data_key_wrapped), order);
    if (to === null) return [];
    const shared = {
      platformId: platform_id,
      cause: `order/${order.external_id}/${outcome.event_id}`,
      to,
      language: outcome.language,
      formality: outcome.formality,
      now: outcome.occurred_at,
      baseUrl: baseUrl() || null,
    };
    switch (outcome.type) {
      case 'ORDER.CONFIRMED':
        return await composeMail(vault, platform, {
          ...shared,
          kind: 'order_confirmed',
          content: { ...orderForMail, ...termOf(order) },
        });
      case 'ORDER.PENDING_CONFIRMATION':
        return await composeMail(vault, platform, {
          ...shared,
          kind: 'order_pending',
          content: orderForMail,
        });
      case 'ORDER.EXPIRED':
        // A confirmed order expires because the merchant never invoiced it: that is for the merchant to explain.
        return outcome.previous_status === 'PENDING_CONFIRMATION'
          ? await composeMail(vault, platform, { ...shared, kind: 'order_expired', content: orderForMail })
          : [];
      default:
        return await composeMail(vault, platform, {
          ...shared,
          ...(order.cancellation_reason === 'RISK' && orderForMail.company !== null
            ? {
                kind: 'order_refused',
                content: {
                  ...orderForMail,
                  company: orderForMail.company,
                  reasons: reasons.map((code) =>
                    textOfReason(code, translatorOf(outcome.language, outcome.formality)),
                  ),
                },
              }
            : { kind: 'order_cancelled', content: orderForMail }),
        });
    }
  } catch (error) {
    log.error(
      { err: error as Error, platform_id, order_external_id: order.external_id },
      'outcome not mailed',
    );
    return [];
  }
}

/** Why the order was refused; none for any other order. */
async function readReasons(db: Db, order: OrderRow): Promise<BuyerReasonCode[]> {
  if (order.cancellation_reason !== 'RISK' || order.decision_id === null) return [];
  const refusal = await findRefusal(db, order.platform_id, order.decision_id);
  return refusal?.reasons ?? [];
}

function termOf({ payment_term, term_offer }: OrderRow) {
  const offer = term_offer;
  return {
    paymentTerm: payment_term as PaymentTerm,
    feeMinor: offer?.fee.gross ?? 0,
    instalments: (offer?.installments ?? []).map(({ due_at, amount }) => ({
      dueAt: due_at,
      amountMinor: amount.value,
    })),
  };
}

/** The order as mails present it. */
export async function readOrderForMail(db: Db, order: OrderRow): Promise<OrderForMail> {
  const { platform_id: platformId, merchant_external_id: externalId } = order;
  const merchant = await findMerchant(db, { platformId, externalId });
  return {
    number: order.external_id,
    merchant: merchant ? shownName(merchant) : externalId,
    grossMinor: order.amount_gross,
    currency: order.currency,
    company: order.buyer_legal_name,
    comment: order.comment,
  };
}
