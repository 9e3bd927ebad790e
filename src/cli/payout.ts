/** `tradeline payout list|show|waiting|release|file|confirm|fail|return|retry|cancel|holiday` */
import { CURRENCIES, type Currency } from '#kernel/currency';
import { StartRefused } from '#kernel/start-refused';
import type { OperatorContext } from '#modules/operators';
import {
  cancelPayouts,
  confirmPayouts,
  failPayouts,
  findPayoutFile,
  getPayout,
  insertHoliday,
  listAddedHolidays,
  listForRelease,
  listPayouts,
  listWaitingLines,
  openPayoutFile,
  type Payout,
  type PayoutRow,
  payoutLifecycle,
  payoutRelease,
  retryPayout,
  returnPayouts,
  writePayoutFiles,
} from '#modules/payouts';
import { exactAmount } from './amount-text.ts';
import { readArguments, WrongUsage } from './arguments.ts';
import { asOperator } from './as-operator.ts';
import { commandOf } from './command.ts';
import { type OnPlatform, onPlatform } from './installation.ts';
import { writeNewFile } from './new-file.ts';
import { dayEnd, isExternalId, oneOfStates, reasonText, required } from './options.ts';
import { requestAndPrint } from './request-change.ts';
import { printDone, printItems } from './result.ts';
import { runAs } from './run-as.ts';
import { instant } from './table.ts';

export const payoutCommand = commandOf('payout', {
  list,
  show,
  waiting,
  release,
  file,
  confirm: (args) =>
    change(args, 'confirm', (context, id, reason) => confirmPayouts(context, [id], { reason })),
  fail: (args) => change(args, 'fail', (context, id, reason) => failPayouts(context, [id], { reason })),
  return: (args) => change(args, 'return', (context, id, reason) => returnPayouts(context, [id], { reason })),
  retry: (args) =>
    change(args, 'retry', async (context, id, reason) => [await retryPayout(context, id, { reason })]),
  cancel: (args) => change(args, 'cancel', (context, id, reason) => cancelPayouts(context, [id], { reason })),
  holiday,
});

const text = { type: 'string' } as const;
const ID_EXPECTED = "a payout's external_id";

async function list(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform: text, status: text, merchant: text } });
  const status = values.status
    ?.split(',')
    .map((word) => oneOfStates(word, '--status', payoutLifecycle.states));
  const query = {
    ...(status && { status }),
    ...(values.merchant !== undefined && { merchant_external_id: [values.merchant] }),
    sort_by: '-scheduled_on',
  };
  await onPlatform(values.platform, async (on) => {
    const rows: Payout[] = [];
    let total = 1;
    while (rows.length < total) {
      const page = await runAs(on, listPayouts, { query: { ...query, offset: rows.length } });
      rows.push(...page.items);
      total = page.total;
    }
    printItems(values.json, rows, rowOf, 'There is no such payout.');
  });
}

const rowOf = (payout: Payout) => ({
  payout: payout.external_id,
  merchant: payout.merchant_external_id,
  account: payout.payout_instruction_external_id,
  scheduled: payout.scheduled_on,
  amount: `${exactAmount(payout.amount, payout.currency)} ${payout.currency}`,
  status: payout.status,
});

async function show(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { platform: text },
  });
  const id = required(positionals[0], 'show', isExternalId, ID_EXPECTED);
  await onPlatform(values.platform, async (on) => {
    const whenMissing = `There is no payout ${id} on ${on.platform.code}.`;
    const found = await runAs(on, getPayout, { params: { external_id: id } }, { whenMissing });
    const { advances, collections, ...about } = found;
    const shown = (minor: number) => exactAmount(minor, about.currency as Currency);
    const facts = { ...about, amount: shown(about.amount), set_off_amount: shown(about.set_off_amount) };
    const lines = [
      ...Object.entries(facts)
        .filter(([, value]) => value !== null)
        .map(([name, value]) => `${name}: ${name.endsWith('_at') ? instant(Number(value)) : value}`),
      ...advances.map(
        (advance: { invoice_external_id: string; service_external_id: string; amount: number }) =>
          `advance for ${advance.invoice_external_id} (${advance.service_external_id}): ${shown(advance.amount)}`,
      ),
      ...collections.map(
        (collection: { invoice_external_id: string | null; amount: number }) =>
          `collected for ${collection.invoice_external_id ?? 'no invoice'}: ${shown(collection.amount)}`,
      ),
    ];
    printDone(values.json, found, lines.join('\n'));
  });
}

/** Lists amounts that are not in a payout yet, because their day has not come or their merchant has no verified account. */
async function waiting(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform: text } });
  await onPlatform(values.platform, async ({ db, platform }) => {
    const found = await listWaitingLines(db, platform.platform_id);
    printItems(
      values.json,
      found,
      (row) => ({
        merchant: row.merchant_external_id,
        'from day': row.earliest_on,
        lines: `${row.lines}`,
        amount: `${exactAmount(row.amount, row.currency)} ${row.currency}`,
      }),
      'Nothing is waiting to be paid out.',
    );
  });
}

