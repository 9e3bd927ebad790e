/**
 * The hours of mails that waited, as during a downtime: they leave when a mailing written at that time would leave. A courtesy does not
 * leave after its day.
 */
import type { Db } from '#infra/database/database';
import { isBusinessDay } from '#kernel/business-day';
import { firstDayFrom } from '#kernel/day';
import type { MailKind } from '#kernel/mail-kind';
import { findBuyer } from '#modules/buyers';
import { findInvoices, type InvoiceRow } from '#modules/invoices';
import { type ClaimedMail, listPremiseKeys } from '#modules/notifications';
import { findPlatform, type PlatformRow } from '#modules/platforms';
import { nextInstalmentOf } from './course-facts.ts';
import { dayIn, earliestDay, opensOn, type SendWindow, sendWindowOf } from './send-window.rules.ts';

const COURTESY: MailKind = 'reminder_due_soon';
const KINDS: readonly MailKind[] = [COURTESY, 'reminder_overdue'];

/** A mailing is written within its hours, and a morning with many mailings takes several minutes. */
const WAITED_SECONDS = 900;

/** When a mail may leave: now, from an instant on (Unix seconds), or never. */
export type MailHours = 'NOW' | 'NEVER' | number;

/**
 * When a reminder that waited longer than a quarter of an hour may leave: now if the hours of the buyer are open at `now`, otherwise when
 * they open. Never for a courtesy whose due day is over by then: its step is skipped, as after a late look. Now for all other mails and
 * for copies to the platform.
 */
export async function findMailHours(
  db: Db,
  mail: Pick<ClaimedMail, 'platform_id' | 'mail_id' | 'kind' | 'buyer_external_id' | 'created_at'>,
  now: number,
): Promise<MailHours> {
  const { platform_id: platformId, buyer_external_id: externalId, created_at: createdAt } = mail;
  if (!KINDS.includes(mail.kind) || externalId === null || now < createdAt + WAITED_SECONDS) return 'NOW';
  const platform = (await findPlatform(db, platformId)) as PlatformRow;
  const buyer = await findBuyer(db, { platformId, externalId });
  const invoices = await findInvoices(
    db,
    platformId,
    await listPremiseKeys(db, platformId, { mailId: mail.mail_id, kind: 'reminder' }),
  );
  const window = sendWindowOf(buyer?.business_address?.country ?? null, platform.time_zone);
  const day = leavesOn(window, invoices, now);
  if (day === null) return 'NOW';
  if (mail.kind === COURTESY && isPastDue(invoices, { writtenOn: dayIn(window, createdAt), day }))
    return 'NEVER';
  const opensAt = opensOn(window, day);
  return opensAt > now ? opensAt : 'NOW';
}

/** The first day that is a business day of all these invoices; null without one. */
function leavesOn(window: SendWindow, invoices: readonly InvoiceRow[], now: number): string | null {
  const calendars = [...new Set(invoices.map(({ currency }) => currency))].map((currency) => ({ currency }));
  const days = calendars.map((calendar) => earliestDay(window, calendar, { now, isSentToday: false }));
  const latest = days.sort().at(-1);
  if (latest === undefined) return null;
  return firstDayFrom(latest, (each) => calendars.every((calendar) => isBusinessDay(calendar, each)));
}

/** Whether an invoice that was not yet due when the courtesy was written is past due on `day`. The courtesy lists late invoices too. */
function isPastDue(
  invoices: readonly InvoiceRow[],
  { writtenOn, day }: { writtenOn: string; day: string },
): boolean {
  const dueOn = invoices.map((invoice) => nextInstalmentOf(invoice).due_on);
  return dueOn.some((each) => each >= writtenOn && each < day);
}
