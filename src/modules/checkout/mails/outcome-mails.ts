/**
 * Mails buyers the outcome of orders placed in the checkout. It follows the event stream, because orders and reviews know
 * nothing of mails. The position in the stream is saved in the transaction that queues the mails, so that each event is
 * mailed once.
 */
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import type { Log } from '#infra/log';
import type { PlatformVault, Vault } from '#infra/secrets/vault';
import type { EventType } from '#kernel/event';
import type { PaymentTerm } from '#kernel/payment-term';
import { translatorOf } from '#messages';
import { type BuyerOnFile, findBuyerOnFile, isSameEmail } from '#modules/buyers';
import { paymentsOf } from '#modules/facilities';
import { findMerchant, shownName } from '#modules/merchants';
import {
  composeMail,
  insertMails,
  type MailContents,
  type MailKind,
  type NewMailRow,
  type OrderForMail,
  type OrderLink,
} from '#modules/notifications';
import { findOrder, type OrderRow, openOrderEmail } from '#modules/orders';
import { findPlatform, type PlatformRow } from '#modules/platforms';
import { type BuyerReasonCode, textOfReason } from '#modules/underwriting';
import { createLink, linkUrl } from '../links/link.ts';
import { transferDueOf } from '../state/build-view.ts';
import type { TransferDue } from '../state/checkout.view.ts';
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
      const batch = await inTransaction(deps.db, (db) =>
        queueNext({ ...deps, db, reads: deps.db }, platformId),
      );
      if (batch === null) break;
      queued += batch;
    }
  }
  return queued;
}

interface Queueing extends OutcomeMailDeps {
  /** The transaction. */
  db: Db;
  /** Outside the transaction, where the reads of many mails share statements. */
  reads: Db;
}

/** Queues the mails for the next events. Null where there are none, or another process queues them. */
async function queueNext(deps: Queueing, platformId: number): Promise<number | null> {
  const { db } = deps;
  const after = await lockMailedPosition(db, platformId);
  if (after === undefined) return null;
  const upTo = await findNextPosition(db, platformId, { after, eventsMax: EVENTS_MAX });
  if (upTo === undefined) return null;
  const platform = (await findPlatform(db, platformId)) as PlatformRow;
  const outcomes = await findOutcomes(db, platformId, { after, upTo, types: MAILED });
  const mails = (await Promise.all(outcomes.map((outcome) => compose(deps, platform, outcome)))).flat();
  const written = mails.length === 0 ? [] : await insertMails(db, mails);
  await writeMailedPosition(db, platformId, upTo);
  return written.filter(Boolean).length;
}

/** Nothing where there is nobody or nothing to tell, or the mail cannot be composed: that must not delay later mails. */
async function compose(
  { db, reads, vault, log, baseUrl }: Queueing,
  platform: PlatformRow,
  outcome: OrderOutcome,
): Promise<NewMailRow[]> {
  const { platform_id, code, data_key_wrapped } = platform;
  const order = await findOrder(reads, { platformId: platform_id, externalId: outcome.order_external_id });
  if (!order) return [];
  const platformVault = vault.forPlatform(code, data_key_wrapped);
  const to = addressOf(platformVault, order, log);
  if (to === null) return [];
  const facts: OutcomeFacts = {
    orderForMail: await readOrderForMail(reads, platformVault, order, to),
    reasons: await readReasons(reads, order),
    due: transferDueOf(platformVault, order, platform),
    link: await linkTo(db, order, { baseUrl: baseUrl(), now: outcome.occurred_at }),
  };
  const mail = mailOf(outcome, order, facts);
  if (mail === null) return [];
  try {
    return await composeMail(vault, platform, {
      cause: `order/${order.external_id}/${outcome.event_id}`,
      to,
      language: outcome.language,
      formality: outcome.formality,
      now: outcome.occurred_at,
      baseUrl: baseUrl() || null,
      ...mail,
    });
  } catch (error) {
    log.error(
      { err: error as Error, platform_id, order_external_id: order.external_id },
      'outcome not mailed',
    );
    return [];
  }
}

interface OutcomeFacts {
  orderForMail: OrderForMail;
  reasons: BuyerReasonCode[];
  due: TransferDue | null;
  link: OrderLink | null;
}

type OrderMail = {
  [Kind in MailKind & `order_${string}`]: { kind: Kind; content: MailContents[Kind] };
}[MailKind & `order_${string}`];

