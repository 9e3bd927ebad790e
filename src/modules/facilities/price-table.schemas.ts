import { type Static, Type } from 'typebox';
import { closed } from '#kernel/fields';
import { isOnCredit, PAYMENT_TERMS } from '#kernel/payment-term';
import { PRICE_CLASSES } from '#modules/underwriting';
import { compileValidator } from '#operation/validation';
import type { PriceTable } from './price-table.rules.ts';

/** 100 % of the amount. A higher fee is a mistake. */
const BASIS_POINTS_MAX = 10_000;

const basisPoints = Type.Integer({ minimum: 0, maximum: BASIS_POINTS_MAX });
const terms = closed(
  Object.fromEntries(PAYMENT_TERMS.filter(isOnCredit).map((term) => [term, Type.Optional(basisPoints)])),
);

const PriceTableFile = closed({
  tax_basis_points: basisPoints,
  fee_basis_points: closed(Object.fromEntries(PRICE_CLASSES.map((name) => [name, terms]))),
});

const issuesOf = compileValidator(PriceTableFile, 'body');

/** Parses the text of a price table; returns a sentence for each fault if it is invalid. */
export function readPriceTable(text: string): { priceTable: PriceTable } | { faults: string[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { faults: [`it is not JSON (${(error as Error).message})`] };
  }
  const issues = issuesOf(value);
  if (issues.length > 0)
    return {
      faults: issues.map(({ path, message }) =>
        path === 'body' ? `it ${message}` : `${path.slice('body.'.length)} ${message}`,
      ),
    };
  return { priceTable: value as Static<typeof PriceTableFile> as PriceTable };
}
