/** On which days disputes keep amounts from being charged. */
import type { Db } from '#infra/database/database';
import { listPausingDisputes } from './dispute.queries.ts';

/** What was disputed from a day on, until it was decided: not on that day any more. */
export interface DisputeDays {
  from: string;
  /** Null while it is open. */
  until: string | null;
  amountMinor: number;
  /** What of it a credit note took off on the day of the decision; 0 while it is open. */
  creditedMinor: number;
}

/** The days of the disputes that pause, or paused, their amounts: by invoice, the earliest first. Invoices without one are missing. */
export async function findDisputeDays(
  db: Db,
  platformId: number,
  invoiceExternalIds: readonly string[],
): Promise<Map<string, DisputeDays[]>> {
  const disputes = await listPausingDisputes(db, platformId, invoiceExternalIds);
  const byInvoice = Map.groupBy(disputes, ({ invoice_external_id }) => invoice_external_id);
  return new Map(
    [...byInvoice].map(([invoice, of]) => [
      invoice,
      of.map((each) => ({
        from: each.opened_on,
        until: each.decided_on,
        amountMinor: each.amount,
        creditedMinor: each.credit_note_external_id === null ? 0 : each.accepted_amount,
      })),
    ]),
  );
}
