/**
 * Reads values of a registry's answer: no field is trusted to be present or to have its type, and text becomes one
 * clean line.
 */

export type JsonObject = Record<string, unknown>;

/** Longer than any name or line that a registry has published. */
const TEXT_LENGTH_MAX = 500;

/** The object, or an empty one for any other value. */
export function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** One line without control characters; null without a letter or digit, as in `-` and `---`. */
export function readText(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > TEXT_LENGTH_MAX) return null;
  const text = value
    .replaceAll(/\p{Cs}/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return /[\p{L}\p{N}]/u.test(text) ? text : null;
}

/** Midnight (UTC) of the day in unix seconds, from a date or a date and time. The day is taken as written. */
export function readDay(value: unknown): number | null {
  const parts = typeof value === 'string' ? /^([1-9]\d{3})-(\d\d)-(\d\d)(?!\d)/.exec(value) : null;
  if (!parts) return null;
  const [, year, month, day] = parts.map(Number) as [number, number, number, number];
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date.getTime() / 1_000 : null;
}

/** The letters and digits in capitals, for comparison without grouping and case. */
export function compact(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase();
}

/** The distinct names without those in `taken`. */
export function otherNamesBeside(taken: (string | null)[], names: (string | null)[]): string[] {
  const known = new Set(taken);
  return [...new Set(names)].filter((name) => name !== null).filter((name) => !known.has(name));
}