async function release(args: string[]): Promise<void> {
  const options = { platform: text, reason: text };
  const { values, positionals } = readArguments({ args, allowPositionals: true, options });
  if (positionals.length === 0) throw new WrongUsage('Name the payouts: tradeline payout release ID…');
  const ids = [...new Set(positionals)].map((id) => required(id, 'release', isExternalId, ID_EXPECTED));
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(values.platform, async (on) => {
    const payouts = await listForRelease({ db: on.db, platformId: on.platform.platform_id }, ids);
    const unknown = ids.find((id) => !payouts.some(({ payout }) => payout === id));
    if (unknown !== undefined) throw missing(unknown, on);
    await requestAndPrint(on, {
      ...{ kind: payoutRelease, payload: { payouts }, reason, isJson: values.json },
      made: 'The payouts are released.',
    });
  });
}

/** Without an ID, writes files of all released payouts; with an ID, writes that file again with the same bytes. */
async function file(args: string[]): Promise<void> {
  const options = { platform: text, out: text };
  const { values, positionals } = readArguments({ args, allowPositionals: true, options });
  const [id] = positionals;
  await onPlatform(values.platform, (on) =>
    id === undefined ? writeFiles(on, values.json) : giveFile(on, id, values),
  );
}

async function writeFiles(on: OnPlatform, isJson: boolean): Promise<void> {
  const written = await asOperator(on, { role: 'FINANCE' }, async (context) => {
    const answer = await writePayoutFiles(context);
    const subject = `${answer.length} files of payouts`;
    const reason = 'Written for the bank.';
    return {
      answer,
      audit: answer.length === 0 ? null : { action: 'PAYOUT_FILES_WRITTEN', subject, reason },
    };
  });
  printItems(
    isJson,
    written.map(({ platform_id: _, sha256, ...about }) => ({ ...about, sha256: sha256.toString('hex') })),
    (row) => ({
      file: row.external_id,
      scheme: row.scheme,
      day: row.execution_on,
      payouts: `${row.payouts_count}`,
      amount: `${exactAmount(row.amount, row.currency)} ${row.currency}`,
    }),
    'No released payout is waiting for a file.',
  );
}

/** The file contains account numbers, so each access is logged, and it is written only to a named file. */
async function giveFile(
  on: OnPlatform,
  id: string,
  { out, json: isJson }: { out?: string | undefined; json: boolean },
): Promise<void> {
  if (out === undefined) throw new WrongUsage('Name the file to write: tradeline payout file ID --out FILE.');
  const bytes = await asOperator(on, { role: 'FINANCE' }, async ({ db, platformId, vault }) => {
    const found = await findPayoutFile(db, platformId, id);
    if (!found) throw new StartRefused(`There is no file ${id} on ${on.platform.code}.`);
    const audit = { action: 'PAYOUT_FILE_READ', subject: `file ${id}`, reason: 'Read for the bank.' };
    return { answer: openPayoutFile(vault, found), audit };
  });
  await writeNewFile(out, bytes);
  printDone(isJson, { file: id, out, bytes: bytes.length }, `Wrote ${bytes.length} bytes to ${out}.`);
}

type Verb = 'confirm' | 'fail' | 'return' | 'retry' | 'cancel';

async function change(
  args: string[],
  verb: Verb,
  make: (context: OperatorContext, id: string, reason: string) => Promise<PayoutRow[]>,
): Promise<void> {
  const options = { platform: text, reason: text };
  const { values, positionals } = readArguments({ args, allowPositionals: true, options });
  const id = required(positionals[0], verb, isExternalId, ID_EXPECTED);
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(values.platform, async (on) => {
    const changed = await asOperator(on, { role: 'FINANCE' }, async (context) => {
      const known = await listForRelease(context, [id]);
      if (known.length === 0) throw missing(id, on);
      const [answer] = await make(context, id, reason);
      const action = `PAYOUT_${verb.toUpperCase()}`;
      return { answer: answer as PayoutRow, audit: { action, subject: `payout ${id}`, reason } };
    });
    const { status } = changed;
    printDone(values.json, { payout: id, status }, `The payout ${id} is ${status}.`);
  });
}

/** With a day, adds it; otherwise lists the added days. */
async function holiday(args: string[]): Promise<void> {
  const options = { platform: text, currency: text, day: text, reason: text };
  const { values } = readArguments({ args, options });
  if (values.day === undefined) {
    await onPlatform(values.platform, async ({ db, platform }) =>
      printItems(
        values.json,
        await listAddedHolidays(db, platform.platform_id),
        ({ currency, day, reason, added_by }) => ({ currency, day, reason, by: added_by }),
        'No day was added to the calendars.',
      ),
    );
    return;
  }
  dayEnd(values.day, '--day', 'a day such as 2026-03-31');
  const isCurrency = (code: string) => CURRENCIES.some((each) => each === code);
  const currency = required(values.currency, '--currency', isCurrency, `one of ${CURRENCIES.join(', ')}`);
  const reason = reasonText(values.reason, '--reason');
  const { day } = values;
  await onPlatform(values.platform, async (on) => {
    await asOperator(on, { role: 'FINANCE' }, async ({ db, platformId, actor, now }) => {
      const added = { currency: currency as Currency, day, reason, added_at: now, added_by: actor };
      if (!(await insertHoliday(db, platformId, added)))
        throw new StartRefused(`${day} is already a bank holiday of ${currency}.`);
      const subject = `bank holidays of ${currency}`;
      return { answer: null, audit: { action: 'BANK_HOLIDAY_ADDED', subject, reason, after: { day } } };
    });
    printDone(values.json, { currency, day }, `No payout in ${currency} is made on ${day}.`);
  });
}

const missing = (id: string, { platform }: OnPlatform) =>
  new StartRefused(`There is no payout ${id} on ${platform.code}.`);
