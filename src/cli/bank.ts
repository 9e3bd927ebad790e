/** `tradeline bank account add|list` and `tradeline bank import|statements`; the queue is in bank-queue.ts. */
import type { Db } from '#infra/database/database';
import { keepYoungGeneration } from '#infra/garbage-collection';
import { CURRENCIES, type Currency } from '#kernel/currency';
import { StartRefused } from '#kernel/start-refused';
import {
  addBankAccount,
  type BankImport,
  bookTransactions,
  importBankFile,
  listBankAccounts,
  listBankStatements,
  numberOf,
} from '#modules/banking';
import type { OperatorContext } from '#modules/operators';
import { bankAccountOf } from '#modules/platforms';
import { amountOrNone } from './amount-text.ts';
import { readArguments, WrongUsage } from './arguments.ts';
import { asOperator } from './as-operator.ts';
import { matchTransaction, resolveQueuedAnswer, showQueue, unmatchTransaction } from './bank-queue.ts';
import { commandOf } from './command.ts';
import { nowOn, type OnPlatform, onPlatform } from './installation.ts';
import { contextOf } from './operation-context.ts';
import { isExternalId, reasonText, required, wholeNumber } from './options.ts';
import { printDone, printItems } from './result.ts';
import { instant } from './table.ts';
import { progressWriter, shownCount } from './terminal-progress.ts';

const text = { type: 'string' } as const;
const ACCOUNT_EXPECTED = 'an external_id for the account, such as main';

export const bankCommand = commandOf('bank', {
  account,
  import: importFiles,
  statements,
  queue: showQueue,
  match: matchTransaction,
  unmatch: unmatchTransaction,
  resolve: resolveQueuedAnswer,
});

const ACCOUNT_OPTIONS = {
  ...{ platform: text, account: text, iban: text, 'sort-code': text, number: text, currency: text },
  reason: text,
} as const;

function readAccountArguments(args: string[]) {
  return readArguments({ args, allowPositionals: true, options: ACCOUNT_OPTIONS });
}

async function account(args: string[]): Promise<void> {
  const { values, positionals } = readAccountArguments(args);
  const [verb, ...others] = positionals;
  if (others.length > 0 || (verb !== 'add' && verb !== 'list'))
    throw new WrongUsage('Name a subcommand: tradeline bank account add or list.');
  await (verb === 'add' ? addAccount(values) : listAccounts(values));
}

type AccountValues = ReturnType<typeof readAccountArguments>['values'];

async function addAccount(values: AccountValues): Promise<void> {
  const externalId = required(values.account, '--account', isExternalId, ACCOUNT_EXPECTED);
  const given = numberOf({
    iban: values.iban,
    sortCode: values['sort-code'],
    accountNumber: values.number,
  });
  if (given !== null && typeof given === 'object') throw new WrongUsage(given.fault);
  const isCurrency = (code: string) => CURRENCIES.some((each) => each === code);
  const chosen = values.currency;
  if (chosen !== undefined) required(chosen, '--currency', isCurrency, `one of ${CURRENCIES.join(', ')}`);
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(values.platform, async (on) => {
    const currency = (chosen ?? on.platform.currency) as Currency;
    const added = await asOperator(on, { role: 'FINANCE' }, async (context) => {
      const number = given ?? bankAccountOf(context.vault, on.platform)?.iban;
      if (number === undefined)
        throw new StartRefused(
          'The platform has no bank account in its settings: give --iban, or --sort-code and --number.',
        );
      const answer = await addBankAccount(context, { externalId, number, currency });
      const details = { number: answer.number_masked, currency };
      const subject = `bank account ${externalId}`;
      return { answer, audit: { action: 'BANK_ACCOUNT_ADDED', subject, reason, details } };
    });
    printDone(
      values.json,
      { bank_account: externalId, number: added.number_masked, currency },
      `The bank account ${externalId} is ${added.number_masked} in ${currency}.`,
    );
  });
}

async function listAccounts(values: AccountValues): Promise<void> {
  await onPlatform(values.platform, async ({ db, platform }) => {
    const accounts = (await listBankAccounts(db, platform.platform_id)).map((account) => ({
      ...{ bank_account: account.external_id, number: account.number_masked, currency: account.currency },
      created_at: account.created_at,
    }));
    printItems(
      values.json,
      accounts,
      ({ created_at, ...account }) => ({ ...account, added: instant(created_at) }),
      'There is no bank account: add one with tradeline bank account add.',
    );
  });
}

