/** `tradeline limits show|set|clear`: the credit settings of a platform, and temporary overrides for one buyer. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { inTransaction } from '#infra/database/transaction';
import { DAY_SECONDS } from '#kernel/day';
import { MINOR_UNITS_MAX } from '#kernel/fields';
import { StartRefused } from '#kernel/start-refused';
import { findBuyer } from '#modules/buyers';
import {
  deleteCreditSettings,
  findCreditSettings,
  limitPolicyOf,
  putCreditSettings,
  readPriceTable,
} from '#modules/facilities';
import { nowOn, type OnPlatform, onPlatform } from './installation.ts';
import { isExternalId, personName, reasonText, required } from './options.ts';
import { printTable } from './table.ts';

const VERBS: Record<string, (args: string[]) => Promise<void>> = { show, set, clear };

const text = { type: 'string' } as const;

/** Option → its column, the expected value, and a parser that returns undefined for an invalid text. */
const SETTINGS = {
  counts: {
    column: 'counts',
    expected: 'ORDERS or INVOICES',
    read: (value: string) => (/^(ORDERS|INVOICES)$/.test(value) ? value : undefined),
  },
  'tolerance-percent': whole('tolerance_percent', 0, 100),
  'overdue-stop-amount': whole('overdue_stop_amount', 0, MINOR_UNITS_MAX),
  'overdue-stop-days': whole('overdue_stop_days', 0, 3_650),
  'overdue-residue-amount': whole('overdue_residue_amount', 0, MINOR_UNITS_MAX),
  'overdue-grace-days': whole('overdue_grace_days', 0, 3_650),
  'default-materiality-amount': whole('default_materiality_amount', 0, MINOR_UNITS_MAX),
  'confirmation-limit-days': whole('confirmation_limit_days', 1, 365),
  'authorization-limit-days': whole('authorization_limit_days', 1, 365),
  'price-table': { column: 'price_table', expected: 'a readable file', read: priceTableOf },
} as const;
type Option = keyof typeof SETTINGS;
const OPTIONS = Object.keys(SETTINGS) as Option[];

/** The value that unsets a setting: the platform's setting or the default applies. */
const UNSET = 'default';

export async function limitsCommand([verb = '', ...args]: string[]): Promise<void> {
  const chosen = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (!chosen) throw new StartRefused('Say what to do: tradeline limits show, set or clear.');
  await chosen(args);
}

async function show(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { platform: text, buyer: text } });
  const buyer = buyerOf(values.buyer);
  await onPlatform(values.platform, async (on) => {
    const now = nowOn(on);
    const own = await findCreditSettings(on.db, keyOf(on, ''));
    const override = buyer === '' ? undefined : await findCreditSettings(on.db, keyOf(on, buyer));
    const isInForce = override && (override.expires_at === null || override.expires_at > now);
    const policy = limitPolicyOf(own, override, now);
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
      if (isInForce && override[column] !== null) return 'buyer';
      return own && own[column] !== null ? 'platform' : 'default';
    };
    printTable(
      OPTIONS.map((option) => ({ setting: option, from: fromOf(option), value: `${effective[option]}` })),
      '',
    );
    if (override)
      console.log(
        `\n${override.set_by}, for ${buyer}${isInForce ? '' : ' (over)'}: ${override.reason}. Until ${instant(override.expires_at)}.`,
      );
  });
}

