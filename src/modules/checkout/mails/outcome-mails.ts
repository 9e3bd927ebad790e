/** Mails buyers the outcome of orders placed in the checkout. Orders and reviews do not know these mails. */
import type { Db } from '#infra/database/database';
import type { FollowedEvent } from '#infra/database/event-followers.queries';
import type { Log } from '#infra/log';
import type { PlatformVault } from '#infra/secrets/vault';
import type { EventType } from '#kernel/event';
import type { MailKind } from '#kernel/mail-kind';
import type { PaymentTerm } from '#kernel/payment-term';
import { translatorOf } from '#messages';
import { type BuyerOnFile, findBuyerOnFile, isSameEmail } from '#modules/buyers';
import { paymentsOf } from '#modules/facilities';
import { findMerchant, shownName } from '#modules/merchants';
import type {
  MailContents,
  Notified,
  Notifier,
  NotifierContext,
  OrderForMail,
  OrderLink,
  Premise,
} from '#modules/notifications';
import { findOrder, type OrderRow, openOrderEmail } from '#modules/orders';
import { type BuyerReasonCode, textOfReason } from '#modules/underwriting';
import { createLink, linkUrl } from '../links/link.ts';
import { transferDueOf } from '../state/build-view.ts';
import type { TransferDue } from '../state/checkout.view.ts';
import { findRefusal } from '../state/refusal.queries.ts';
import { type ConsentLocale, findConsentLocale } from './outcome-mails.queries.ts';

const MAILED: readonly EventType[] = [
  'ORDER.CONFIRMED',
  'ORDER.PENDING_CONFIRMATION',
  'ORDER.CANCELLED',
  'ORDER.EXPIRED',
];

/** Mails that say what an order waits for. They are wrong as soon as it no longer waits. */
const WAITING: readonly MailKind[] = ['order_pending', 'order_payment_due'];

/** The premise that the order is at this version, which its events call sequence. */
export const orderPremise = (key: string, version: number): Premise => ({ kind: 'order', key, version });

export const orderNotifier: Notifier = { follower: 'order_mails', types: MAILED, notify: notifyOfOutcome };

async function notifyOfOutcome(context: NotifierContext, event: FollowedEvent): Promise<Notified> {
  const { db, reads, platform, vault, log, baseUrl } = context;
  const key = { platformId: platform.platform_id, externalId: event.resource_external_id };
  const changed = orderPremise(key.externalId, event.data.sequence as number);
  const silent = { mails: [], changed };
  // Only for orders that were placed in the checkout: the platform itself writes about others.
  const locale = await findConsentLocale(reads, key);
  if (!locale) return silent;
  const order = await findOrder(reads, key);
  if (!order) return silent;
  const to = addressOf(vault, order, log);
  if (to === null) return silent;
  const facts: OutcomeFacts = {
    locale,
    orderForMail: await readOrderForMail(reads, vault, order, to),
    reasons: await readReasons(reads, order),
    due: transferDueOf(vault, order, platform),
    link: await linkTo(db, order, { baseUrl, now: event.occurred_at }),
  };
  const mail = mailOf(event, order, facts);
  if (mail === null) return silent;
  const cause = `order/${order.external_id}/${event.event_id}`;
  const premises = WAITING.some((kind) => kind === mail.kind) ? [changed] : [];
  return {
    mails: [{ cause, to, buyer: order.buyer_external_id, premises, ...locale, ...mail }],
    changed,
  };
}

interface OutcomeFacts {
  locale: ConsentLocale;
  orderForMail: OrderForMail;
  reasons: BuyerReasonCode[];
  due: TransferDue | null;
  link: OrderLink | null;
}

type OrderMail = {
  [Kind in MailKind & `order_${string}`]: { kind: Kind; content: MailContents[Kind] };
}[MailKind & `order_${string}`];

/** Null if there is nothing to report. */
function mailOf(
  { type, data }: FollowedEvent,
  order: OrderRow,
  { locale, orderForMail, reasons, due, link }: OutcomeFacts,
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
      if (data.previous_status !== 'CONFIRMED') return { kind: 'order_expired', content: orderForMail };
      // An order on credit expires because the merchant never invoiced it: the merchant has to explain that.
      return order.payment_term === 'PREPAYMENT' ? { kind: 'order_unpaid', content: orderForMail } : null;
    default: {
      if (order.cancellation_reason !== 'RISK' || company === null)
        return { kind: 'order_cancelled', content: orderForMail };
      const translator = translatorOf(locale.language, locale.formality);
      const reasonTexts = reasons.map((code) => textOfReason(code, translator));
      return { kind: 'order_refused', content: { ...orderForMail, company, reasons: reasonTexts } };
    }
  }
}

/** Null without an address, and if the address cannot be decrypted: that must not delay other mails. */
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

/** The reasons for which the order was refused; none for any other order. */
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

/** The name of the contact with this address; null if no contact has it. */
export function recipientOf({ person }: BuyerOnFile, to: string | null): string | null {
  if (person === null || !isSameEmail(person.email, to)) return null;
  return [person.first_name, person.last_name].filter((name) => name).join(' ') || null;
}
