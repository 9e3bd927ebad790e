/** Reserves and releases credit of buyers' facilities for orders. */
import type { Currency } from '#kernel/currency';
import type { Problem } from '#kernel/problem';
import {
  creditRefusal,
  exceeded,
  type NewEntry,
  type PostedEntry,
  postEntries,
  postEntry,
  type Standing,
} from '#modules/facilities';
import type { ChangeContext } from '#operation/operation';
import type { NewOrder, OrderRow } from './order.queries.ts';

type Reserving = Pick<NewOrder, 'platform_id' | 'external_id' | 'buyer_external_id' | 'currency'>;

/** The ledger entry that reserves an amount (minor units) for an order, within the standing's limit policy. */
export function reservationOf(
  order: Reserving,
  amountMinor: number,
  standing: Standing,
  { actor, now }: Pick<ChangeContext, 'actor' | 'now'>,
): NewEntry {
  return {
    platformId: order.platform_id,
    buyerExternalId: order.buyer_external_id,
    cause: 'ORDER_RESERVED',
    pendingOrdersChange: amountMinor,
    tolerancePercent: standing.limitPolicy.tolerancePercent,
    orderExternalId: order.external_id,
    actor,
    at: now,
  };
}

/**
 * Returns null if the entry was posted, else the problem: another order reserved the available amount first, or the
 * facility was frozen or expired.
 */
export function reservationRefusal(
  posted: PostedEntry | undefined,
  requested: { amountMinor: number; currency: Currency },
  standing: Standing,
  now: number,
): Problem | null {
  if (posted?.isPosted) return null;
  const facility = posted?.facility ?? null;
  const purchase = { grossMinor: requested.amountMinor, currency: requested.currency };
  const problem = creditRefusal({ ...standing, facility }, purchase, now);
  return problem ?? exceeded(facility as PostedEntry['facility'], requested.amountMinor);
}

/** Reserves an amount (minor units) for an order. Throws the refusal before anything is written. */
export async function reserve(
  context: ChangeContext,
  order: Reserving,
  amountMinor: number,
  standing: Standing,
): Promise<void> {
  if (amountMinor === 0) return;
  const [posted] = await postEntries(context.db, [reservationOf(order, amountMinor, standing, context)]);
  const { currency } = order;
  const problem = reservationRefusal(posted, { amountMinor, currency }, standing, context.now);
  if (problem) throw problem;
}

/** Releases the full reservation of the order. */
export async function releaseReservation({ db, actor, now }: ChangeContext, order: OrderRow): Promise<void> {
  if (order.reserved_amount === 0) return;
  await postEntry(db, {
    platformId: order.platform_id,
    buyerExternalId: order.buyer_external_id,
    cause: 'ORDER_FREED',
    pendingOrdersChange: -order.reserved_amount,
    orderExternalId: order.external_id,
    actor,
    at: now,
  });
}
