/** The reference rates that the laws of late payment name. */
import type { DatedValue, ReferenceRates, ReferenceSeries } from './late-payment-law.schemas.ts';

/** A series has no rate for the day. Charges that depend on it cannot be claimed until an operator updates the rates. */
export class MissingReferenceRate extends Error {
  readonly code: string;
  readonly day: string;

  constructor(code: string, day: string) {
    super(`The reference rate ${code} is not known for ${day}.`);
    this.code = code;
    this.day = day;
  }
}

/** The rate in force on a day, in ten-thousandths: basis points of an interest rate. Throws MissingReferenceRate. */
export function rateOn({ series }: ReferenceRates, code: string, day: string): number {
  const found = series.find((each) => each.code === code);
  const rate = found && lastUntil(found.rates, day);
  if (!rate || found.known_until === null || day > found.known_until)
    throw new MissingReferenceRate(code, day);
  return rate.ten_thousandths;
}

/** The value of the law on a day; undefined before the first. */
export function valueOn<Value>(values: readonly DatedValue<Value>[], day: string): Value | undefined {
  return lastUntil(values, day)?.value;
}

function lastUntil<Dated extends { valid_from: string }>(
  dated: readonly Dated[],
  day: string,
): Dated | undefined {
  return dated.findLast(({ valid_from }) => valid_from <= day);
}

/**
 * The rates after an update. A series of the update replaces the rates of the same series from its own first day on, and sets until
 * when they are known. Other series stay unchanged.
 */
export function updatedRates(current: ReferenceRates, update: ReferenceRates): ReferenceRates {
  const updates = new Map(update.series.map((series) => [series.code, series]));
  const codes = new Set(current.series.map(({ code }) => code));
  return {
    series: [
      ...current.series.map((series) => {
        const newer = updates.get(series.code);
        return newer ? updatedSeries(series, newer) : series;
      }),
      ...update.series.filter(({ code }) => !codes.has(code)),
    ],
  };
}

function updatedSeries(current: ReferenceSeries, newer: ReferenceSeries): ReferenceSeries {
  const first = newer.rates[0]?.valid_from;
  const kept =
    first === undefined ? current.rates : current.rates.filter(({ valid_from }) => valid_from < first);
  return { ...newer, rates: [...kept, ...newer.rates] };
}
