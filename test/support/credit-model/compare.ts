/** Compares the model with the service. Each function throws at the first difference, with both values. */
import { deepStrictEqual } from 'node:assert';
import { listReviews } from '#modules/reviews';
import { compareInvoices } from './compare-invoices.ts';
import { compareBankEntries, comparePayouts } from './compare-payouts.ts';
import { availableOf, pendingOf, usedOf } from './credit.ts';
import { creditUsedOf } from './owed.ts';
import type { Reality, Reply } from './reality.ts';
import { type Answer, BUYER, type Model, type Order, undecided } from './state.ts';

const ids = new Intl.Collator('en');

export function compareAnswer(expected: Answer, { status, body }: Reply): void {
  const reason = expected.reason !== undefined || status >= 400 ? { reason: body?.reason } : {};
  const allowed = expected.allowed && { allowed: [...(body?.details?.allowed ?? [])].sort(ids.compare) };
  const available = expected.available !== undefined && { available: body?.details?.available };
  const said = { status, ...reason, ...allowed, ...available };
  const foretold = {
    ...expected,
    ...(expected.status >= 400 && { reason: expected.reason }),
    ...(expected.allowed && { allowed: [...expected.allowed].sort(ids.compare) }),
  };
  deepStrictEqual(said, foretold, `answered ${JSON.stringify(body)}`);
}

export const shownFacility = (model: Model) => {
  const { facility } = model;
  return (
    facility && {
      status: facility.status,
      total_amount: facility.total,
      used_amount: usedOf(model),
      pending_orders_amount: pendingOf(model),
      available_amount: facility.status === 'FROZEN' ? 0 : availableOf(model, facility),
      expires_at: facility.expiresAt,
      frozen_at: facility.frozenAt,
      pending_actions: [...facility.actions.keys()].sort(),
    }
  );
};

export async function compareFacility(model: Model, reality: Reality): Promise<void> {
  const shown = shownFacility(model);
  const { status, body } = await reality.get(`/v1/buyers/${BUYER}/facility`);
  if (!shown) return deepStrictEqual(status, 404);
  const { total_amount, used_amount, pending_orders_amount, available_amount, expires_at, frozen_at } = body;
  const amounts = { total_amount, used_amount, pending_orders_amount, available_amount };
  const pending_actions = body.pending_actions.map(({ type }: { type: string }) => type).sort();
  deepStrictEqual({ status: body.status, ...amounts, expires_at, frozen_at, pending_actions }, shown);
}

export const shownOrder = (order: Order) => ({
  external_id: order.id,
  status: order.status,
  gross: order.gross,
  reserved: order.reserved,
  invoiced: order.invoiced,
  is_closed_short: order.isClosedShort,
  expires_at: order.expiresAt,
  paid_at: order.paidAt,
});

// biome-ignore lint/suspicious/noExplicitAny: an order as the service shows it.
const seenOrder = (order: any) => ({
  external_id: order.external_id,
  status: order.status,
  gross: order.amount.gross,
  reserved: order.reserved_amount,
  invoiced: order.invoiced_amount,
  is_closed_short: order.is_closed_short,
  expires_at: order.expires_at,
  paid_at: order.paid_at,
});

export async function compareOrder(order: Order, reality: Reality): Promise<void> {
  const { body } = await reality.get(`/v1/orders/${order.id}`);
  deepStrictEqual(seenOrder(body), shownOrder(order));
}

/** Compares all orders. */
export async function compareOrders(model: Model, reality: Reality): Promise<void> {
  const orders = await readAll(reality, '/v1/orders');
  const inOrder = (list: { external_id: string }[]) =>
    list.sort((one, other) => ids.compare(one.external_id, other.external_id));
  deepStrictEqual(inOrder(orders.map(seenOrder)), inOrder(model.orders.map(shownOrder)));
}

/** Compares everything: the facility, orders, invoices, payouts, undecided reviews, and the credit ledger to the cent. */
export async function compareAll(model: Model, reality: Reality): Promise<void> {
  await compareFacility(model, reality);
  await compareOrders(model, reality);
  await compareInvoices(model, reality);
  await comparePayouts(model, reality);
  await compareBankEntries(model, reality);
  await compareReviews(model, reality);
  if (model.facility) await compareLedger(model, reality);
}

