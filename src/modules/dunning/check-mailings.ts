/**
 * Mailings whose mail was withdrawn, because one of their invoices was paid before it left, are written again about the others. The
 * charges for reminders that no recipient got are waived.
 */
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import type { Due, DueSource } from '#infra/time/due-transitions';
import { DAY_SECONDS } from '#kernel/day';
import { type InvoiceRow, lockInvoices, writeNextLooks } from '#modules/invoices';
import { type Addressees, listMailStatuses, type MailStatus } from '#modules/notifications';
import { courseOf, readCourseFacts } from './course-facts.ts';
import {
  type CheckedMailing,
  checkedMailings,
  listCheckedMailings,
  listInvoicesOfMailing,
  listReminderCharges,
  lockCheckedMailing,
  type MailingRow,
  updateMailing,
  withdrawSteps,
  writeChecks,
} from './dunning-mailing.queries.ts';
import { findRecipients } from './find-recipients.ts';
import type { LookDeps } from './late-looks.ts';
import { type LookContext, lookContextOf } from './look-context.ts';
import { causeOf, queueMailings } from './queue-mailing.ts';
import { CHECK_AFTER_SECONDS } from './send-mailings.ts';
import { earliestDay } from './send-window.rules.ts';
import { NOT_SENT, waiveUnsent } from './waive-unsent.ts';

const HOUR_SECONDS = 3_600;

/** Mailings of a morning are checked at one instant, and nearly all mails of theirs were sent. */
const TOGETHER_MAX = 200;

/** Checks the mails of mailings some minutes after they were written, and again while the mail server takes none. */
export const mailingChecks: DueSource<LookDeps, 'invoice'> = {
  ...checkedMailings,
  togetherMax: TOGETHER_MAX,
  async make(db, platformId, due, deps) {
    const [{ dueAt }] = due as [Due];
    // As looks: what is written again leaves by the clock, but in a sandbox as if the worker had run.
    const now = deps.isSandbox ? dueAt : deps.clocks.now(platformId);
    const ids = due.map(({ externalId }) => externalId);
    const unsent = await checkTogether(db, platformId, ids, now);
    for (const mailingId of unsent)
      await inTransaction(db, async (transaction) => {
        await checkUnsent(await lookContextOf(transaction, platformId, deps, now), mailingId);
      });
    return due;
  },
};

/**
 * Ends or repeats the checks of these mailings, except of those whose mails were withdrawn or given up: answers them. No lock is
 * needed: a mail that was sent stays so, and one that waits is checked again.
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
  const others = checked.filter((each) => !areUnsent(each.statuses));
  await writeChecks(
    db,
    platformId,
    others.map(({ row, ...each }) => ({
      mailingId: row.mailing_id,
      until: now,
      at: isWaiting(row, each.statuses, now) ? laterCheck(row, now) : null,
    })),
  );
  return checked.flatMap((each) => (areUnsent(each.statuses) ? [each.row.mailing_id] : []));
}

/**
 * Writes a withdrawn mailing again about the invoices that are still owed, on its day. The others were not reminded of: where it is
 * too late that day, none was, and of one given up none.
 */
async function checkUnsent(context: LookContext, mailingId: string): Promise<void> {
  const { db, platform, now } = context;
  const mailing = await findMailingWithInvoices(context, mailingId);
  if (mailing === null) return;
  const [statuses = []] = await listMailStatuses(db, platform.platform_id, [mailsOf(mailing.row)]);
  if (areWithdrawn(statuses)) return writeAgain(context, mailing);
  if (areUnsent(statuses))
    await waiveUnsent(context, mailing.row, { reason: NOT_SENT.givenUp, exceptInvoices: [] });
  const at = isWaiting(mailing.row, statuses, now) ? laterCheck(mailing.row, now) : null;
  await updateMailing(db, mailing.row, { check_at: at });
}

const mailsOf = (row: CheckedMailing) => ({ buyerExternalId: row.buyer_external_id, cause: causeOf(row) });

