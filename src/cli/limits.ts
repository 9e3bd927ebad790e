/** `tradeline limits show|history|set|clear`: the credit settings of a platform, and temporary overrides for one buyer. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Currency } from '#kernel/currency';
import { StartRefused } from '#kernel/start-refused';
import {
  findCreditSettings,
  limitPolicyChange,
  limitPolicyOf,
  type PriceTable,
  priceTableChange,
  readPriceTable,
  type SettingChanges,
  settingsInForce,
} from '#modules/facilities';
import { exactAmount, readAmount } from './amount-text.ts';
import { readArguments, WrongUsage } from './arguments.ts';
import { commandOf } from './command.ts';
import { nowOn, type OnPlatform, onPlatform } from './installation.ts';
import { printLimitHistory } from './limit-history.ts';
import { askedDay, dayEnd, instantOfDay, isExternalId, reasonText, required } from './options.ts';
import { requestAndPrint } from './request-change.ts';
import { printDone, printResult } from './result.ts';
import { instant, printTable } from './table.ts';

export const limitsCommand = commandOf('limits', { show, history, set, clear });

const text = { type: 'string' } as const;

/** Option → its column and its parser. The parser throws WrongUsage. It parses amounts only once the currency is known. */
const SETTINGS = {
  counts: { column: 'counts', read: oneOf('ORDERS', 'INVOICES') },
  'tolerance-percent': { column: 'tolerance_percent', read: whole(0, 25) },
  'overdue-stop-amount': { column: 'overdue_stop_amount', read: amount },
  'overdue-stop-days': { column: 'overdue_stop_days', read: whole(0, 3_650) },
  'overdue-residue-amount': { column: 'overdue_residue_amount', read: amount },
  'overdue-grace-days': { column: 'overdue_grace_days', read: whole(0, 3_650) },
  'default-materiality-amount': { column: 'default_materiality_amount', read: amount },
  'confirmation-limit-days': { column: 'confirmation_limit_days', read: whole(1, 365) },
  'authorization-limit-days': { column: 'authorization_limit_days', read: whole(1, 365) },
  'price-table': { column: 'price_table', read: priceTableOf },
} as const satisfies Record<string, { column: string; read: Reader }>;

type Reader = (value: string, option: string) => (currency: Currency) => string | number | PriceTable;
type Option = keyof typeof SETTINGS;
const OPTIONS = Object.keys(SETTINGS) as Option[];

/** The columns that `clear` clears. The price table belongs to another role. */
const LIMIT_COLUMNS = Object.values(SETTINGS)
  .map(({ column }) => column)
  .filter((column) => column !== 'price_table');

/** The value that unsets a setting, so that the platform's setting or the default applies. */
const UNSET = 'default';

async function show(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform: text, buyer: text, at: text } });
  const buyer = buyerOf(values.buyer);
  const day = askedDay(values.at);
  await onPlatform(values.platform, async (on) => {
    const at = instantOfDay(day, nowOn(on));
    const own = await findCreditSettings(on.db, keyOf(on, ''), at);
    const override = buyer === '' ? undefined : await findCreditSettings(on.db, keyOf(on, buyer), at);
    const inForce = settingsInForce(override, at);
    const policy = limitPolicyOf(own, override, at);
    const effective: Record<Option, unknown> = {
      counts: policy.counts,
      'tolerance-percent': policy.tolerancePercent,
      'overdue-stop-amount': policy.overdueStopAmountMinor,
      'overdue-stop-days': policy.overdueStopDays,
      'overdue-residue-amount': policy.overdueResidueAmountMinor,
      'overdue-grace-days': policy.overdueGraceDays,
      'default-materiality-amount': policy.defaultMaterialityAmountMinor,
      'confirmation-limit-days': policy.confirmationLimitDays,
      'authorization-limit-days': policy.authorizationLimitDays,
      'price-table': JSON.stringify(policy.priceTable),
    };
    const fromOf = (option: Option) => {
      const { column } = SETTINGS[option];
      if (inForce && inForce[column] !== null) return 'buyer';
      return own && own[column] !== null ? 'platform' : 'default';
    };
    const settings = OPTIONS.map((option) => ({
      setting: option,
      from: fromOf(option),
      value: effective[option],
    }));
    printResult(values.json, settings, () => {
      printTable(
        settings.map(({ setting, from, value }) => ({
          ...{ setting, from },
          value: textOf(setting, value, on.platform.currency),
        })),
        '',
      );
      // A cleared override has no expiry.
      if (override && override.expires_at !== null)
        console.log(
          `\n${byOf(override)}, for ${buyer}${inForce ? '' : ' (over)'}: ${override.reason}. Until ${instant(override.expires_at)}.`,
        );
    });
  });
}

async function history(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform: text, buyer: text } });
  const buyer = buyerOf(values.buyer);
  await onPlatform(values.platform, (on) => printLimitHistory(on, buyer, values.json));
}

