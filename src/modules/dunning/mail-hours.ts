/** The hours of mails that waited, as during a downtime: they leave when a mailing written at that time would leave. */
import type { Db } from '#infra/database/database';
import { isBusinessDay } from '#kernel/business-day';
import { firstDayFrom } from '#kernel/day';
import type { MailKind } from '#kernel/mail-kind';
import { findBuyer } from '#modules/buyers';
import { findInvoices } from '#modules/invoices';
import { type ClaimedMail, listPremiseKeys } from '#modules/notifications';
import { findPlatform, type PlatformRow } from '#modules/platforms';
import { earliestDay, opensOn, sendWindowOf } from './send-window.rules.ts';

const KINDS: readonly MailKind[] = ['reminder_due_soon', 'reminder_overdue'];

/** A mailing is written within its hours, and a morning with many mailings takes several minutes. */
const WAITED_SECONDS = 900;

/**
 * When the hours of the buyer open for a reminder that waited longer than a quarter of an hour, in unix seconds. Null if the mail may
 * leave at `now`, and for all other mails and copies to the platform.
 */
export async function findMailOpening(
  db: Db,
  mail: Pick<ClaimedMail, 'platform_id' | 'mail_id' | 'kind' | 'buyer_external_id' | 'created_at'>,
  now: number,
): Promise<number | null> {
  const { platform_id: platformId, buyer_external_id: externalId, created_at: createdAt } = mail;
  if (!KINDS.includes(mail.kind) || externalId === null || now < createdAt + WAITED_SECONDS) return null;
  const platform = (await findPlatform(db, platformId)) as PlatformRow;
  const buyer = await findBuyer(db, { platformId, externalId });
  const invoices = await findInvoices(
    db,
    platformId,
    await listPremiseKeys(db, platformId, { mailId: mail.mail_id, kind: 'reminder' }),
  );
  const calendars = [...new Set(invoices.map(({ currency }) => currency))].map((currency) => ({ currency }));
  const window = sendWindowOf(buyer?.business_address?.country ?? null, platform.time_zone);
  const days = calendars.map((calendar) => earliestDay(window, calendar, { now, isSentToday: false }));
  const latest = days.sort().at(-1);
  if (latest === undefined) return null;
  const day = firstDayFrom(latest, (each) => calendars.every((calendar) => isBusinessDay(calendar, each)));
  const opensAt = opensOn(window, day);
  return opensAt > now ? opensAt : null;
}
