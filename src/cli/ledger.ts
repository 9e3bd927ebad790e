/** `tradeline ledger trial-balance|statement|entry|verify|close|export` */
import { CURRENCIES, type Currency } from '#kernel/currency';
import { StartRefused } from '#kernel/start-refused';
import {
  ACCOUNT_CODES,
  asOfSeconds,
  checkEquations,
  getLedgerEntry,
  getLedgerStatement,
  getTrialBalance,
  type LedgerStatement,
  ledgerClosing,
  listJournal,
  type PostedLedgerEntry,
  showEntry,
  type TrialBalance,
} from '#modules/ledger';
import { exactAmount } from './amount-text.ts';
import { readArguments, WrongUsage } from './arguments.ts';
import { commandOf } from './command.ts';
import { equationsOf } from './equations.ts';
import { type OnPlatform, onPlatform } from './installation.ts';
import { CSV_HEAD, csvRows } from './journal-csv.ts';
import { dayEnd, instantOrDay, isExternalId, reasonText, required, wholeNumber } from './options.ts';
import { requestAndPrint } from './request-change.ts';
import { exactInteger, printResult } from './result.ts';
import { runAs } from './run-as.ts';
import { instant, printTable } from './table.ts';

export const ledgerCommand = commandOf('ledger', {
  'trial-balance': trialBalance,
  statement,
  entry,
  verify,
  close,
  export: exportJournal,
});

const text = { type: 'string' } as const;
const asOfOptions = { platform: text, at: text, 'known-at': text } as const;
const ENTRIES_AT_ONCE = 500;

async function trialBalance(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { ...asOfOptions, currency: text } });
  const asOf = asOfOptionsOf(values);
  const currency = currencyQuery(values.currency);
  await onPlatform(values.platform, async (on) => {
    const query = { ...asOf(on), ...currency };
    const found: TrialBalance = await runAs(on, getTrialBalance, { query });
    printResult(values.json, found, () => {
      for (const { currency, ...total } of found.totals) printTrialBalance(found, currency, total);
      if (found.totals.length === 0) console.log('The ledger has no such entries.');
    });
  });
}

type Sides = Pick<TrialBalance['totals'][number], 'debit' | 'credit'>;

function printTrialBalance({ items }: TrialBalance, currency: Currency, total: Sides): void {
  const of = items.filter((item) => item.currency === currency);
  const row = (account: string, sides: Sides) => ({ [currency]: account, ...sidesText(sides, currency) });
  const rows = of.map((item) => row([item.account, item.party ?? ''].join(' ').trim(), item));
  printTable([...rows, row('total', total)], '', { isRightAligned: true });
  console.log('');
}

async function statement(args: string[]): Promise<void> {
  const options = { ...asOfOptions, account: text, party: text, currency: text, from: text };
  const { values } = readArguments({
    args,
    options: { ...options, limit: { type: 'string', default: '100' }, after: text },
  });
  const isAccount = (word: string) => ACCOUNT_CODES.some((code) => code === word);
  const isPosition = (word: string) => /^\d{1,12}-\d{1,15}-\d{1,9}$/.test(word);
  const { party, after } = values;
  const query = {
    account: required(values.account, '--account', isAccount, `one of ${ACCOUNT_CODES.join(', ')}`),
    ...(party !== undefined && { party: required(party, '--party', isExternalId, 'an external_id') }),
    ...(after !== undefined && {
      after: required(after, '--after', isPosition, 'the position that the previous page printed'),
    }),
    limit: wholeNumber(values.limit, '--limit', 1),
  };
  const asOf = asOfOptionsOf(values);
  const from = values.from === undefined ? null : instantOrDay(values.from, '--from', 'start');
  const { currency: chosen } = currencyQuery(values.currency);
  await onPlatform(values.platform, async (on) => {
    const currency = chosen ?? on.platform.currency;
    const range = { ...(from && { from: from(on.platform.time_zone) }), ...asOf(on) };
    const found: LedgerStatement = await runAs(on, getLedgerStatement, {
      query: { ...query, ...range, currency },
    });
    printResult(values.json, found, () => printStatement(found));
  });
}

function printStatement({ opening_balance: opening, items, next, currency }: LedgerStatement): void {
  console.log(`Balance before: ${exactAmount(opening, currency)} ${currency}\n`);
  printTable(
    items.map((item) => ({
      effective: instant(item.effective_at),
      entry: item.entry_id,
      cause: item.cause,
      about: item.payment_id ?? item.invoice_external_id ?? item.order_external_id ?? '',
      ...sidesText(item, currency),
      balance: exactAmount(item.balance, currency),
    })),
    'It has no such lines.',
  );
  if (next !== null) console.log(`\nMore lines follow: --after ${next}`);
}

