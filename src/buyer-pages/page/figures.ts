/** Days, rates, periods and sizes in the format of a language. */
import type { Translator } from '#messages';

const BASIS_POINT_DIGITS = 4;

/** A number of days: `12 days`. */
export function daysText(days: number, { locale }: Translator): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(days);
}

/** A yearly rate in basis points: 1137 is `11.37%`. */
export function rateText(basisPoints: number, { locale }: Translator): string {
  const digits = String(basisPoints).padStart(BASIS_POINT_DIGITS + 1, '0');
  const decimal = `${digits.slice(0, -BASIS_POINT_DIGITS)}.${digits.slice(-BASIS_POINT_DIGITS)}`;
  const format = new Intl.NumberFormat(locale, { style: 'percent', minimumFractionDigits: 2 });
  return format.format(decimal as `${number}`);
}

/** Formats two calendar days, such as 2026-01-31. */
export function spanText(from: string, to: string, { locale }: Translator): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const instantOf = (day: string) => new Date(`${day}T00:00:00Z`);
  return format.formatRange(instantOf(from), instantOf(to));
}

const KILOBYTE = 1_000;
const MEGABYTE = 1_000_000;

/** The size of a file: `2.4 MB`, `312 kB`. */
export function sizeText(bytes: number, { locale }: Translator): string {
  const [unit, size] = bytes < MEGABYTE ? ['kilobyte', KILOBYTE] : ['megabyte', MEGABYTE];
  const format = new Intl.NumberFormat(locale, {
    ...{ style: 'unit', unit: unit as string, unitDisplay: 'short' },
    maximumFractionDigits: unit === 'kilobyte' ? 0 : 1,
  });
  return format.format(Math.max(1, bytes / (size as number)));
}
