/** Reminders wait for the bank statements of the day before, as long as the platform sets: a buyer that has paid gets none. */
import type { Db } from '#infra/database/database';
import { dayLater } from '#kernel/day';
import { endOfLocalDay, localDayOf } from '#kernel/local-day';
import { findMissingStatements } from '#modules/banking';
import { composeMail, hasMail, insertMails } from '#modules/notifications';
import { findPlatform, type PlatformRow, platformLanguage } from '#modules/platforms';
import type { LookContext } from './look-context.ts';

/**
 * Whether a look that was due at `dueAt` has to wait while the platform's clock shows `now` (unix seconds): statements are
 * missing, and the time of that day until which reminders wait has not passed.
 */
export async function isWaitingForBank(
  db: Db,
  platformId: number,
  { dueAt, now }: { dueAt: number; now: number },
): Promise<boolean> {
  const platform = await findPlatform(db, platformId);
  if (!platform || now >= waitsUntil(platform, dueAt)) return false;
  return (await findMissingStatements(db, platformId, localDayOf(dueAt, platform.time_zone))).length > 0;
}

/** The latest instant (unix seconds) until which a look due at `dueAt` waits; `dueAt` itself if it waits for no bank. */
export function waitsUntil(
  { time_zone: timeZone, wait_for_bank: time }: Pick<PlatformRow, 'time_zone' | 'wait_for_bank'>,
  dueAt: number,
): number {
  return time === null ? dueAt : Math.max(dueAt, instantOf(localDayOf(dueAt, timeZone), time, timeZone));
}

/** The instant at which the clock of a time zone shows `time` on `day`, in unix seconds. */
function instantOf(day: string, time: string, timeZone: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return endOfLocalDay(dayLater(day, -1), timeZone) + hours * 3_600 + minutes * 60;
}

/** Informs the support of a platform, once a day, that reminders left without the bank statements that they waited for. */
export async function reportMissingStatements({ db, platform, deps, now }: LookContext): Promise<void> {
  const { platform_id: platformId, wait_for_bank: time, support_emails: addresses } = platform;
  if (time === null || addresses.length === 0) return;
  const today = localDayOf(now, platform.time_zone);
  const causes = addresses.map((_, nth) => `dunning/${today}/statements/support/${nth}`);
  if (await hasMail(db, platformId, causes[0] as string)) return;
  const missing = await findMissingStatements(db, platformId, today);
  if (missing.length === 0) return;
  const content = {
    items: missing.map(({ bankAccount, lastOn }): [string, string] => [bankAccount, lastOn ?? '–']),
    count: missing.length,
  };
  const mails = addresses.map((to, nth) =>
    composeMail(deps.vault, platform, {
      ...{ cause: causes[nth] as string, kind: 'support_statements_missing', to, content, now },
      ...{ language: platformLanguage(platform), formality: platform.formality },
    }),
  );
  await insertMails(db, (await Promise.all(mails)).flat());
}
