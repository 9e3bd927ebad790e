/** Prints the comparison of two credit policies as tables. */
import { type Currency, minorDigits } from '#kernel/currency';
import type { Comparison, CurrencyFigures } from '#modules/underwriting';
import { printTable } from './table.ts';

const DIFFERENCES_SHOWN = 50;

export function printComparison(comparison: Comparison, titles: { old: string; new: string }): void {
  const { old, new: renewed, differences, hasPastCredit } = comparison;
  if (old.applications === 0) {
    console.log('Nothing has been decided yet: there is no past to compare on.');
    return;
  }
  const line = (what: string, before: number | string, after: number | string) => ({
    '': what,
    [titles.old]: `${before}`,
    // Two columns with the same name would become one.
    [titles.new === titles.old ? `${titles.new} (new)` : titles.new]: `${after}`,
  });
  printTable(
    [
      line('applications', old.applications, renewed.applications),
      line('approvals', old.approvals, renewed.approvals),
      line('referrals', old.referrals, renewed.referrals),
      line('rejections', old.rejections, renewed.rejections),
      ...[...old.currencies].flatMap(([currency, before]) =>
        rowsOf(before, renewed.currencies.get(currency) ?? before, currency, hasPastCredit).map((row) =>
          line(...row),
        ),
      ),
    ],
    '',
  );
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

function rowsOf(
  before: CurrencyFigures,
  after: CurrencyFigures,
  currency: Currency,
  hasPastCredit: boolean,
): [string, string | number, string | number][] {
  const amount = (what: string, name: keyof CurrencyFigures): [string, string, string] => [
    `${what}, ${currency}`,
    formatAmount(before[name], currency),
    formatAmount(after[name], currency),
  ];
  const limits = [amount('sum of limits', 'limitSum'), amount('average limit', 'limitAverage')];
  if (!hasPastCredit) return limits;
  return [
    ...limits,
    [`orders kept, ${currency}`, before.ordersKept, after.ordersKept],
    [`orders dropped, ${currency}`, before.ordersDropped, after.ordersDropped],
    amount('amount dropped', 'amountDropped'),
    amount('peak exposure', 'exposurePeak'),
    amount('losses', 'losses'),
    amount('losses avoided', 'lossesAvoided'),
  ];
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
  const limit = limitMinor === null ? [] : [formatAmount(limitMinor, currency), currency];
  return [outcome, ...limit, riskBand ?? ''].join(' ').trimEnd();
}

/** 2500000 cents → 25,000.00, without floating-point arithmetic. */
function formatAmount(minor: number, currency: Currency): string {
  const digits = minorDigits(currency);
  const text = `${minor}`.padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits).replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return digits === 0 ? whole : `${whole}.${text.slice(-digits)}`;
}
