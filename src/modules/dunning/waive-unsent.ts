/** Waives the charges for reminders that no recipient got. The law grants them only for reminders that were sent. */
import { findLateCharges, waiveLateCharge } from '#modules/invoices';
import { listReminderCharges, type MailingRow } from './dunning-mailing.queries.ts';
import type { LookContext } from './look-context.ts';

/** Why a reminder was not sent, as the history of its charge states it. */
export const NOT_SENT = {
  withdrawn: 'The reminder was withdrawn before it was sent.',
  givenUp: 'The reminder could not be delivered to any address.',
} as const;

/**
 * Waives what is owed for the reminders of a mailing, except for the invoices in the mailing that was written again. The paid part of a
 * charge stays paid. The caller has locked the invoices with a charge.
 */
export async function waiveUnsent(
  { db, platform: { platform_id: platformId }, actor, now }: LookContext,
  mailing: MailingRow,
  { reason, exceptInvoices }: { reason: string; exceptInvoices: readonly string[] },
): Promise<void> {
  const claimed = await listReminderCharges(db, mailing);
  const unsent = claimed.filter(({ invoiceExternalId }) => !exceptInvoices.includes(invoiceExternalId));
  const charges = await findLateCharges(
    db,
    platformId,
    unsent.map(({ externalId }) => externalId),
  );
  for (const charge of charges)
    if (charge.status === 'OPEN') await waiveLateCharge({ db, platformId, actor, now }, charge, reason);
}
