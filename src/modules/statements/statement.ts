/** What a buyer owes over a period, by currency. */
import { inSnapshot } from '#infra/database/transaction';
import type { Currency } from '#kernel/currency';
import { dayLater } from '#kernel/day';
import { calendarDaysBetween, endOfLocalDay, localDayOf } from '#kernel/local-day';
import { type Issue, invalidRequest } from '#kernel/problem';
import { disputedAt } from '#modules/disputes';
import {
  listOwedBalances,
  listOwedEntries,
  listUnappliedCash,
  type OwedBalance,
  type OwedEntryRow,
  type OwedPeriod,
  type OwedScope,
} from '#modules/invoices';
import type { Context } from '#operation/operation';
import type { BuyerStatement, StatementAccount, StatementEntry } from './statement.schemas.ts';

/** A longer document is of no use to its reader, and the response takes long. */
export const STATEMENT_ENTRIES_MAX = 2_000;

type StatementContext = Pick<Context, 'db' | 'platformId' | 'timeZone'> & {
  caller: Pick<Context['caller'], 'merchantExternalId'>;
};

/** The requested period. Throws BAD_REQUEST for a period in the future, or one that ends before it begins. */
export function periodOf(
  { now, timeZone }: Pick<Context, 'now' | 'timeZone'>,
  query: { from?: number; at?: number },
): { from: number; at: number } {
  const { at = now } = query;
  const firstOfMonth = `${localDayOf(at, timeZone).slice(0, 8)}01`;
  const from = query.from ?? endOfLocalDay(dayLater(firstOfMonth, -1), timeZone);
  if (at > now) throw badPeriod('IN_THE_FUTURE', 'at', "must not be later than the platform's clock");
  if (from > at) throw badPeriod('INVALID_VALUE', 'from', 'must not be later than `at`');
  return { from, at };
}

function badPeriod(code: Issue['code'], field: string, message: string) {
  return invalidRequest([{ code, path: `query.${field}`, message }]);
}

/**
 * The statement of an existing buyer, read from one snapshot of the database, so that it adds up. A key that is restricted to a
 * merchant sees only that merchant's invoices. Throws BAD_REQUEST for more than 2,000 entries.
 */
export function statementOf(
  context: StatementContext,
  buyerExternalId: string,
  period: OwedPeriod,
): Promise<BuyerStatement> {
  return inSnapshot(context.db, (db) => readStatement({ ...context, db }, buyerExternalId, period));
}

async function readStatement(
  context: StatementContext,
  buyerExternalId: string,
  { from, at }: OwedPeriod,
): Promise<BuyerStatement> {
  const { db, platformId, caller, timeZone } = context;
  const { merchantExternalId } = caller;
  const scope: OwedScope = { buyerExternalId, merchantExternalId, invoiceExternalId: null };
  const [before, entries, open, unapplied] = await Promise.all([
    listOwedBalances(db, platformId, scope, from - 1),
    listOwedEntries(db, platformId, scope, { from, until: at, countMax: STATEMENT_ENTRIES_MAX + 1 }),
    listOwedBalances(db, platformId, scope, at),
    merchantExternalId === null ? listUnappliedCash(db, platformId, buyerExternalId, at) : null,
  ]);
  if (entries.length > STATEMENT_ENTRIES_MAX)
    throw badPeriod(
      'TOO_SMALL',
      'from',
      `spans more than ${STATEMENT_ENTRIES_MAX} entries: choose a later one`,
    );
  const disputed = await disputedAt(
    db,
    platformId,
    open.map(({ invoice_external_id: id }) => id),
    at,
  );
  const owedIn = [...before, ...entries, ...open].map(({ currency }) => currency);
  const currencies = [...new Set([...owedIn, ...(unapplied?.keys() ?? [])])].sort();
  const accounts = currencies.map((currency): StatementAccount => {
    const of = <Row extends { currency: Currency }>(rows: readonly Row[]) =>
      rows.filter((row) => row.currency === currency);
    const opening = sumOf(of(before).map(owedOf));
    return {
      currency,
      opening_balance: opening,
      entries: withBalances(of(entries), opening, timeZone),
      closing_balance: sumOf(of(open).map(owedOf)),
      open_invoices: of(open).map((row) => ({
        ...toOpenInvoice(row, at, timeZone),
        disputed: Math.min(row.outstanding, disputed.get(row.invoice_external_id) ?? 0),
      })),
      unapplied: unapplied && (unapplied.get(currency) ?? 0),
    };
  });
  return { buyer_external_id: buyerExternalId, from, at, accounts };
}

/** The entries, each with the balance after it. */
export function withBalances(
  rows: readonly OwedEntryRow[],
  openingMinor: number,
  timeZone: string,
): StatementEntry[] {
  let balance = openingMinor;
  return rows.map((row) => {
    balance += row.amount;
    return {
      kind: row.kind,
      at: row.at,
      on: row.document_on ?? localDayOf(row.document_at, timeZone),
      invoice_external_id: row.invoice_external_id,
      invoice_number: row.invoice_number,
      document_external_id: row.document_external_id,
      amount: row.amount,
      balance,
    };
  });
}

function toOpenInvoice({ currency: _, ...row }: OwedBalance, at: number, timeZone: string) {
  const days = calendarDaysBetween(row.due_on, localDayOf(at, timeZone));
  return { ...row, days_past_due: row.outstanding > 0 ? Math.max(0, days) : 0 };
}

const owedOf = ({ outstanding, late_charges: charges }: OwedBalance) => outstanding + charges;
const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);
