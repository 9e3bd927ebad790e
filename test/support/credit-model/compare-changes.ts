/**
 * Compares everything that a command has changed in the model with the service. Other changes by the service are found when everything is
 * compared.
 */
import {
  compareFacility,
  compareOrder,
  compareOrders,
  compareReviews,
  shownFacility,
  shownOrder,
} from './compare.ts';
import {
  compareInvoice,
  compareInvoices,
  comparePayments,
  shownInvoice,
  shownPayments,
} from './compare-invoices.ts';
import {
  compareBankEntries,
  comparePayouts,
  compareServices,
  shownBankEntries,
  shownPayouts,
  shownServices,
} from './compare-payouts.ts';
import type { Reality } from './reality.ts';
import type { Model } from './state.ts';

/** More changes than this are read as a list. */
const ONE_BY_ONE_MAX = 2;

/** Throws at the first difference. */
export async function compareChanges(model: Model, reality: Reality): Promise<void> {
  const { invoices, reviews } = model;
  if (reality.isChanged('facility', shownFacility(model))) await compareFacility(model, reality);
  await compareChangedOrders(model, reality);
  await compareChangedInvoices(model, reality);
  for (const invoice of invoices) {
    if (reality.isChanged(`payments ${invoice.id}`, shownPayments(model, invoice)))
      await comparePayments(model, invoice, reality);
    if (reality.isChanged(`services ${invoice.id}`, shownServices(model, invoice)))
      await compareServices(model, invoice, reality);
  }
  if (reality.isChanged('payouts', shownPayouts(model))) await comparePayouts(model, reality);
  if (reality.isChanged('bank entries', shownBankEntries(model))) await compareBankEntries(model, reality);
  const shownReviews = reviews.map(({ order: _, ...review }) => review);
  if (reality.isChanged('reviews', shownReviews)) await compareReviews(model, reality);
}

async function compareChangedOrders(model: Model, reality: Reality): Promise<void> {
  const changed = model.orders.filter((order) => reality.isChanged(`order ${order.id}`, shownOrder(order)));
  if (changed.length > ONE_BY_ONE_MAX) return compareOrders(model, reality);
  for (const order of changed) await compareOrder(order, reality);
}

async function compareChangedInvoices(model: Model, reality: Reality): Promise<void> {
  const changed = model.invoices.filter((invoice) =>
    reality.isChanged(`invoice ${invoice.id}`, shownInvoice(invoice)),
  );
  if (changed.length > ONE_BY_ONE_MAX) return compareInvoices(model, reality);
  for (const invoice of changed) await compareInvoice(invoice, reality);
}
