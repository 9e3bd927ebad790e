/** Amounts that a request body writes with a fraction or an exponent. */
import type { TSchema } from 'typebox';
import { IS_AMOUNT } from '#kernel/fields';

/** The keys and positions that lead to a part of a value. */
export type ValuePath = readonly (string | number)[];

/**
 * Replaces amounts that a request body writes with a fraction or an exponent with NaN, which the validator refuses. A caller that sends
 * `100.00` most likely means 10000 minor units. Other integers may be written that way, because JSON has only one number type.
 */
export function voidDecimalAmounts(schema: TSchema, value: unknown, decimals: readonly ValuePath[]): void {
  for (const path of decimals) {
    if (!isAmountAt(schema, path)) continue;
    const holder = path.slice(0, -1).reduce((part, step) => (part as Parts)[step], value) as Parts;
    holder[path.at(-1) as string] = Number.NaN;
  }
}

type Parts = Record<string | number, unknown>;

interface PartSchema {
  [IS_AMOUNT]?: true;
  properties?: Record<string, PartSchema>;
  items?: PartSchema;
}

function isAmountAt(schema: PartSchema, path: ValuePath): boolean {
  let part: PartSchema | undefined = schema;
  for (const step of path) part = typeof step === 'number' ? part?.items : part?.properties?.[step];
  return part?.[IS_AMOUNT] === true;
}
