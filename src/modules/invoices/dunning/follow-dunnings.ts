/** Updates the reminders of invoices when what they owe changes, in the transaction of the change. */
import type { Db } from '#infra/database/database';
import { type Premise, withdrawMails } from '#modules/notifications';
import type { InvoiceColumns, InvoiceRow } from '../invoice.queries.ts';
import { changeDunnings, type DunningChange } from './change-dunnings.ts';

/** A mail that reminds of an invoice is valid until the invoice changes. */
export const reminderPremise = (invoiceExternalId: string): Premise => ({
  kind: 'reminder',
  key: invoiceExternalId,
  version: 1,
});

/** A locked invoice, before and after a change. */
export interface RemindedChange {
  invoice: InvoiceRow;
  /** The invoice after the change. */
  settled: InvoiceColumns;
  /** The instalment that is to be paid next; null if nothing is owed. */
  nextInstallment: number | null;
  /** The reminded amount has a later due day, or was written off. */
  isOver?: boolean;
  actor: string;
  now: number;
}

/**
 * Ends the reminders of invoices whose arrears are over, and withdraws waiting mails about invoices that now owe a different amount. No
 * reminder leaves after the commit of a payment.
 */
export async function followDunnings(
  db: Db,
  platformId: number,
  changes: readonly RemindedChange[],
): Promise<void> {
  const reminded = changes.filter(({ invoice }) => isUnderWay(invoice));
  if (reminded.length === 0) return;
  await withdrawReminders(
    db,
    platformId,
    reminded.map(({ invoice }) => invoice.external_id),
  );
  await changeDunnings(db, platformId, reminded.filter(isEnded).map(endOf));
}

/** Withdraws the waiting mails about these locked invoices. */
export async function withdrawReminders(
  db: Db,
  platformId: number,
  invoiceExternalIds: readonly string[],
): Promise<void> {
  const ended = invoiceExternalIds.map((id) => ({ ...reminderPremise(id), version: 2 }));
  await withdrawMails(db, platformId, ended);
}

const isUnderWay = ({ dunning }: InvoiceRow) => dunning !== null && dunning.status !== 'ENDED';

function isEnded({ invoice, settled, nextInstallment, isOver = false }: RemindedChange): boolean {
  const isOwed = settled.status === 'OPEN' || settled.status === 'DUE';
  return isOver || !isOwed || nextInstallment !== invoice.dunning?.installment;
}

function endOf({ invoice, settled, actor, now }: RemindedChange): DunningChange {
  const { installment, step, kind, stepped_at } = invoice.dunning as NonNullable<InvoiceRow['dunning']>;
  return {
    invoice: { ...settled, dunning: invoice.dunning },
    triggers: ['end'],
    installment,
    last: step === null || kind === null || stepped_at === null ? null : { step, kind, at: stepped_at },
    ...{ stepOn: null, planned: null, nextAt: null, pausedBy: null, actor, now },
  };
}
