/** `tradeline dunning letters|print`: reminders on paper. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { typesetDocument } from '#infra/typesetting/typesetter';
import { StartRefused } from '#kernel/start-refused';
import {
  findPrintedLetter,
  type LetterFault,
  type LetterOutcome,
  listPrintedLetters,
  listWaitingLetters,
  type MailingParties,
  type PrintedLetter,
  printLetter,
  type WaitingLetter,
} from '#modules/dunning';
import { findFiledDocument } from '#modules/statements';
import { readArguments, WrongUsage } from './arguments.ts';
import { asOperator } from './as-operator.ts';
import { type OnPlatform, onPlatform } from './installation.ts';
import { writeNewFile } from './new-file.ts';
import { ifGiven, isExternalId } from './options.ts';
import { printDone, printItems, printResult } from './result.ts';
import { instant, printTable } from './table.ts';

const text = { type: 'string' } as const;
const SHOWN_MAX = 200;

const buyerOf = (value: string | undefined) =>
  ifGiven(value, '--buyer', isExternalId, "a buyer's external_id");

const creditorText = (creditor: string) => creditor || 'the platform';

export async function letters(args: string[]): Promise<void> {
  const { values } = readArguments({
    args,
    options: { platform: text, buyer: text, printed: { type: 'boolean' } },
  });
  const of = { buyerExternalId: buyerOf(values.buyer), limit: SHOWN_MAX };
  await onPlatform(values.platform, async ({ db, platform: { platform_id: platformId } }) => {
    if (values.printed === true)
      printItems(
        values.json,
        (await listPrintedLetters(db, platformId, of)).map(toPrinted),
        ({ creditor, ...letter }) => ({ ...letter, creditor: creditorText(creditor) }),
        'No letter was printed.',
      );
    else
      printItems(
        values.json,
        (await listWaitingLetters(db, platformId, of)).map(toWaiting),
        ({ creditor, invoices, oldest_due_on, waits_since, buyer }) => ({
          ...{ buyer, creditor: creditorText(creditor), invoices: String(invoices) },
          ...{ 'oldest due': oldest_due_on, 'waits since': instant(waits_since) },
        }),
        'No letter is waiting to be printed.',
      );
  });
}

const toPrinted = ({ letterId, buyerExternalId, creditor, kind, printedOn, printedBy }: PrintedLetter) => ({
  ...{ letter: letterId, buyer: buyerExternalId, creditor, kind },
  ...{ printed: printedOn, by: printedBy },
});

const toWaiting = ({ buyerExternalId, creditor, invoices, dueOn, waitsSince }: WaitingLetter) => ({
  ...{ buyer: buyerExternalId, creditor, invoices, oldest_due_on: dueOn, waits_since: waitsSince },
});

export async function print(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { platform: text, buyer: text, out: text },
  });
  const [letter, ...more] = positionals;
  const { out } = values;
  if (out === undefined || more.length > 0)
    throw new WrongUsage('Name the folder to write to: tradeline dunning print [LETTER] --out FOLDER.');
  const buyer = buyerOf(values.buyer);
  await assertFolder(out);
  await onPlatform(values.platform, async (on) => {
    if (letter === undefined) await printWaiting(on, { buyer, out, isJson: values.json });
    else await printAgain(on, { letter, out, isJson: values.json });
  });
}

/** Called before a step is taken: a letter that cannot be written would still count as printed. */
async function assertFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (!found?.isDirectory()) throw new StartRefused(`${path} is not a folder.`);
}

const fileOf = (out: string, { day, letter }: { day: string; letter: string }) =>
  join(out, `letter-${day}-${letter}.pdf`);

interface Printed {
  letter: string | null;
  buyer: string;
  creditor: string;
  file: string | null;
  /** Why it was not printed; null if it was. */
  fault: LetterFault | null;
}

const FAULT_TEXTS: Record<LetterFault, string> = {
  NOTHING_WAITS: 'no step is waiting any more',
  REMINDED_TODAY: 'the buyer was reminded today: print it tomorrow',
};

async function printWaiting(
  on: OnPlatform,
  { buyer, out, isJson }: { buyer: string | null; out: string; isJson: boolean },
): Promise<void> {
  const of = { buyerExternalId: buyer, limit: SHOWN_MAX };
  const waiting = await listWaitingLetters(on.db, on.platform.platform_id, of);
  const printed: Printed[] = [];
  for (const parties of waiting) printed.push(await printOne(on, parties, out));
  printResult(isJson, printed, () => {
    printTable(
      printed.map((each) => ({
        ...{ buyer: each.buyer, creditor: creditorText(each.creditor) },
        file: each.file ?? '-',
        'not printed': each.fault === null ? '-' : FAULT_TEXTS[each.fault],
      })),
      'No letter is waiting to be printed.',
    );
    if (waiting.length === SHOWN_MAX) console.log('\nThere may be more: run the command again.');
  });
}

/** One transaction per letter, so that earlier letters stay printed if one fails. */
async function printOne(on: OnPlatform, parties: MailingParties, out: string): Promise<Printed> {
  const { buyerExternalId, creditor } = parties;
  const made = await asOperator<LetterOutcome>(on, { role: 'FINANCE' }, async (operator) => {
    const deps = { vault: on.vault, baseUrl: () => '', isSandbox: on.settings.environment === 'sandbox' };
    const { db, vault, actor, now } = operator;
    const answer = await printLetter({ db, platform: on.platform, deps, vault, actor, now }, parties);
    if (answer.fault !== null) return { answer, audit: null };
    const details = { letter: answer.letterId, creditor };
    return { answer, audit: { action: 'LETTER_PRINTED', subject: `buyer ${buyerExternalId}`, details } };
  });
  const of = { buyer: buyerExternalId, creditor };
  if (made.fault !== null) return { letter: null, ...of, file: null, fault: made.fault };
  const { letterId: letter, mailedOn: day, pdf } = made;
  const file = fileOf(out, { day, letter });
  await writeNewFile(file, pdf).catch((error: Error) => {
    throw new StartRefused(
      `${error.message} The letter counts as printed: print it again with tradeline dunning print ${letter} --out FOLDER.`,
    );
  });
  return { letter, ...of, file, fault: null };
}

async function printAgain(
  { db, vault, platform }: OnPlatform,
  { letter, out, isJson }: { letter: string; out: string; isJson: boolean },
): Promise<void> {
  const { platform_id: platformId, code, data_key_wrapped } = platform;
  const found = await findPrintedLetter(db, platformId, letter);
  const key = { platformId, documentId: letter };
  const body = found && (await findFiledDocument(db, vault.forPlatform(code, data_key_wrapped), key));
  if (!found || !body) throw new StartRefused(`There is no printed letter ${letter}.`);
  const file = fileOf(out, { day: found.printedOn, letter });
  await writeNewFile(file, await typesetDocument(body));
  printDone(isJson, { letter, file }, `The letter is in ${file}.`);
}
