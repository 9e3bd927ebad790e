/** The days on which disputes pause late charges on their amounts. */
import type { Db } from '#infra/database/database';
import { listPausingDisputes } from './dispute.queries.ts';

/** An amount that was disputed from a day until its decision. The day of the decision is not included. */
export interface DisputeDays {
  from: string;
  /** Null while it is open. */
  until: string | null;
  amountMinor: number;
  /** The part that a credit note took off on the day of the decision; 0 while the dispute is open. */
  creditedMinor: number;
}

/** The days of the disputes that pause or paused their amounts, by invoice, earliest first. Invoices without one are missing. */
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
