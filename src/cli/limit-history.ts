/** `tradeline limits history`: every version of the credit settings of a platform, or of one buyer. */
import type { Currency } from '#kernel/currency';
import {
  type LimitPolicySettings,
  listCreditSettings,
  type PriceTable,
  settingsIn,
  settingsInForce,
} from '#modules/facilities';
import { exactAmount } from './amount-text.ts';
import type { OnPlatform } from './installation.ts';
import { instant } from './table.ts';
import { printHistory, type SettingChange } from './version-history.ts';

export async function printLimitHistory(
  { db, platform }: OnPlatform,
  buyerExternalId: string,
  isJson: boolean,
): Promise<void> {
  const { platform_id: platformId, currency, code } = platform;
  const versions = await listCreditSettings(db, { platformId, buyerExternalId });
  const isOfPlatform = buyerExternalId === '';
  const shown = { currency, unset: isOfPlatform ? 'default' : 'platform' };
  printHistory(
    isJson,
    versions.map((version, index) => ({
      ...version,
      changes: changesBetween(settingsInForce(versions[index - 1], version.valid_from), version, shown),
    })),
    `Nothing has ever been set for ${isOfPlatform ? code : `${buyerExternalId} on ${code}`}.`,
  );
}

interface Shown {
  /** The currency of amounts. */
  currency: Currency;
  /** The source of a setting that is not set. */
  unset: string;
}

function changesBetween(
  before: LimitPolicySettings | undefined,
  version: LimitPolicySettings,
  shown: Shown,
): SettingChange[] {
  const after = settingsIn(version);
  const { price_table: oldPrices = null, ...old } = before ?? {};
  const { price_table: newPrices, ...set } = after;
  const changes = Object.entries(set).map(([column, value]) => ({
    setting: column.replaceAll('_', '-'),
    before: textOf(column, old[column as keyof typeof old] ?? null, shown),
    after: textOf(column, value, shown),
  }));
  const prices = priceChanges(oldPrices as PriceTable | null, newPrices as PriceTable | null, shown);
  return [...changes, ...prices].filter((change) => change.before !== change.after);
}

function textOf(column: string, value: string | number | null, { currency, unset }: Shown): string {
  if (column === 'expires_at') return value === null ? '-' : instant(Number(value));
  if (value === null) return unset;
  return column.endsWith('_amount') ? `${exactAmount(Number(value), currency)} ${currency}` : `${value}`;
}

/** One change per price if one price table replaces another. */
function priceChanges(
  before: PriceTable | null,
  after: PriceTable | null,
  { unset }: Shown,
): SettingChange[] {
  const [old, set] = [pricesOf(before), pricesOf(after)];
  if (before === null || after === null) {
    const summary = (prices: Map<string, string>) =>
      prices.size === 0 ? unset : `own table of ${prices.size} rates`;
    return [{ setting: 'price-table', before: summary(old), after: summary(set) }];
  }
  return [...new Set([...old.keys(), ...set.keys()])].map((price) => ({
    setting: `price-table ${price}`,
    before: old.get(price) ?? '-',
    after: set.get(price) ?? '-',
  }));
}

/** `B DEFER_30D` → `1.10 %` */
function pricesOf(table: PriceTable | null): Map<string, string> {
  if (table === null) return new Map();
  const prices = Object.entries(table.fee_basis_points).flatMap(([priceClass, terms]) =>
    Object.entries(terms).map(([term, rate]) => [`${priceClass} ${term}`, percent(rate)] as const),
  );
  return new Map([['tax', percent(table.tax_basis_points)], ...prices]);
}

function percent(basisPoints: number): string {
  const digits = `${basisPoints}`.padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)} %`;
}
