/** `tradeline statement show|print`: what a buyer owes, and why. */
import { type BuyerStatement, getBuyerStatement, getBuyerStatementDocument } from '#modules/statements';
import type { AnsweredFile } from '#operation/file-body';
import type { AnyOperation, OperationResult } from '#operation/operation';
import { runOperation } from '#operation/run-operation';
import { exactAmount } from './amount-text.ts';
import { readArguments, WrongUsage } from './arguments.ts';
import { commandOf } from './command.ts';
import { nowOn, type OnPlatform, onPlatform } from './installation.ts';
import { writeNewFile } from './new-file.ts';
import { contextOf } from './operation-context.ts';
import { instantOrDay, isExternalId } from './options.ts';
import { printDone, printResult } from './result.ts';
import { refusalOf } from './run-as.ts';
import { printTable } from './table.ts';

export const statementCommand = commandOf('statement', { show, print });

const text = { type: 'string' } as const;
const periodOptions = { platform: text, from: text, at: text } as const;

async function show(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({ args, allowPositionals: true, options: periodOptions });
  const { buyer, queryOn } = requestOf('show', positionals, values);
  await onPlatform(values.platform, async (on) => {
    const { body } = await answerOf<BuyerStatement>(on, getBuyerStatement, { buyer, query: queryOn(on) });
    printResult(values.json, body, () => {
      for (const account of body.accounts) printAccount(account);
      if (body.accounts.length === 0) console.log('Nothing was owed.');
    });
  });
}

async function print(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { ...periodOptions, out: text },
  });
  const { buyer, queryOn } = requestOf('print', positionals, values);
  const { out } = values;
  if (out === undefined)
    throw new WrongUsage('Name the file to write: tradeline statement print BUYER --out FILE.');
  await onPlatform(values.platform, async (on) => {
    const { file } = await answerOf(on, getBuyerStatementDocument, { buyer, query: queryOn(on) });
    const chunks: Buffer[] = [];
    for await (const chunk of (file as AnsweredFile).chunks) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    await writeNewFile(out, bytes);
    printDone(values.json, { buyer, out, bytes: bytes.length }, `Wrote the statement of ${buyer} to ${out}.`);
  });
}

interface Period {
  from?: string | undefined;
  at?: string | undefined;
}

type PeriodQuery = Record<'from' | 'at', number | undefined>;

/** A day that is not over ends now. */
function requestOf(verb: string, [buyer = '', ...more]: string[], { from, at }: Period) {
  if (buyer === '' || !isExternalId(buyer) || more.length > 0)
    throw new WrongUsage(`Name one buyer: tradeline statement ${verb} BUYER.`);
  const first = from === undefined ? null : instantOrDay(from, '--from', 'start');
  const last = at === undefined ? null : instantOrDay(at, '--at', 'end');
  const isDay = at !== undefined && !at.includes('T');
  const queryOn = (on: OnPlatform): PeriodQuery => {
    const { time_zone: timeZone } = on.platform;
    const until = last?.(timeZone);
    return { from: first?.(timeZone), at: until !== undefined && isDay ? Math.min(until, nowOn(on)) : until };
  };
  return { buyer, queryOn };
}

/** The answer of the API, with its file. */
async function answerOf<Body = null>(
  on: OnPlatform,
  operation: AnyOperation,
  { buyer, query: { from, at } }: { buyer: string; query: PeriodQuery },
): Promise<OperationResult<Body>> {
  const context = {
    ...contextOf(on, { platform: on.platform, actor: 'service', now: nowOn(on) }),
    isSandbox: on.settings.environment === 'sandbox',
  };
  const query = { ...(from !== undefined && { from }), ...(at !== undefined && { at }) };
  const input = { params: { external_id: buyer }, query, body: undefined };
  try {
    return await runOperation(operation, {
      context,
      input,
      answerOf: (result) => result as OperationResult<Body>,
    });
  } catch (error) {
    throw refusalOf(error, `There is no buyer ${buyer} on ${on.platform.code}.`);
  }
}

function printAccount({ currency, ...account }: BuyerStatement['accounts'][number]): void {
  const amount = (minor: number) => exactAmount(minor, currency);
  console.log(`Balance before: ${amount(account.opening_balance)} ${currency}\n`);
  printTable(
    account.entries.map((entry) => ({
      ...{ day: entry.on, kind: entry.kind, invoice: entry.invoice_external_id },
      ...{
        document: entry.document_external_id,
        amount: amount(entry.amount),
        balance: amount(entry.balance),
      },
    })),
    'It has no entries.',
  );
  console.log(`\nOwed: ${amount(account.closing_balance)} ${currency}\n`);
  printTable(
    account.open_invoices.map((invoice) => ({
      invoice: invoice.invoice_external_id,
      due: invoice.due_on,
      'days past due': `${invoice.days_past_due}`,
      owed: amount(invoice.outstanding),
      'late charges': amount(invoice.late_charges),
    })),
    'No invoice is open.',
  );
  if (account.unapplied) console.log(`\nPaid, and not applied yet: ${amount(account.unapplied)} ${currency}`);
}
