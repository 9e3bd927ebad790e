/**
 * Writes mailings again whose mail was withdrawn because one of their invoices was paid before it left: the new mail lists the other
 * invoices. Waives the charges for reminders that no recipient got.
 */
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import type { Due, DueSource } from '#infra/time/due-transitions';
import { DAY_SECONDS } from '#kernel/day';
import { type InvoiceRow, lockInvoices, writeNextLooks } from '#modules/invoices';
import {
  type Addressees,
  listMailStatuses,
  MAILS_KEPT_SECONDS,
  type MailStatus,
  withdrawFailedMails,
} from '#modules/notifications';
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

/** The mailings of a morning are checked at one instant, and nearly all their mails were sent. */
const TOGETHER_MAX = 200;

/** Checks the mails of mailings a few minutes after they were written, and again while the mail server accepts none. */
export const mailingChecks: DueSource<LookDeps, 'invoice'> = {
  ...checkedMailings,
  togetherMax: TOGETHER_MAX,
  async make(db, platformId, due, deps) {
    const [{ dueAt }] = due as [Due];
    // As for looks: a mail that is written again leaves by the clock, but in a sandbox as if the worker had run on time.
    const now = deps.isSandbox ? dueAt : deps.clocks.now(platformId);
    const ids = due.map(({ externalId }) => externalId);
    const unsent = await checkTogether(db, platformId, ids, { now, isSandbox: deps.isSandbox });
    for (const mailingId of unsent)
      await inTransaction(db, async (transaction) => {
        await checkUnsent(await lookContextOf(transaction, platformId, deps, now), mailingId);
      });
    return due;
  },
};

/**
 * Ends or repeats the checks of these mailings. Returns the ids of mailings whose mails were withdrawn or given up, which it leaves
 * unchanged. It needs no lock: a sent mail stays sent, and a waiting one is checked again.
 */
async function checkTogether(
  db: Db,
  platformId: number,
  mailingIds: readonly string[],
  checked: CheckTime,
): Promise<string[]> {
  const { now } = checked;
  const mailings = await listCheckedMailings(db, platformId, mailingIds, now);
  const statuses = await listMailStatuses(db, platformId, mailings.map(mailsOf));
  const found = mailings.map((row, nth) => ({ row, statuses: statuses[nth] ?? [] }));
  const others = found.filter((each) => !areUnsent(each.statuses));
  await writeChecks(
    db,
    platformId,
    others.map(({ row, ...each }) => ({
      mailingId: row.mailing_id,
      until: now,
      at: laterCheck(row, each.statuses, checked),
    })),
  );
  return found.flatMap((each) => (areUnsent(each.statuses) ? [each.row.mailing_id] : []));
}

/**
 * On the day of a mailing, writes it again about the invoices that are still owed, if its mail was withdrawn. The other invoices count
 * as not reminded: all of them, if the day is over or the mail was given up.
 */
async function checkUnsent(context: LookContext, mailingId: string): Promise<void> {
  const { db, platform, now, deps } = context;
  const mailing = await findMailingWithInvoices(context, mailingId);
  if (mailing === null) return;
  const readStatuses = async () =>
    (await listMailStatuses(db, platform.platform_id, [mailsOf(mailing.row)]))[0] ?? [];
  const statuses = await readStatuses();
  if (areWithdrawn(statuses)) return writeAgain(context, mailing);
  if (areUnsent(statuses)) return giveUp(context, mailing, readStatuses);
  const at = laterCheck(mailing.row, statuses, { now, isSandbox: deps.isSandbox });
  await updateMailing(db, mailing.row, { check_at: at });
}

/**
 * Takes back the steps of a mailing whose mail was given up, so that the buyer gets them before a harsher one. While every address is
 * refused, the steps stay taken: the next step pauses because there is no address, and an operator can retry the mail.
 */
async function giveUp(
  context: LookContext,
  mailing: LockedMailing,
  readStatuses: () => Promise<MailStatus[]>,
): Promise<void> {
  const { db, platform } = context;
  const { row, invoices, others } = mailing;
  if (await hasAddress(context, [...invoices, ...others])) {
    await withdrawFailedMails(db, platform.platform_id, mailsOf(row));
    // The mail is not withdrawn if an operator has retried it since it was read, because it is on its way to the buyer, nor before its
    // failure is reported to support.
    if (!areWithdrawn(await readStatuses()))
      return updateMailing(db, row, { check_at: context.now + CHECK_AFTER_SECONDS });
    await takeBack(context, mailing, NOT_SENT.givenUp);
  } else await waiveUnsent(context, row, { reason: NOT_SENT.givenUp, exceptInvoices: [] });
  await updateMailing(db, row, { check_at: null });
}

