/** When a mailing may leave: on business days, between 8:00 and 18:00 in the buyer's time zone. */
import { type BusinessCalendar, isBusinessDay, nextBusinessDay } from '#kernel/business-day';
import { DAY_SECONDS, dayLater } from '#kernel/day';
import { endOfLocalDay, localDayOf } from '#kernel/local-day';

/** The hours of a country. If it has several zones, the window is open in all of them. */
export interface SendWindow {
  /** The zone in which the day begins last. */
  opensIn: string;
  /** The zone in which the day ends first. */
  closesIn: string;
}

const OPENS_AT = 8 * 3_600;
const CLOSES_BEFORE_MIDNIGHT = DAY_SECONDS - 18 * 3_600;

const of = (zone: string): SendWindow => ({ opensIn: zone, closesIn: zone });
const across = (opensIn: string, closesIn: string): SendWindow => ({ opensIn, closesIn });

/** The windows of the countries whose currencies the service supports. */
const WINDOWS: Readonly<Record<string, SendWindow>> = {
  AT: of('Europe/Vienna'),
  AU: across('Australia/Perth', 'Australia/Sydney'),
  BE: of('Europe/Brussels'),
  BG: of('Europe/Sofia'),
  CA: across('America/Vancouver', 'America/St_Johns'),
  CH: of('Europe/Zurich'),
  CY: of('Asia/Nicosia'),
  CZ: of('Europe/Prague'),
  DE: of('Europe/Berlin'),
  DK: of('Europe/Copenhagen'),
  EE: of('Europe/Tallinn'),
  ES: across('Atlantic/Canary', 'Europe/Madrid'),
  FI: of('Europe/Helsinki'),
  FR: of('Europe/Paris'),
  GB: of('Europe/London'),
  GR: of('Europe/Athens'),
  HR: of('Europe/Zagreb'),
  HU: of('Europe/Budapest'),
  IE: of('Europe/Dublin'),
  IT: of('Europe/Rome'),
  JP: of('Asia/Tokyo'),
  LI: of('Europe/Vaduz'),
  LT: of('Europe/Vilnius'),
  LU: of('Europe/Luxembourg'),
  LV: of('Europe/Riga'),
  MT: of('Europe/Malta'),
  NL: of('Europe/Amsterdam'),
  NO: of('Europe/Oslo'),
  NZ: across('Pacific/Auckland', 'Pacific/Chatham'),
  PL: of('Europe/Warsaw'),
  PT: across('Atlantic/Azores', 'Europe/Lisbon'),
  RO: of('Europe/Bucharest'),
  SE: of('Europe/Stockholm'),
  SI: of('Europe/Ljubljana'),
  SK: of('Europe/Bratislava'),
  US: across('Pacific/Honolulu', 'America/New_York'),
};

/** The hours of the buyer's country; if it is unknown or has no entry here, those of the platform's time zone. */
export function sendWindowOf(country: string | null, platformTimeZone: string): SendWindow {
  return WINDOWS[country ?? ''] ?? of(platformTimeZone);
}

/** When the window opens on a day, in unix seconds. */
export function opensOn({ opensIn }: SendWindow, day: string): number {
  return endOfLocalDay(dayLater(day, -1), opensIn) + OPENS_AT;
}

function closesOn({ closesIn }: SendWindow, day: string): number {
  return endOfLocalDay(day, closesIn) - CLOSES_BEFORE_MIDNIGHT;
}

/** The day in the zone of the window at `at` (unix seconds). */
export const dayIn = ({ opensIn }: SendWindow, at: number) => localDayOf(at, opensIn);

/**
 * The first day on which a mailing can still leave: today before the window closes, else the next business day. A buyer that got a
 * mailing today gets the next one on another day.
 */
export function earliestDay(
  window: SendWindow,
  calendar: BusinessCalendar,
  { now, isSentToday }: { now: number; isSentToday: boolean },
): string {
  const today = dayIn(window, now);
  const isLeft = !isSentToday && now < closesOn(window, today);
  return isLeft && isBusinessDay(calendar, today) ? today : nextBusinessDay(calendar, dayLater(today, 1));
}

/** Reminders cover invoices due before this day, which has begun in every zone by then. `now` in unix seconds. */
export const dueByOf = (timeZone: string, now: number): string =>
  dayLater(dayIn({ opensIn: timeZone, closesIn: timeZone }, now), 1);
