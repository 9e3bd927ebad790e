/** Reading what a registry sent: nothing is believed to be there or to have its type, and text is made one clean line. */

export type JsonObject = Record<string, unknown>;

/** Longer than any name or line that a registry has printed; past it the text is not one. */
const TEXT_LENGTH_MAX = 500;

/** An object, or an empty one, so that a field of nothing is nothing. */
export function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** One line without control characters, or null where there is no letter and no digit: `-` and `---` are empty. */
export function readText(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > TEXT_LENGTH_MAX) return null;
  const text = value
    .replaceAll(/\p{Cs}/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return /[\p{L}\p{N}]/u.test(text) ? text : null;
}

/** Unix seconds of the day's midnight in UTC, from a date or a date and time: the day counts as it is written. */
export function readDay(value: unknown): number | null {
  const parts = typeof value === 'string' ? /^([1-9]\d{3})-(\d\d)-(\d\d)(?!\d)/.exec(value) : null;
  if (!parts) return null;
  const [, year, month, day] = parts.map(Number) as [number, number, number, number];
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date.getTime() / 1_000 : null;
}

/** Letters and digits in capitals: what is left when grouping and case mean nothing. */
export function compact(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase();
}

/** The names once each, without those that are `taken`. */
export function otherNamesBeside(taken: (string | null)[], names: (string | null)[]): string[] {
  const known = new Set(taken);
  return [...new Set(names)].filter((name) => name !== null).filter((name) => !known.has(name));
}
