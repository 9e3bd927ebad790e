/** Money: whole minor units (cents, yen), never a float. */
import { type Static, Type } from 'typebox';
import { amountInput, CurrencySchema, closed, named, optional } from './fields.ts';

export const AmountInput = Type.Object(
  {
    net: amountInput(1, 'Minor units of the currency'),
    gross: amountInput(1, 'net + tax'),
    tax: optional(amountInput(0, 'Absent or null is 0')),
    currency: optional(CurrencySchema),
  },
  {
    additionalProperties: false,
    title: 'AmountInput',
    'x-gross-is-net-plus-tax': true,
    description: "Integers in minor units. Without a currency: the platform's.",
  },
);
export type AmountInput = Static<typeof AmountInput>;

export const Amount = named(
  'Amount',
  closed({
    net: Type.Integer(),
    gross: Type.Integer(),
    tax: Type.Integer(),
    currency: CurrencySchema,
  }),
);
export type Amount = Static<typeof Amount>;

export function grossMatches(amount: { net: number; gross: number; tax?: number | null }): boolean {
  return amount.gross === amount.net + (amount.tax ?? 0);
}
