/**
 * Days of a platform's calendar. Payments fall due on a day, and a day has 23 or 25 hours when summer time changes. A day is written
 * 2026-01-31. A time zone is an IANA name.
 */
import { DAY_SECONDS, dayOf, LAST_DAY, LAST_INSTANT } from './day.ts';

const UTC = 'UTC';

/** Names of places and `Etc/…`. Excludes abbreviations and offsets, which `Intl` also accepts, because they have no summer time. */
const TIME_ZONE = /^(?:UTC|[A-Z][A-Za-z]+(?:\/[A-Z][A-Za-z0-9_+-]+){1,2})$/;

/** Whether the name is the IANA name of a time zone, such as Europe/Berlin. */
export function isTimeZone(name: string): boolean {
  if (!TIME_ZONE.test(name)) return false;
  try {
    wallClockOf(name);
    return true;
  } catch {
    return false;
  }
}

/** The day of an instant (unix seconds). */
export function localDayOf(at: number, timeZone: string): string {
  return dayOf(at + offsetAt(at, timeZone));
}

/** The first instant (unix seconds) after the day; LAST_INSTANT if no day follows. */
export function endOfLocalDay(day: string, timeZone: string): number {
  if (day >= LAST_DAY) return LAST_INSTANT;
  const midnight = startOf(day) + DAY_SECONDS;
  const isAfter = (at: number) => localDayOf(at, timeZone) > day;
  const guess = midnight - offsetAt(midnight - offsetAt(midnight, timeZone), timeZone);
  if (isAfter(guess) && !isAfter(guess - 1)) return guess;
  // Summer time changes at this midnight, which therefore occurs twice or not at all.
  let before = midnight - DAY_SECONDS;
  let after = midnight + DAY_SECONDS;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (isAfter(middle)) after = middle;
    else before = middle;
  }
  return after;
}

/** The last second of the day of an instant: the instant at which a payment due on that day falls due. */
export function lastSecondOf(day: string, timeZone: string): number {
  return endOfLocalDay(day, timeZone) - 1;
}

/** Calendar days from one day to another; negative if the other is earlier. */
export function calendarDaysBetween(from: string, to: string): number {
  return (startOf(to) - startOf(from)) / DAY_SECONDS;
}

const startOf = (day: string) => Date.parse(day) / 1_000;

const wallClocks = new Map<string, Intl.DateTimeFormat>();

/** Throws a RangeError for an unknown zone. */
function wallClockOf(timeZone: string): Intl.DateTimeFormat {
  const known = wallClocks.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en', {
    ...{ timeZone, calendar: 'gregory', numberingSystem: 'latn', hourCycle: 'h23' },
    ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  wallClocks.set(timeZone, made);
  return made;
}

/** A cache of the offsets of whole UTC days, by zone and number of the day: `Intl` takes about ten microseconds per offset. */
const offsets = new Map<string, number | null>();
const OFFSETS_MAX = 10_000;

/** How many seconds local clocks are ahead of UTC. */
function offsetAt(at: number, timeZone: string): number {
  if (timeZone === UTC) return 0;
  const day = Math.floor(at / DAY_SECONDS);
  const name = `${timeZone} ${day}`;
  let offset = offsets.get(name);
  if (offset === undefined) {
    const first = readOffsetAt(day * DAY_SECONDS, timeZone);
    // No zone changes its offset twice within a day.
    offset = first === readOffsetAt((day + 1) * DAY_SECONDS, timeZone) ? first : null;
    if (offsets.size >= OFFSETS_MAX) offsets.clear();
    offsets.set(name, offset);
  }
  return offset ?? readOffsetAt(at, timeZone);
}

function readOffsetAt(at: number, timeZone: string): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of wallClockOf(timeZone).formatToParts(at * 1_000)) parts[type] = Number(value);
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1_000 - at;
}