/** Imports each file in its own transaction. Then books everything that waits, including remainders of earlier imports. */
async function importFiles(args: string[]): Promise<void> {
  const { values, positionals: paths } = readArguments({
    args,
    allowPositionals: true,
    options: { platform: text, reason: text },
  });
  if (paths.length === 0) throw new WrongUsage('Name a file: tradeline bank import FILE.');
  const reason = reasonText(values.reason, '--reason');
  keepYoungGeneration();
  await onPlatform(values.platform, async (on) => {
    const progress = progressWriter(on.clock);
    const files: object[] = [];
    const lines: string[] = [];
    let actor = '';
    try {
      for (const path of paths) {
        const read = await asOperator(on, { role: 'FINANCE' }, (operator) =>
          importOne(on, operator, { path, reason, progress }),
        );
        actor = read.actor;
        files.push(read.shown);
        lines.push(read.sentence);
      }
      const contextIn = (db: Db) =>
        contextOf({ db, vault: on.vault }, { platform: on.platform, actor, now: nowOn(on) });
      const booked = await bookTransactions(on.db, contextIn, (count) =>
        progress.show([`${shownCount(count)} transactions booked`]),
      );
      lines.push(`${shownCount(booked.matched)} transactions matched, ${shownCount(booked.queued)} queued.`);
      progress.end();
      printDone(values.json, { files, ...booked }, lines.join('\n'));
    } finally {
      progress.end();
    }
  });
}

async function importOne(
  on: OnPlatform,
  operator: OperatorContext,
  { path, reason, progress }: { path: string; reason: string; progress: ReturnType<typeof progressWriter> },
) {
  const { actor, now, db } = operator;
  const context = contextOf({ db, vault: on.vault }, { platform: on.platform, actor, now });
  const name = path.split('/').at(-1) ?? path;
  const imported = await importBankFile(context, {
    path,
    bytesMax: on.settings.bankFileBytesMax,
    onProgress: (share) => progress.show([name, `${Math.floor(share * 100)} %`]),
  });
  const { isKnown, statements: count, entries, newEntries, unbooked } = imported;
  const { failedPayouts, queuedAnswers } = imported;
  const shown = {
    file: name,
    statements: count,
    entries,
    new_entries: newEntries,
    unbooked,
    failed_payouts: failedPayouts,
    queued_answers: queuedAnswers,
  };
  const sentence = isKnown ? `${name} was already imported.` : sentencesOf(name, imported).join('\n');
  const audit = { action: 'BANK_FILE_IMPORTED', subject: 'bank file', reason, details: shown };
  return { answer: { actor, shown, sentence }, audit: isKnown ? null : audit };
}

function sentencesOf(name: string, imported: BankImport): string[] {
  const { statements: count, entries, newEntries, unbooked, failedPayouts, queuedAnswers } = imported;
  const [first, ...more] = [
    ...(count === 0
      ? []
      : [
          `${shownCount(count)} statements, ${shownCount(entries)} entries, ${shownCount(newEntries)} of them new; ${shownCount(unbooked)} not booked.`,
        ]),
    ...(failedPayouts.length === 0 ? [] : [`The bank rejected ${failedPayouts.join(', ')}.`]),
    ...(queuedAnswers === 0 ? [] : [`${shownCount(queuedAnswers)} answers of the bank queued.`]),
  ];
  return [`${name}: ${first ?? 'nothing to do.'}`, ...more];
}

async function statements(args: string[]): Promise<void> {
  const { values } = readArguments({
    args,
    options: { platform: text, account: text, limit: { type: 'string', default: '50' } },
  });
  const countMax = wholeNumber(values.limit, '--limit', 1);
  const bankAccount =
    values.account === undefined
      ? null
      : required(values.account, '--account', isExternalId, ACCOUNT_EXPECTED);
  await onPlatform(values.platform, async ({ db, platform: { platform_id: platformId } }) => {
    const currencies = new Map(
      (await listBankAccounts(db, platformId)).map(({ external_id, currency }) => [external_id, currency]),
    );
    const found = (await listBankStatements(db, platformId, { bankAccount, countMax })).map((statement) => ({
      ...{
        bank_account: statement.bank_account,
        currency: currencies.get(statement.bank_account) as Currency,
      },
      ...{ type: statement.type, from: statement.from_on, to: statement.to_on },
      ...{ opening_balance: statement.opening_amount, closing_balance: statement.closing_amount },
      ...{ entries: statement.entry_count, new_entries: statement.new_entry_count },
      imported_at: statement.imported_at,
    }));
    printItems(
      values.json,
      found,
      (each) => ({
        ...{ account: each.bank_account, type: each.type, from: each.from ?? '', to: each.to ?? '' },
        opening: amountOrNone(each.opening_balance, each.currency),
        closing: amountOrNone(each.closing_balance, each.currency),
        ...{ currency: each.currency, entries: `${each.entries}`, new: `${each.new_entries}` },
        imported: instant(each.imported_at),
      }),
      'No statement has been imported yet.',
    );
  });
}
