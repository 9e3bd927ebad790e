/** The claim of an invoice day by day: its instalments with their changes by payments, credit notes and reversals. */
import { localDayOf } from '#kernel/local-day';
import type { InvoiceRow } from '../invoice.queries.ts';
import type { SettlingPlatform } from '../invoice-settlement.ts';
import { creditLatestFirst } from '../payment-layout.rules.ts';
import { listAllocationDays, listCreditedAmounts } from './owed-part.queries.ts';

/** A part of an invoice with its due day. Amounts are minor units. */
export interface OwedPart {
  number: number;
  dueOn: string;
  amountMinor: number;
  changes: readonly AmountChange[];
}

/** Below 0 for amounts paid or credited. */
export interface AmountChange {
  on: string;
  amountMinor: number;
}

/**
 * The parts of an invoice. A payment counts from the day on which the money came, unapplied cash from its application, and reversals
 * and credit notes from when they were recorded.
 */
export async function findOwedParts(
  { db, platformId, timeZone }: SettlingPlatform,
  invoice: InvoiceRow,
): Promise<OwedPart[]> {
  const key = { platformId, externalId: invoice.external_id };
  const paid = (await listAllocationDays(db, key)).map(({ cause, paid_on, allocated_at, ...each }) => ({
    ...each,
    on: cause === 'PAYMENT' && each.amount > 0 ? paid_on : localDayOf(allocated_at, timeZone),
  }));
  const credited = creditChanges(invoice, await listCreditedAmounts(db, key), timeZone);
  return invoice.installments.map(({ number, due_on, amount, fee_amount }) => ({
    number,
    dueOn: due_on,
    amountMinor: amount + fee_amount,
    changes: [
      ...paid.flatMap((each) =>
        each.installment === number ? [{ on: each.on, amountMinor: -each.amount }] : [],
      ),
      ...credited.flatMap(({ installment, ...change }) => (installment === number ? [change] : [])),
    ],
  }));
}

/** Each credit note reduces the goods of the latest instalments. */
function creditChanges(
  { installments }: InvoiceRow,
  notes: readonly { created_at: number; amount_gross: number }[],
  timeZone: string,
): (AmountChange & { installment: number })[] {
  let claims = installments.map((each) => ({ ...each, credited_amount: 0 }));
  return notes.flatMap(({ created_at, amount_gross }) => {
    const before = claims;
    const credited = creditLatestFirst(before, amount_gross);
    claims = before.map((each, index) => ({ ...each, credited_amount: credited[index] as number }));
    return claims.map(({ number, credited_amount }, index) => ({
      installment: number,
      on: localDayOf(created_at, timeZone),
      amountMinor: (before[index]?.credited_amount as number) - credited_amount,
    }));
  });
}
