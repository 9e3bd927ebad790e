/** Mailings whose mail was withdrawn, because one of their invoices was paid before it left, are written again about the others. */
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import type { Due, DueSource } from '#infra/time/due-transitions';
import { DAY_SECONDS } from '#kernel/day';
import { type InvoiceRow, lockInvoices } from '#modules/invoices';
import { type Addressees, listMailStatuses, type MailStatus } from '#modules/notifications';
import { courseOf, readCourseFacts } from './course-facts.ts';
import {
  type CheckedMailing,
  checkedMailings,
  listCheckedMailings,
  listInvoicesOfMailing,
  lockCheckedMailing,
  type MailingRow,
  updateMailing,
  writeChecks,
} from './dunning-mailing.queries.ts';
import { findRecipients } from './find-recipients.ts';
import { type DunningDeps, type LookContext, lookContextOf } from './look-context.ts';
import { causeOf, queueMailings } from './queue-mailing.ts';
import { CHECK_AFTER_SECONDS } from './send-mailings.ts';

const HOUR_SECONDS = 3_600;

/** Mailings of a morning are checked at one instant, and nearly all mails of theirs were sent. */
const TOGETHER_MAX = 200;

/** Checks the mails of mailings some minutes after they were written, and again while the mail server takes none. */
export const mailingChecks: DueSource<DunningDeps, 'invoice'> = {
  ...checkedMailings,
  togetherMax: TOGETHER_MAX,
  async make(db, platformId, due, deps) {
    const [{ dueAt: now }] = due as [Due];
    const ids = due.map(({ externalId }) => externalId);
    const withdrawn = await checkTogether(db, platformId, ids, now);
    for (const mailingId of withdrawn)
      await inTransaction(db, async (transaction) => {
        await checkWithdrawn(await lookContextOf(transaction, platformId, deps, now), mailingId);
      });
    return due;
  },
};

/**
 * Ends or repeats the checks of these mailings, except of those whose mails were withdrawn: answers them. No lock is needed: a mail
 * that was sent stays so, and one that waits is checked again.
 */
async function checkTogether(
  db: Db,
  platformId: number,
  mailingIds: readonly string[],
  now: number,
): Promise<string[]> {
  const mailings = await listCheckedMailings(db, platformId, mailingIds, now);
  const statuses = await listMailStatuses(db, platformId, mailings.map(mailsOf));
  const checked = mailings.map((row, nth) => ({ row, statuses: statuses[nth] ?? [] }));
  const others = checked.filter((each) => !areWithdrawn(each.statuses));
  await writeChecks(
    db,
    platformId,
    others.map(({ row, ...each }) => ({
      mailingId: row.mailing_id,
      until: now,
      at: isWaiting(row, each.statuses, now) ? laterCheck(row, now) : null,
    })),
  );
  return checked.flatMap((each) => (areWithdrawn(each.statuses) ? [each.row.mailing_id] : []));
}

/** Writes a mailing again about the invoices that are still owed. */
async function checkWithdrawn(context: LookContext, mailingId: string): Promise<void> {
  const { db, platform, now } = context;
  const mailing = await findMailingWithInvoices(context, mailingId);
  if (mailing === null) return;
  const [statuses = []] = await listMailStatuses(db, platform.platform_id, [mailsOf(mailing.row)]);
  if (areWithdrawn(statuses) && mailing.invoices.length > 0) return writeAgain(context, mailing);
  const at = isWaiting(mailing.row, statuses, now) ? laterCheck(mailing.row, now) : null;
  await updateMailing(db, mailing.row, { check_at: at });
}

const mailsOf = (row: CheckedMailing) => ({ buyerExternalId: row.buyer_external_id, cause: causeOf(row) });

/** Where one recipient has got the mail, the buyer has: it gets no second one on this day. */
const areWithdrawn = (statuses: readonly MailStatus[]) =>
  statuses.length > 0 && statuses.every((status) => status === 'WITHDRAWN');

const isWaiting = ({ created_at }: CheckedMailing, statuses: readonly MailStatus[], now: number) =>
  statuses.includes('PENDING') && now < created_at + DAY_SECONDS;

/** Every ten minutes of the first hour, then every hour of the first day: the clock of a sandbox can be a year ahead of the mail server. */
const laterCheck = ({ created_at }: CheckedMailing, now: number) =>
  now + (now < created_at + HOUR_SECONDS ? CHECK_AFTER_SECONDS : HOUR_SECONDS);

interface LockedMailing {
  row: MailingRow;
  /** Locked, and still to be reminded of. */
  invoices: InvoiceRow[];
}

/** Locks the invoices before the mailing, as a look does. Null where another worker has checked the mailing. */
async function findMailingWithInvoices(
  context: LookContext,
  mailingId: string,
): Promise<LockedMailing | null> {
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

async function writeAgain(context: LookContext, { row, invoices }: LockedMailing): Promise<void> {
  const { db, now } = context;
  const mailing = { ...row, compositions: row.compositions + 1 };
  const [addressees] = (await findRecipients(context, [invoices])) as [Addressees];
  const isSent = addressees.recipients.length > 0;
  if (isSent) await queueMailings(context, [{ mailing, addressees, invoices, today: row.mailed_on }]);
  await updateMailing(db, row, {
    compositions: mailing.compositions,
    check_at: isSent ? now + CHECK_AFTER_SECONDS : null,
  });
}
