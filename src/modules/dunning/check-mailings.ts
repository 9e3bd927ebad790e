/** Mailings whose mail was withdrawn, because one of their invoices was paid before it left, are written again about the others. */
import { inTransaction } from '#infra/database/transaction';
import { type DueSource, oneByOne } from '#infra/time/due-transitions';
import { DAY_SECONDS } from '#kernel/day';
import { type InvoiceRow, lockInvoices } from '#modules/invoices';
import { listMailStatuses } from '#modules/notifications';
import { courseOf, readCourseFacts } from './course-facts.ts';
import {
  checkedMailings,
  listInvoicesOfMailing,
  lockCheckedMailing,
  type MailingRow,
  updateMailing,
} from './dunning-mailing.queries.ts';
import { findRecipients } from './find-recipients.ts';
import { type DunningDeps, type LookContext, lookContextOf } from './look-context.ts';
import { causeOf, queueMailing } from './queue-mailing.ts';
import { CHECK_AFTER_SECONDS } from './send-mailings.ts';

const HOUR_SECONDS = 3_600;

/** Checks the mails of mailings some minutes after they were written, and again while the mail server takes none. */
export const mailingChecks: DueSource<DunningDeps, 'invoice'> = {
  ...checkedMailings,
  ...oneByOne(async (db, platformId, { externalId, dueAt: now }, deps) =>
    inTransaction(db, async (transaction) => {
      await checkMailing(await lookContextOf(transaction, platformId, deps, now), externalId);
    }),
  ),
};

async function checkMailing(context: LookContext, mailingId: string): Promise<void> {
  const { db, platform, now } = context;
  const mailing = await findMailingWithInvoices(context, mailingId);
  if (mailing === null) return;
  const { buyer_external_id: buyerExternalId, created_at } = mailing.row;
  const about = { buyerExternalId, cause: causeOf(mailing.row) };
  const statuses = await listMailStatuses(db, platform.platform_id, about);
  // Where one recipient has got the mail, the buyer has: it gets no second one on this day.
  const isWithdrawn = statuses.length > 0 && statuses.every((status) => status === 'WITHDRAWN');
  if (isWithdrawn && mailing.invoices.length > 0) return writeAgain(context, mailing);
  const isWaiting = statuses.includes('PENDING') && now < created_at + DAY_SECONDS;
  await updateMailing(db, mailing.row, { check_at: isWaiting ? laterCheck(mailing.row, now) : null });
}

/** Every ten minutes of the first hour, then every hour of the first day: the clock of a sandbox can be a year ahead of the mail server. */
const laterCheck = ({ created_at }: MailingRow, now: number) =>
  now + (now < created_at + HOUR_SECONDS ? CHECK_AFTER_SECONDS : HOUR_SECONDS);

interface CheckedMailing {
  row: MailingRow;
  /** Locked, and still to be reminded of. */
  invoices: InvoiceRow[];
}

/** Locks the invoices before the mailing, as a look does. Null where another worker has checked the mailing. */
async function findMailingWithInvoices(
  context: LookContext,
  mailingId: string,
): Promise<CheckedMailing | null> {
  const { db, platform, now } = context;
  const { platform_id: platformId } = platform;
  const ids = await listInvoicesOfMailing(db, platformId, mailingId);
  const locked = await lockInvoices(db, platformId, ids);
  const row = await lockCheckedMailing(db, platformId, mailingId, now);
  if (!row) return null;
  const facts = await readCourseFacts(context, locked, now);
  const open = facts.filter(
    ({ invoice, plan, ...each }) =>
      plan !== null &&
      invoice.dunning?.status === 'RUNNING' &&
      courseOf({ ...each, invoice, plan }, plan, now, platform.mails_off).stops.length === 0,
  );
  return { row, invoices: open.map(({ invoice }) => invoice) };
}

async function writeAgain(context: LookContext, { row, invoices }: CheckedMailing): Promise<void> {
  const { db, now } = context;
  const mailing = { ...row, compositions: row.compositions + 1 };
  const addressees = await findRecipients(context, invoices);
  const isSent = addressees.recipients.length > 0;
  if (isSent) await queueMailing(context, { mailing, addressees, invoices, today: row.mailed_on });
  await updateMailing(db, row, {
    compositions: mailing.compositions,
    check_at: isSent ? now + CHECK_AFTER_SECONDS : null,
  });
}
