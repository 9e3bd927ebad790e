/** Prints the comparison of two credit policies as tables. */
import type { Currency } from '#kernel/currency';
import {
  type Comparison,
  type CurrencyFigures,
  HORIZONS_MONTHS,
  type PolicyFigures,
  type Vintage,
} from '#modules/underwriting';
import { exactAmount, wholeUnits } from './amount-text.ts';
import { type ChartedLosses, isOpen } from './loss-chart.ts';
import { printTable } from './table.ts';

const DIFFERENCES_SHOWN = 50;

/** Makes the titles distinct, because two columns or tables with the same name would be confused. */
export function distinctTitles(titles: { old: string; new: string }): { old: string; new: string } {
  return { old: titles.old, new: titles.new === titles.old ? `${titles.new} (new)` : titles.new };
}

/** Prints the comparison. `titles` must be distinct. */
export function printComparison(comparison: Comparison, titles: { old: string; new: string }): void {
  const { old, new: renewed, differences, hasPastCredit } = comparison;
  if (old.applications === 0) {
    console.log('Nothing has been decided yet: there are no past applications to compare.');
    return;
  }
  const rows = rowsOf(old, hasPastCredit).map(([what, before], index) => ({
    '': what,
    [titles.old]: before,
    [titles.new]: rowsOf(renewed, hasPastCredit)[index]?.[1] ?? '',
  }));
  printTable(rows, '');
  if (hasPastCredit)
    for (const side of ['old', 'new'] as const)
      for (const [currency, figures] of comparison[side].currencies)
        printVintages(figures.vintages, currency, titles[side]);
  console.log('\nApplications by risk band\n');
  printTable(
    comparison.bandTransitions.map(({ from, to, applications }) => ({
      from,
      to: from === to ? '=' : to,
      applications: `${applications}`,
    })),
    '',
  );
  console.log(`\n${differences.length} of ${old.applications} differ${differences.length > 0 ? '\n' : '.'}`);
  if (differences.length > 0) printDifferences(comparison);
}

/** The vintages of both policies, currency by currency. */
export function lossesOf({ old, new: renewed }: Comparison): ChartedLosses[] {
  return [...old.currencies].map(([currency, { vintages }]) => ({
    currency,
    old: vintages,
    new: renewed.currencies.get(currency)?.vintages ?? [],
  }));
}

/** The comparison for `--json`: amounts by currency, in minor units. */
export function comparisonFields(comparison: Comparison): unknown {
  return snakeCased(comparison);
}

/** `limitSum` → `limit_sum`. A currency stays as it is. */
const fieldName = (name: string) =>
  name.replaceAll(/(?<=[a-z])[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);

function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased);
  if (value === null || typeof value !== 'object') return value;
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(entries.map(([name, each]) => [fieldName(String(name)), snakeCased(each)]));
}

function rowsOf(figures: PolicyFigures, hasPastCredit: boolean): [string, string][] {
  const { applications, approvals } = figures;
  return [
    ['applications', `${applications}`],
    ['approvals', `${approvals}`],
    ['approval rate', `${((approvals / applications) * 100).toFixed(1)} %`],
    ['referrals', `${figures.referrals}`],
    ['rejections', `${figures.rejections}`],
    ['approvals without a past', `${figures.untested}`],
    ...[...figures.currencies].flatMap(([currency, each]) => currencyRows(each, currency, hasPastCredit)),
  ];
}

function currencyRows(
  figures: CurrencyFigures,
  currency: Currency,
  hasPastCredit: boolean,
): [string, string][] {
  const amount = (what: string, minor: number): [string, string] => [
    `${what}, ${currency}`,
    exactAmount(minor, currency),
  ];
  const limits = [amount('sum of limits', figures.limitSum), amount('average limit', figures.limitAverage)];
  if (!hasPastCredit) return limits;
  return [
    ...limits,
    [`orders kept, ${currency}`, `${figures.ordersKept}`],
    [`orders dropped, ${currency}`, `${figures.ordersDropped}`],
    amount('amount dropped', figures.amountDropped),
    amount('good business dropped', figures.goodBusinessDropped),
    amount('losses avoided', figures.lossesAvoided),
    amount('peak exposure', figures.exposurePeak),
    amount('expected loss', figures.expectedLoss),
    amount('defaulted', figures.defaulted),
    amount('paid since', figures.paidSince),
    amount('written off', figures.writtenOff),
    amount('recovered', figures.recovered),
    amount('net loss', figures.netLoss),
    amount('still in default', figures.stillOpen),
  ];
}

function printVintages(vintages: readonly Vintage[], currency: Currency, title: string): void {
  if (vintages.length === 0) return;
  const units = (minor: number) => wholeUnits(minor, currency);
  console.log(`\nBy month of the decision under ${title}, in whole ${currency}\n`);
  printTable(
    vintages.map((vintage) => ({
      month: vintage.month,
      decided: `${vintage.applications}`,
      approved: `${vintage.approvals}`,
      granted: units(vintage.granted),
      used: units(vintage.used),
      ...Object.fromEntries(
        HORIZONS_MONTHS.map((months) => [`lost of used, ${months} m`, lostAfter(vintage, months, units)]),
      ),
      'written off': units(vintage.writtenOff),
      recovered: units(vintage.recovered),
      'net loss': units(vintage.netLoss),
      'in default': units(vintage.stillOpen),
      'expected loss': units(vintage.expectedLoss),
      '': isOpen(vintage) ? 'open' : '',
    })),
    '',
    { isRightAligned: true },
  );
}

function lostAfter(
  { after }: Vintage,
  months: (typeof HORIZONS_MONTHS)[number],
  units: (minor: number) => string,
): string {
  const judged = after[months];
  return judged === null ? 'open' : `${units(judged.lost)} of ${units(judged.used)}`;
}

function printDifferences({ differences }: Comparison): void {
  printTable(
    differences.slice(0, DIFFERENCES_SHOWN).map(({ old, new: renewed }) => ({
      decided: new Date(old.decidedAt * 1_000).toISOString(),
      buyer: old.buyerExternalId,
      subject: old.subject,
      old: describe(old),
      new: describe(renewed),
    })),
    '',
  );
  const more = differences.length - DIFFERENCES_SHOWN;
  if (more > 0) console.log(`… and ${more} more`);
}

function describe({
  outcome,
  limitMinor,
  riskBand,
  currency,
}: Comparison['differences'][number]['old']): string {
  const limit = limitMinor === null ? [] : [exactAmount(limitMinor, currency), currency];
  return [outcome, ...limit, riskBand ?? ''].join(' ').trimEnd();
}