/** Compares the list of reviews. New ones get the model's numbers, in the order of opening. */
export async function compareReviews(model: Model, reality: Reality): Promise<void> {
  const { body } = await reality.operate(listReviews, 'anna', model.now, { query: { limit: 100 } });
  const seen: Seen[] = body.items.map(seenReview);
  const known = new Set(reality.reviewIds.values());
  const unknown = seen.filter(({ id }) => !known.has(id)).sort((one, other) => one.openedAt - other.openedAt);
  for (const each of model.reviews) {
    if (reality.reviewIds.has(each.number)) continue;
    const at = unknown.findIndex(
      ({ about, order }) => about === each.about && order === (each.order?.id ?? null),
    );
    const [found] = at < 0 ? [] : unknown.splice(at, 1);
    if (!found) throw new Error(`No review of ${each.about} was opened.`);
    reality.reviewIds.set(each.number, found.id);
  }
  deepStrictEqual(unknown, [], 'an unexpected review was opened');
  const byId = (one: { id: string }, other: { id: string }) => ids.compare(one.id, other.id);
  const waiting = seen.filter(({ status }) => status === 'OPEN' || status === 'AWAITING_APPROVAL');
  deepStrictEqual(
    waiting.map(({ openedAt: _, ...each }) => each).sort(byId),
    undecided(model)
      .map((each) => ({
        id: reality.reviewIds.get(each.number) as string,
        about: each.about,
        order: each.order?.id ?? null,
        status: each.status,
        requested: each.requested,
        proposed: each.proposed,
        scriptedAt: each.scripted?.at ?? null,
      }))
      .sort(byId),
  );
}

interface Seen {
  id: string;
  about: string;
  order: string | null;
  status: string;
  openedAt: number;
}

// biome-ignore lint/suspicious/noExplicitAny: a case as the service shows it.
const seenReview = (item: any) => ({
  id: item.review_id,
  about: String(item.subject).replace('FACILITY_', ''),
  order: item.order_external_id,
  status: item.status,
  requested: item.requested_amount,
  proposed: item.override_amount,
  scriptedAt: item.scripted_at,
  openedAt: item.opened_at,
});

const AMOUNTS = ['total', 'used', 'pending_orders', 'available'] as const;

/**
 * Checks that each entry continues the previous one, that the last equals the facility, and that entries sum to the amounts of orders and
 * invoices.
 */
async function compareLedger(model: Model, reality: Reality): Promise<void> {
  const { facility, orders, invoices } = model;
  const entries = (await readAll(reality, `/v1/buyers/${BUYER}/facility/ledger`)).reverse();
  const sums = { total: 0, used: 0, pending_orders: 0, available: 0 };
  const reserved = new Map<string, number>();
  const used = new Map<string, number>();
  for (const [index, entry] of entries.entries()) {
    deepStrictEqual(entry.entry, index + 1);
    for (const name of AMOUNTS) {
      sums[name] += entry[`${name}_change`];
      deepStrictEqual(entry[`${name}_amount`], sums[name], `${name} of entry ${entry.entry}`);
    }
    const { order_external_id: order, invoice_external_id: invoice } = entry;
    if (order !== null) reserved.set(order, (reserved.get(order) ?? 0) + entry.pending_orders_change);
    if (invoice !== null) used.set(invoice, (used.get(invoice) ?? 0) + entry.used_change);
  }
  if (!facility) return;
  deepStrictEqual(sums, {
    ...{ total: facility.total, used: usedOf(model), pending_orders: pendingOf(model) },
    available: availableOf(model, facility),
  });
  for (const order of orders)
    deepStrictEqual(reserved.get(order.id) ?? 0, order.reserved, `what the ledger reserves for ${order.id}`);
  for (const invoice of invoices)
    deepStrictEqual(
      used.get(invoice.id) ?? 0,
      creditUsedOf(invoice),
      `what the ledger uses for ${invoice.id}`,
    );
}

// biome-ignore lint/suspicious/noExplicitAny: items of any list.
export async function readAll(reality: Reality, path: string): Promise<any[]> {
  // biome-ignore lint/suspicious/noExplicitAny: the same.
  const items: any[] = [];
  for (let total = 1; items.length < total; ) {
    const { body } = await reality.get(`${path}?limit=100&offset=${items.length}`);
    items.push(...body.items);
    total = body.items.length === 0 ? 0 : body.total;
  }
  return items;
}