/** Where one recipient has got the mail, the buyer has: it gets no second one on this day. */
const areWithdrawn = (statuses: readonly MailStatus[]) =>
  statuses.length > 0 && statuses.every((status) => status === 'WITHDRAWN');

/** No recipient has got the mail, and none will. */
const areUnsent = (statuses: readonly MailStatus[]) =>
  statuses.length > 0 && statuses.every((status) => status === 'WITHDRAWN' || status === 'FAILED');

const isWaiting = ({ created_at }: CheckedMailing, statuses: readonly MailStatus[], now: number) =>
  statuses.includes('PENDING') && now < created_at + DAY_SECONDS;

/** Every ten minutes of the first hour, then every hour of the first day: the clock of a sandbox can be a year ahead of the mail server. */
const laterCheck = ({ created_at }: CheckedMailing, now: number) =>
  now + (now < created_at + HOUR_SECONDS ? CHECK_AFTER_SECONDS : HOUR_SECONDS);

interface LockedMailing {
  row: MailingRow;
  /** Locked, and still to be reminded of. */
  invoices: InvoiceRow[];
  /** Locked, and owed, but not to be reminded of now. */
  others: InvoiceRow[];
}

/** Locks the invoices before the mailing, as a look does. Null where another worker has checked the mailing. */
async function findMailingWithInvoices(
  context: LookContext,
  mailingId: string,
): Promise<LockedMailing | null> {
  const { db, platform, now } = context;
  const { platform_id: platformId } = platform;
  const ids = await listInvoicesOfMailing(db, platformId, mailingId);
  // Those that were paid too: the lock of an invoice is the lock of its charges.
  const charged = await listReminderCharges(db, { platform_id: platformId, mailing_id: mailingId });
  const withCharges = charged.map(({ invoiceExternalId }) => invoiceExternalId);
  const locked = (await lockInvoices(db, platformId, [...new Set([...ids, ...withCharges])])).filter(
    ({ external_id }) => ids.includes(external_id),
  );
  const row = await lockCheckedMailing(db, platformId, mailingId, now);
  if (!row) return null;
  const facts = await readCourseFacts(context, locked, now);
  const open = facts.filter(
    ({ invoice, plan, ...each }) =>
      plan !== null &&
      earliestDay(each.window, each.calendar, { now, isSentToday: false }) === row.mailed_on &&
      invoice.dunning?.status === 'RUNNING' &&
      courseOf({ ...each, invoice, plan }, plan, now, platform.mails_off).stops.length === 0,
  );
  const invoices = open.map(({ invoice }) => invoice);
  return { row, invoices, others: locked.filter((each) => !invoices.includes(each)) };
}

async function writeAgain(context: LookContext, { row, invoices, others }: LockedMailing): Promise<void> {
  const { db, platform, now } = context;
  const isSent = invoices.length > 0 && (await queueAgain(context, { row, invoices }));
  const exceptInvoices = isSent ? invoices.map(({ external_id }) => external_id) : [];
  await withdrawSteps(db, row, { exceptInvoices, now });
  await waiveUnsent(context, row, { reason: NOT_SENT.withdrawn, exceptInvoices });
  // A look before this one has taken the step for sent.
  const looks = (isSent ? others : [...invoices, ...others]).filter(({ dunning_at }) => dunning_at !== null);
  await writeNextLooks(
    db,
    platform.platform_id,
    looks.map(({ external_id }) => ({ invoiceExternalId: external_id, at: now })),
  );
  await updateMailing(db, row, {
    compositions: row.compositions + (isSent ? 1 : 0),
    check_at: isSent ? now + CHECK_AFTER_SECONDS : null,
  });
}

/** False where the buyer has no address. */
async function queueAgain(
  context: LookContext,
  { row, invoices }: Omit<LockedMailing, 'others'>,
): Promise<boolean> {
  const mailing = { ...row, compositions: row.compositions + 1 };
  const [addressees] = (await findRecipients(context, [invoices])) as [Addressees];
  if (addressees.recipients.length === 0) return false;
  await queueMailings(context, [{ mailing, addressees, invoices, today: row.mailed_on }]);
  return true;
}
