/** Ids for successive requests and statements. All ids of a series have the same length. */

/** `count` ids from the number `first` on, then starting again with the first. */
export interface Series {
  prefix: string;
  first: number;
  count: number;
}

/** Series of ids by their placeholder in a text, such as `{buyer}`. */
export type Ids<Name extends string = string> = Record<Name, Series> & Record<string, Series>;

const DIGITS = 9;

/** The id of the request with this number, counted from 0. */
export function idAt({ prefix, first, count }: Series, number: number): string {
  return prefix + String(first + (number % count)).padStart(DIGITS, '0');
}

export function allIds(series: Series): string[] {
  return Array.from({ length: series.count }, (_, number) => idAt(series, number));
}

/** Builds the text of a request, with every `{name}` replaced by the id for its number. */
export function filler(text: string, ids: Ids): (number: number) => string {
  const pieces = text.split(/\{(\w+)\}/).map((piece, index) => {
    if (index % 2 === 0) return piece;
    const series = ids[piece];
    if (!series) throw new Error(`{${piece}} has no series of ids.`);
    return series;
  });
  return (number) => {
    let filled = '';
    for (const piece of pieces) filled += typeof piece === 'string' ? piece : idAt(piece, number);
    return filled;
  };
}