/** Null where there is nothing to tell. */
function mailOf(
  { type, previous_status, language, formality }: OrderOutcome,
  order: OrderRow,
  { orderForMail, reasons, due, link }: OutcomeFacts,
): OrderMail | null {
  const { company } = orderForMail;
  switch (type) {
    case 'ORDER.CONFIRMED':
      return due === null
        ? { kind: 'order_confirmed', content: { ...orderForMail, ...termOf(order), link } }
        : { kind: 'order_payment_due', content: { ...orderForMail, ...due, dueAt: due.due_at, link } };
    case 'ORDER.PENDING_CONFIRMATION':
      return { kind: 'order_pending', content: { ...orderForMail, link } };
    case 'ORDER.EXPIRED':
      if (previous_status !== 'CONFIRMED') return { kind: 'order_expired', content: orderForMail };
      // An order on credit expires because the merchant never invoiced it: that is for the merchant to explain.
      return order.payment_term === 'PREPAYMENT' ? { kind: 'order_unpaid', content: orderForMail } : null;
    default: {
      if (order.cancellation_reason !== 'RISK' || company === null)
        return { kind: 'order_cancelled', content: orderForMail };
      const translator = translatorOf(language, formality);
      const reasonTexts = reasons.map((code) => textOfReason(code, translator));
      return { kind: 'order_refused', content: { ...orderForMail, company, reasons: reasonTexts } };
    }
  }
}

/** Null without an address, and where it cannot be opened: that must not delay other mails. */
function addressOf(vault: PlatformVault, order: OrderRow, log: Log): string | null {
  try {
    return openOrderEmail(vault, order);
  } catch (error) {
    const { platform_id, external_id: order_external_id } = order;
    log.error({ err: error as Error, platform_id, order_external_id }, 'outcome not mailed');
    return null;
  }
}

/** A link to the order, for the person who placed it; null until the service has an address. */
async function linkTo(
  db: Db,
  { platform_id: platformId, external_id: orderExternalId, status }: OrderRow,
  { baseUrl, now }: { baseUrl: string; now: number },
): Promise<OrderLink | null> {
  if (baseUrl === '' || (status !== 'CONFIRMED' && status !== 'PENDING_CONFIRMATION')) return null;
  const { token, expiresAt } = await createLink(db, { platformId, orderExternalId, now });
  return { url: linkUrl(baseUrl, token), expiresAt };
}

/** Why the order was refused; none for any other order. */
async function readReasons(db: Db, order: OrderRow): Promise<BuyerReasonCode[]> {
  if (order.cancellation_reason !== 'RISK' || order.decision_id === null) return [];
  const refusal = await findRefusal(db, order.platform_id, order.decision_id);
  return refusal?.reasons ?? [];
}

function termOf({ payment_term, term_offer }: OrderRow) {
  return {
    paymentTerm: payment_term as PaymentTerm,
    feeMinor: term_offer?.fee.gross ?? 0,
    payments: term_offer ? paymentsOf(term_offer) : [],
  };
}

/** The order as mails present it. */
export async function readOrderForMail(
  db: Db,
  vault: PlatformVault,
  order: OrderRow,
  to: string | null,
): Promise<OrderForMail> {
  const { platform_id: platformId, merchant_external_id: externalId, buyer_external_id } = order;
  const [merchant, buyer] = await Promise.all([
    findMerchant(db, { platformId, externalId }),
    findBuyerOnFile(
      db,
      vault,
      { platformId, externalId: buyer_external_id },
      { email: to, givenAt: order.created_at, isFromMerchant: order.is_email_from_merchant },
    ),
  ]);
  return {
    ...contentOf(order),
    recipient: buyer ? recipientOf(buyer, to) : null,
    merchant: merchant ? shownName(merchant) : externalId,
    company: order.buyer_legal_name,
  };
}

/** What mails show of the order's own row. */
export function contentOf(
  order: OrderRow,
): Pick<OrderForMail, 'number' | 'grossMinor' | 'currency' | 'comment' | 'lines'> {
  return {
    number: order.external_id,
    grossMinor: order.amount_gross,
    currency: order.currency,
    comment: order.comment,
    lines: order.line_items.map(({ name, quantity, price }) => ({ name, quantity, priceMinor: price })),
  };
}

/** The name of the contact with this address; null where nobody is known by it. */
function recipientOf({ person }: BuyerOnFile, to: string | null): string | null {
  if (person === null || !isSameEmail(person.email, to)) return null;
  return [person.first_name, person.last_name].filter((name) => name).join(' ') || null;
}