async function entry(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { platform: text },
  });
  const [entryId, ...more] = positionals;
  if (entryId === undefined || more.length > 0)
    throw new WrongUsage('Name one entry: tradeline ledger entry ID.');
  await onPlatform(values.platform, async (on) => {
    const whenMissing = `There is no entry ${entryId} on ${on.platform.code}.`;
    const found: PostedLedgerEntry = await runAs(
      on,
      getLedgerEntry,
      { params: { entry_id: entryId } },
      { whenMissing },
    );
    printResult(values.json, found, () => printEntry(found));
  });
}

function printEntry({ lines, currency, ...about }: PostedLedgerEntry): void {
  for (const [name, value] of Object.entries(about)) {
    if (value === null) continue;
    const shown = name.endsWith('_at') ? instant(Number(value)) : `${value}`;
    console.log(`${name.padEnd(24)}${shown}`);
  }
  console.log('');
  printTable(
    lines.map((line) => ({
      account: [line.account, line.party ?? ''].join(' ').trim(),
      ...sidesText(line, currency),
    })),
    '',
    { isRightAligned: true },
  );
}

/** Exit code 1 if an equation does not hold. */
async function verify(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: asOfOptions });
  const asOf = asOfOptionsOf(values);
  await onPlatform(values.platform, async (on) => {
    const { platform_id: platformId, code } = on.platform;
    const results = await checkEquations(on.db, platformId, equationsOf(on), asOfSeconds(asOf(on)));
    const faults = results.flatMap((result) => result.differences.map((each) => `${result.code}: ${each}`));
    const rows = results.map(({ code: equation, sentence, differences }) => ({
      ...{ equation, holds: differences.length === 0 ? 'yes' : 'no', sentence },
    }));
    printResult(values.json, results, () => printTable(rows, ''));
    if (faults.length > 0)
      throw new StartRefused([`The books of ${code} do not balance.`, ...faults].join('\n'));
  });
}

async function close(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform: text, until: text, reason: text } });
  // Validated here, so that a wrong day is reported immediately.
  dayEnd(values.until, '--until', 'a day such as 2026-03-31, the last one that is closed');
  const until = values.until ?? '';
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(values.platform, (on) =>
    requestAndPrint(on, {
      ...{ kind: ledgerClosing, payload: { until }, reason },
      isJson: values.json,
      made: `The books of ${on.platform.code} are closed until ${until}.`,
    }),
  );
}

/** Page by page, so that a journal of any length can be exported. */
async function exportJournal(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { ...asOfOptions, currency: text } });
  const asOf = asOfOptionsOf(values);
  const { currency } = currencyQuery(values.currency);
  await onPlatform(values.platform, async (on) => {
    if (!values.json) console.log(CSV_HEAD);
    for (let after = { effectiveAt: 0, ordinal: 0 }; ; ) {
      const page = { after, countMax: ENTRIES_AT_ONCE };
      const entries = await listJournal(on.db, on.platform.platform_id, asOfSeconds(asOf(on)), page);
      for (const shown of entries.map(showEntry)) {
        if (currency !== undefined && shown.currency !== currency) continue;
        if (values.json) console.log(JSON.stringify(shown, exactInteger));
        else for (const row of csvRows(shown)) console.log(row);
      }
      const last = entries.at(-1);
      if (!last || entries.length < ENTRIES_AT_ONCE) return;
      after = { effectiveAt: last.effective_at, ordinal: last.ordinal };
    }
  });
}

interface AsOfValues {
  at?: string | undefined;
  'known-at'?: string | undefined;
}

/** The parameters of the API. Days are those of the platform's time zone. */
function asOfOptionsOf({ at, 'known-at': knownAt }: AsOfValues) {
  const read = (value: string | undefined, option: string) =>
    value === undefined ? null : instantOrDay(value, option, 'end');
  const [atOn, knownAtOn] = [read(at, '--at'), read(knownAt, '--known-at')];
  return ({ platform }: OnPlatform): { at?: number; known_at?: number } => ({
    ...(atOn && { at: atOn(platform.time_zone) }),
    ...(knownAtOn && { known_at: knownAtOn(platform.time_zone) }),
  });
}

function currencyQuery(value: string | undefined): { currency?: Currency } {
  if (value === undefined) return {};
  const isCurrency = (code: string) => CURRENCIES.some((each) => each === code);
  return {
    currency: required(value, '--currency', isCurrency, `one of ${CURRENCIES.join(', ')}`) as Currency,
  };
}

/** Each side in the main unit; a side that is 0 is empty. */
function sidesText({ debit, credit }: Sides, currency: Currency): Record<'debit' | 'credit', string> {
  const side = (amount: bigint) => (amount === 0n ? '' : exactAmount(amount, currency));
  return { debit: side(debit), credit: side(credit) };
}
