/**
 * Random amounts in every currency, with every payment term, price and tax rate, from the offer of the term through invoices of
 * parts of the order. Parts sum to the total, net and tax sum to the gross amount, and amounts are rounded half to even.
 */
import { expect, it } from 'vitest';
import { CURRENCIES, minorDigits } from '#kernel/currency';
import { instalmentsOf, PAYMENT_TERMS } from '#kernel/payment-term';
import type { Random } from '#test/random';
import { AMOUNTS, AMOUNTS_TIMEOUT, randomAmount, same, withRandomAmounts } from '#test/random-amounts';
import { exactAmount, readAmount } from '../../src/cli/amount-text.ts';
import { feeOf } from '../../src/modules/facilities/price-table.rules.ts';
import { feePartOf, instalmentsOfPart } from '../../src/modules/invoices/invoice-parts.rules.ts';

/** 2025-11-20 12:00 UTC. */
const NOW = 1_763_640_000;
/** Tax rates of fees, in basis points. The first ones are usual; any rate may be set. */
const TAX_RATES = [0, 250, 700, 810, 1_000, 1_900, 2_000, 2_100, 2_300, 2_500, 2_700];
const INVOICES_MAX = 5;

/** Whether `rounded` differs from `dividend / divisor` by at most a half, and is even at exactly a half. */
function isHalfEven(rounded: number, dividend: bigint, divisor: bigint): boolean {
  const twice = 2n * (dividend - BigInt(rounded) * divisor);
  const size = twice < 0n ? -twice : twice;
  return size < divisor || (size === divisor && rounded % 2 === 0);
}

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

/** The gross amount in parts of at least 1, as invoices claim parts of an order. */
function partsOf(random: Random, gross: number): number[] {
  const parts: number[] = [];
  for (let left = gross; left > 0; left -= parts.at(-1) as number) {
    const isLast = parts.length === INVOICES_MAX - 1 || random.percent(30);
    parts.push(isLast ? left : 1 + (randomAmount(random) % left));
  }
  return parts;
}

it(`${AMOUNTS} amounts stay whole`, { timeout: AMOUNTS_TIMEOUT }, () => {
  const seen = { currencies: new Set<string>(), terms: new Set<string>() };
  withRandomAmounts((random) => {
    const currency = random.pick(CURRENCIES);
    const term = random.pick(PAYMENT_TERMS);
    const [gross, price] = [randomAmount(random), random.below(10_001)];
    const taxRate = random.percent(50) ? random.pick(TAX_RATES) : random.below(10_001);
    seen.currencies.add(currency);
    seen.terms.add(term);

    const fee = feeOf(gross, price, taxRate);
    same(fee.net + fee.tax, fee.gross, 'net and tax of a fee');
    same(isHalfEven(fee.net, BigInt(gross) * BigInt(price), 10_000n), true, 'a fee');
    same(isHalfEven(fee.tax, BigInt(fee.net) * BigInt(taxRate), 10_000n), true, 'tax of a fee');

    const agreed = instalmentsOf(term, gross, NOW, 'UTC').map(({ dueAt, amountMinor }) => ({
      due_at: dueAt,
      amount: { value: amountMinor, currency },
    }));
    same(sumOf(agreed.map(({ amount }) => amount.value)), gross, 'instalments of an order');

    const taken = { amountMinor: 0, fee: { net: 0, tax: 0 } };
    for (const part of partsOf(random, gross)) {
      const ofPart = instalmentsOfPart(agreed, part, gross);
      same(sumOf(ofPart), part, 'instalments of a part');
      same(Math.min(...ofPart) >= 0, true, 'every instalment is an amount');
      const { net, tax } = feePartOf(fee, gross, part, taken);
      taken.amountMinor += part;
      taken.fee = { net: taken.fee.net + net, tax: taken.fee.tax + tax };
      const share = [BigInt(taken.amountMinor), BigInt(gross)] as const;
      same(isHalfEven(taken.fee.net, BigInt(fee.net) * share[0], share[1]), true, 'net until a part');
      same(isHalfEven(taken.fee.tax, BigInt(fee.tax) * share[0], share[1]), true, 'tax until a part');
    }
    same(taken.amountMinor, gross, 'parts');
    same(taken.fee.net, fee.net, 'net of the parts');
    same(taken.fee.tax, fee.tax, 'tax of the parts');

    for (const amount of [gross, fee.net, fee.tax, fee.gross])
      same(Number.isSafeInteger(amount), true, 'whole minor units');
    const text = exactAmount(gross, currency);
    same(text.replaceAll(/[.,]/g, '').replace(/^0+/, ''), `${gross}`, 'an amount as text');
    same(text.split('.')[1]?.length ?? 0, minorDigits(currency), 'decimals');
    same(readAmount(text, '--amount', currency), gross, 'an amount that is read');
  });
  if (AMOUNTS < 10_000) return;
  expect([...seen.currencies].sort()).toEqual([...CURRENCIES].sort());
  expect([...seen.terms].sort()).toEqual([...PAYMENT_TERMS].sort());
});
