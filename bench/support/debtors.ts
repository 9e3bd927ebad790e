/** The orders of invented buyers, and the outcome of their invoices: paid, paid late, or written off. */
import type { Db } from '#infra/database/database';
import { DAY_SECONDS, dayOf, monthsLater } from '#kernel/day';
import type { NewEntry, recordDefaultChanges, recordDefaults, recordPaidInvoices } from '#modules/facilities';
import type { DecisionRow } from '#modules/underwriting';
import { type Chance, daysLateOf, endOfDefault, type Life, ordersOf } from './invented-lives.ts';

const TERM_DAYS = 30;
/** Like the limit policy, refuses orders while an invoice is this many days overdue. */
const STOP_DAYS = 30;
const DEFAULT_DAYS = 91;

export interface Invoice {
  id: string;
  amountMinor: number;
  dueAt: number;
}

/** The state of a buyer at an instant of the past. */
export interface Debtor extends Life {
  limitMinor: number;
  /** The end of the limit without another acceptance. */
  limitEndsAt: number;
  usedMinor: number;
  unpaid: Set<Invoice>;
  /** Future events of its invoices, in any order. */
  coming: { at: number; happen: (writes: Writes) => void }[];
}

type Facts<F extends (db: Db, platformId: number, facts: never) => unknown> = Parameters<F>[2][number][];

export interface Writes {
  decisions: DecisionRow[];
  entries: NewEntry[];
  paid: Facts<typeof recordPaidInvoices>;
  defaults: Facts<typeof recordDefaults>;
  changes: Facts<typeof recordDefaultChanges>;
}

export const nothing = (): Writes => ({ decisions: [], entries: [], paid: [], defaults: [], changes: [] });

/** Orders and payments of one month. */
export function liveOn(
  chance: Chance,
  debtor: Debtor,
  platformId: number,
  month: number,
  from: number,
  writes: Writes,
): void {
  const until = monthsLater(from, 1);
  const age = month - debtor.begins;
  const orders = age < 0 ? [] : ordersOf(chance, debtor, age);
  orders.forEach((share, nth) => {
    const at = from + (debtor.day + 1 + nth) * DAY_SECONDS;
    debtor.coming.push({
      at,
      happen: (into) => order(chance, debtor, platformId, { at, share, age, id: `i-${month}-${nth}` }, into),
    });
  });
  for (;;) {
    const next = debtor.coming.filter(({ at }) => at < until).sort((a, b) => a.at - b.at)[0];
    if (!next) return;
    debtor.coming.splice(debtor.coming.indexOf(next), 1);
    next.happen(writes);
  }
}

/** Places an order if the limit allows it, and plans the outcome of its invoice. */
function order(
  chance: Chance,
  debtor: Debtor,
  platformId: number,
  { at, share, age, id }: { at: number; share: number; age: number; id: string },
  writes: Writes,
): void {
  const amountMinor = Math.floor(debtor.limitMinor * share);
  const isStopped = [...debtor.unpaid].some(({ dueAt }) => at - dueAt > STOP_DAYS * DAY_SECONDS);
  if (
    isStopped ||
    at >= debtor.limitEndsAt ||
    amountMinor < 1 ||
    debtor.usedMinor + amountMinor > debtor.limitMinor
  )
    return;
  const invoice: Invoice = { id, amountMinor, dueAt: at + TERM_DAYS * DAY_SECONDS };
  debtor.usedMinor += amountMinor;
  debtor.unpaid.add(invoice);
  writes.entries.push(
    entry(platformId, debtor, {
      cause: 'INVOICE_FINANCED',
      usedChange: amountMinor,
      tolerancePercent: 0,
      invoiceExternalId: `${debtor.buyerExternalId}-${id}`,
      at,
    }),
  );
  const daysLate = daysLateOf(chance, debtor, age);
  if (daysLate === null || daysLate >= DEFAULT_DAYS) planDefault(chance, debtor, invoice, daysLate);
  if (daysLate !== null) planPayment(debtor, platformId, invoice, daysLate);
}

const dayAfter = ({ dueAt }: Invoice, days: number) => dueAt + days * DAY_SECONDS;
const factOf = ({ buyerExternalId }: Debtor, { id }: Invoice, at: number) => ({
  buyerExternalId,
  invoiceExternalId: `${buyerExternalId}-${id}`,
  at,
});

function planPayment(debtor: Debtor, platformId: number, invoice: Invoice, daysLate: number): void {
  const at = dayAfter(invoice, daysLate);
  const { amountMinor } = invoice;
  debtor.coming.push({
    at,
    happen: ({ entries, paid, changes }) => {
      debtor.usedMinor -= amountMinor;
      debtor.unpaid.delete(invoice);
      const fact = factOf(debtor, invoice, at);
      const { invoiceExternalId } = fact;
      entries.push(
        entry(platformId, debtor, {
          cause: 'INVOICE_PAID',
          paymentId: 'p',
          usedChange: -amountMinor,
          invoiceExternalId,
          at,
        }),
      );
      paid.push({
        ...fact,
        paymentId: 'p',
        dueOn: dayOf(invoice.dueAt),
        paidOn: dayOf(at),
        currency: 'EUR',
        amountMinor,
      });
      if (daysLate >= DEFAULT_DAYS)
        changes.push({ ...fact, sourceId: 'p', kind: 'PAID', changedOn: dayOf(at), amountMinor });
    },
  });
}

/** Plans the default and, if the invoice is never paid, its write-off and recovery. The credit stays used. */
function planDefault(chance: Chance, debtor: Debtor, invoice: Invoice, daysLate: number | null): void {
  const at = dayAfter(invoice, DEFAULT_DAYS);
  const { amountMinor } = invoice;
  debtor.coming.push({
    at,
    happen: ({ defaults }) =>
      defaults.push({ ...factOf(debtor, invoice, at), defaultedOn: dayOf(at), currency: 'EUR', amountMinor }),
  });
  if (daysLate !== null) return;
  const end = endOfDefault(chance, amountMinor);
  for (const [kind, { minor, days }] of [
    ['PAID', end.paid],
    ['WRITTEN_OFF', end.writtenOff],
    ['RECOVERED', end.recovered],
  ] as const) {
    const changedAt = dayAfter(invoice, days);
    if (minor > 0)
      debtor.coming.push({
        at: changedAt,
        happen: ({ changes }) =>
          changes.push({
            ...factOf(debtor, invoice, changedAt),
            ...{ sourceId: kind, kind, changedOn: dayOf(changedAt), amountMinor: minor },
          }),
      });
  }
}

export function entry(
  platformId: number,
  { buyerExternalId }: Debtor,
  more: Partial<NewEntry> & Pick<NewEntry, 'cause' | 'at'>,
): NewEntry {
  return { platformId, buyerExternalId, actor: 'bench', ...more };
}