async function set(args: string[]): Promise<void> {
  const { values } = readArguments({
    args,
    options: {
      platform: text,
      buyer: text,
      expires: text,
      reason: text,
      ...(Object.fromEntries(OPTIONS.map((option) => [option, text])) as Record<Option, typeof text>),
    },
  });
  const changesIn = changesOf(values);
  const buyer = buyerOf(values.buyer);
  const expiresAt = buyer === '' ? null : dayEnd(values.expires, '--expires', LAST_DAY);
  if (buyer === '' && values.expires !== undefined)
    throw new WrongUsage('--expires applies to the settings of one buyer: name the buyer with --buyer.');
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(values.platform, (on) =>
    requestAndPrint(on, {
      isJson: values.json,
      kind: values['price-table'] === undefined ? limitPolicyChange : priceTableChange,
      payload: { buyerExternalId: buyer, changes: changesIn(on.platform.currency), expiresAt },
      reason,
      made: `Set on ${on.platform.code}${expiresAt === null ? '' : ` for ${buyer} until ${instant(expiresAt)}`}.`,
    }),
  );
}

async function clear(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform: text, buyer: text, reason: text } });
  const buyer = buyerOf(values.buyer);
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(values.platform, async (on) => {
    const whose = buyer === '' ? on.platform.code : `${buyer} on ${on.platform.code}`;
    const now = nowOn(on);
    const settings = settingsInForce(await findCreditSettings(on.db, keyOf(on, buyer), now), now);
    const stays =
      settings?.price_table == null ? '' : ' The price table stays: set --price-table default removes it.';
    if (!settings || LIMIT_COLUMNS.every((column) => settings[column] === null))
      return printDone(values.json, {}, `Nothing is set for ${whose}.${stays}`);
    await requestAndPrint(on, {
      isJson: values.json,
      kind: limitPolicyChange,
      payload: { buyerExternalId: buyer, changes: null, expiresAt: null },
      reason,
      made: `Nothing is set for ${whose} any more.${stays}`,
    });
  });
}

function byOf({
  set_by: by,
  approved_by: approvedBy,
}: {
  set_by: string;
  approved_by: string | null;
}): string {
  return approvedBy === null ? by : `${by} and ${approvedBy}`;
}

/** The changes, once the currency of their amounts is known. */
function changesOf(values: Partial<Record<Option, string>>): (currency: Currency) => SettingChanges {
  const named = OPTIONS.filter((option) => values[option] !== undefined);
  if (named.length === 0)
    throw new WrongUsage(`Name at least one setting: ${OPTIONS.map((option) => `--${option}`).join(', ')}.`);
  if (named.length > 1 && named.includes('price-table'))
    throw new WrongUsage('Set the price table in a separate command: it requires the role FINANCE.');
  const changes = named.map((option) => {
    const { column, read } = SETTINGS[option];
    const value = values[option] as string;
    return { column, valueIn: value === UNSET ? () => null : read(value, `--${option}`) };
  });
  return (currency) => Object.fromEntries(changes.map(({ column, valueIn }) => [column, valueIn(currency)]));
}

function oneOf(...known: string[]): Reader {
  return (value, option) => {
    if (!known.includes(value)) throw new WrongUsage(`${option} must be ${known.join(' or ')}, or ${UNSET}.`);
    return () => value;
  };
}

function whole(minimum: number, maximum: number): Reader {
  return (value, option) => {
    if (!/^\d{1,13}$/.test(value) || Number(value) < minimum || Number(value) > maximum)
      throw new WrongUsage(`${option} must be a whole number from ${minimum} to ${maximum}, or ${UNSET}.`);
    return () => Number(value);
  };
}

/** In the currency of the platform. */
function amount(value: string, option: string): (currency: Currency) => number {
  return (currency) => readAmount(value, option, currency);
}

function textOf(option: Option, value: unknown, currency: Currency): string {
  const isAmount = SETTINGS[option].read === amount;
  return isAmount ? `${exactAmount(value as number, currency)} ${currency}` : `${value}`;
}

function priceTableOf(path: string): () => PriceTable {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    throw new StartRefused(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  const read = readPriceTable(content);
  if ('faults' in read)
    throw new StartRefused([`${basename(path)} is not a price table:`, ...read.faults].join('\n'));
  return () => read.priceTable;
}

const keyOf = ({ platform }: OnPlatform, buyerExternalId: string) => ({
  platformId: platform.platform_id,
  buyerExternalId,
});

/** The buyer's external_id; empty for the platform's own settings. */
function buyerOf(value: string | undefined): string {
  return value === undefined ? '' : required(value, '--buyer', isExternalId, "a buyer's external_id");
}

const LAST_DAY = 'a day such as 2026-12-31, the last on which it holds';