async function hasAddress(context: LookContext, invoices: readonly InvoiceRow[]): Promise<boolean> {
  if (invoices.length === 0) return false;
  const [addressees] = (await findRecipients(context, [invoices])) as [Addressees];
  return addressees.recipients.length > 0;
}

const mailsOf = (row: CheckedMailing) => ({ buyerExternalId: row.buyer_external_id, cause: causeOf(row) });

/** A mail that one recipient got has reached the buyer, which gets no second one on this day. */
const areWithdrawn = (statuses: readonly MailStatus[]) =>
  statuses.length > 0 && statuses.every((status) => status === 'WITHDRAWN');

/** No recipient has got the mail, and none will. */
const areUnsent = (statuses: readonly MailStatus[]) =>
  statuses.length > 0 && statuses.every((status) => status === 'WITHDRAWN' || status === 'FAILED');

interface CheckTime {
  /** Unix seconds. */
  now: number;
  isSandbox: boolean;
}

/**
 * The next check, in unix seconds; null if no mail waits. Every ten minutes in the first hour, then every hour: a mail is given up after
 * a day or, as after a downtime, later. In a sandbox only on the first day: its clock can be a year ahead of the mail server.
 */
function laterCheck(
  { created_at: createdAt }: CheckedMailing,
  statuses: readonly MailStatus[],
  { now, isSandbox }: CheckTime,
): number | null {
  const endsAt = createdAt + (isSandbox ? DAY_SECONDS : MAILS_KEPT_SECONDS);
  if (!statuses.includes('PENDING') || now >= endsAt) return null;
  return now + (now < createdAt + HOUR_SECONDS ? CHECK_AFTER_SECONDS : HOUR_SECONDS);
}

interface LockedMailing {
  row: MailingRow;
  /** Locked, with a reminder that is still due. */
  invoices: InvoiceRow[];
  /** Locked and owed, but without a reminder that is due now. */
  others: InvoiceRow[];
}

/** Locks the invoices before the mailing, in the order of a look. Null if another worker has checked the mailing. */
async function findMailingWithInvoices(
  context: LookContext,
  mailingId: string,
): Promise<LockedMailing | null> {
  const { db, platform, now } = context;
  const { platform_id: platformId } = platform;
  const ids = await listInvoicesOfMailing(db, platformId, mailingId);
  // Also paid invoices: the lock of an invoice protects its charges.
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

async function writeAgain(context: LookContext, mailing: LockedMailing): Promise<void> {
  const { row, invoices, others } = mailing;
  const isSent = invoices.length > 0 && (await queueAgain(context, { row, invoices }));
  if (isSent) await takeBack(context, { row, invoices: [], others }, NOT_SENT.withdrawn, invoices);
  else await takeBack(context, mailing, NOT_SENT.withdrawn);
  await updateMailing(context.db, row, {
    compositions: row.compositions + (isSent ? 1 : 0),
    check_at: isSent ? context.now + CHECK_AFTER_SECONDS : null,
  });
}

/** Records that the steps of a mailing were not sent, except for the invoices in the mailing that was written again. */
async function takeBack(
  context: LookContext,
  { row, invoices, others }: LockedMailing,
  reason: string,
  writtenAgain: readonly InvoiceRow[] = [],
): Promise<void> {
  const { db, platform, now } = context;
  const exceptInvoices = writtenAgain.map(({ external_id }) => external_id);
  await withdrawSteps(db, row, { exceptInvoices, now });
  await waiveUnsent(context, row, { reason, exceptInvoices });
  // An earlier look counted the step as sent.
  await writeNextLooks(
    db,
    platform.platform_id,
    [...invoices, ...others]
      .filter(({ dunning_at }) => dunning_at !== null)
      .map(({ external_id }) => ({ invoiceExternalId: external_id, at: now })),
  );
}

/** False if the buyer has no address. */
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