async function set(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      platform: text,
      buyer: text,
      expires: text,
      reason: text,
      by: text,
      ...(Object.fromEntries(OPTIONS.map((option) => [option, text])) as Record<Option, typeof text>),
    },
  });
  const changes = changesOf(values);
  const buyer = buyerOf(values.buyer);
  const expiresAt = buyer === '' ? null : dayEnd(values.expires);
  const reason = buyer === '' && values.reason === undefined ? null : reasonText(values.reason, '--reason');
  if (buyer === '' && values.expires !== undefined)
    throw new StartRefused("--expires is for one buyer's settings: name the buyer with --buyer.");
  const by = personName(values.by, '--by');
  await onPlatform(values.platform, async (on) => {
    const now = nowOn(on);
    if (expiresAt !== null && expiresAt <= now) throw new StartRefused('--expires must be a day to come.');
    if (buyer !== '' && !(await findBuyer(on.db, { platformId: on.platform.platform_id, externalId: buyer })))
      throw new StartRefused(`There is no buyer ${buyer} on ${on.platform.code}.`);
    await inTransaction(on.db, async (transaction) => {
      // An expired override must not become valid again with the new expiry.
      if (buyer !== '') await deleteCreditSettings(transaction, keyOf(on, buyer), now);
      await putCreditSettings(transaction, {
        ...changes,
        platform_id: on.platform.platform_id,
        buyer_external_id: buyer,
        expires_at: expiresAt,
        reason,
        set_at: now,
        set_by: `operator:${by}`,
      });
    });
    console.log(
      `Set on ${on.platform.code}${buyer === '' ? '' : ` for ${buyer} until ${instant(expiresAt)}`}.`,
    );
  });
}

async function clear(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { platform: text, buyer: text, by: text } });
  const buyer = buyerOf(values.buyer);
  personName(values.by, '--by');
  await onPlatform(values.platform, async (on) => {
    const wasSet = await deleteCreditSettings(on.db, keyOf(on, buyer));
    const whose = buyer === '' ? on.platform.code : `${buyer} on ${on.platform.code}`;
    console.log(wasSet ? `Nothing is set for ${whose} any more.` : `Nothing was set for ${whose}.`);
  });
}

function changesOf(values: Partial<Record<Option, string>>): Record<string, unknown> {
  const named = OPTIONS.filter((option) => values[option] !== undefined);
  if (named.length === 0)
    throw new StartRefused(
      `Name at least one setting: ${OPTIONS.map((option) => `--${option}`).join(', ')}.`,
    );
  return Object.fromEntries(
    named.map((option) => {
      const { column, expected, read } = SETTINGS[option];
      const value = values[option] as string;
      if (value === UNSET) return [column, null];
      const parsed = read(value);
      if (parsed === undefined) throw new StartRefused(`--${option} must be ${expected}, or ${UNSET}.`);
      return [column, parsed];
    }),
  );
}

function whole<const Column extends string>(column: Column, minimum: number, maximum: number) {
  return {
    column,
    expected: `a whole number from ${minimum} to ${maximum}`,
    read: (value: string) =>
      /^\d{1,13}$/.test(value) && Number(value) >= minimum && Number(value) <= maximum
        ? Number(value)
        : undefined,
  };
}

/** The price table as JSON text, as it is stored. */
function priceTableOf(path: string): string {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    throw new StartRefused(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  const read = readPriceTable(content);
  if ('faults' in read)
    throw new StartRefused([`${basename(path)} is no price table:`, ...read.faults].join('\n'));
  return JSON.stringify(read.priceTable);
}

const keyOf = ({ platform }: OnPlatform, buyerExternalId: string) => ({
  platformId: platform.platform_id,
  buyerExternalId,
});

/** The buyer's external_id; empty for the platform's own settings. */
function buyerOf(value: string | undefined): string {
  return value === undefined ? '' : required(value, '--buyer', isExternalId, "a buyer's external_id");
}

/** The end of the day in UTC, in Unix seconds. */
function dayEnd(value: string | undefined): number {
  const isDay = (day: string) =>
    /^\d{4}-\d\d-\d\d$/.test(day) && startOf(day)?.toISOString().slice(0, 10) === day;
  const day = required(value, '--expires', isDay, 'a day such as 2026-12-31, the last on which it holds');
  return (startOf(day)?.getTime() ?? 0) / 1_000 + DAY_SECONDS;
}

function startOf(day: string): Date | null {
  const date = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? null : date;
}

const instant = (at: number | null) =>
  at === null ? 'further notice' : new Date(at * 1_000).toISOString().replace('.000Z', 'Z');
