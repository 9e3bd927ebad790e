/** `tradeline bank queue|match|unmatch|resolve` */
import type { Currency } from '#kernel/currency';
import {
  listAnswers,
  listQueue,
  matchByOperator,
  type OperatorMatch,
  type QueuedAnswer,
  type QueuedTransaction,
  resolveAnswer,
  unmatchByOperator,
} from '#modules/banking';
import { exactAmount, readAmount } from './amount-text.ts';
import { readArguments, WrongUsage } from './arguments.ts';
import { asOperator } from './as-operator.ts';
import { onPlatform } from './installation.ts';
import { contextOf } from './operation-context.ts';
import { isExternalId, reasonText, required, wholeNumber } from './options.ts';
import { printDone, printResult } from './result.ts';
import { instant } from './table.ts';

const text = { type: 'string' } as const;

/** Shows bank transactions, then bank answers, with the payers' full texts. Each view is logged. */
export async function showQueue(args: string[]): Promise<void> {
  const { values } = readArguments({
    args,
    options: { platform: text, limit: { type: 'string', default: '50' } },
  });
  const countMax = wholeNumber(values.limit, '--limit', 1);
  await onPlatform(values.platform, async (on) => {
    const queued = await asOperator(on, { role: 'FINANCE' }, async (context) => {
      const transactions = await listQueue(context, { countMax });
      const answers = await listAnswers(context, { countMax });
      const answer = { transactions, answers };
      const details = { transactions: transactions.length, answers: answers.length };
      const reason = 'Shown to match queued transactions.';
      return { answer, audit: { action: 'BANK_QUEUE_SHOWN', subject: 'bank queue', reason, details } };
    });
    const { transactions, answers } = queued;
    const all = [...transactions, ...answers];
    printResult(values.json, all, () => {
      if (all.length === 0) console.log('Nothing waits in the queue.');
      for (const each of transactions) console.log(linesOf(each).join('\n'));
      for (const each of answers) console.log(answerLines(each).join('\n'));
    });
  });
}

function linesOf({ amount, currency, candidates, ...each }: QueuedTransaction): string[] {
  const from = [each.counterparty_name, each.counterparty_account].filter((part) => part !== null).join(', ');
  return [
    `${each.transaction_id}  ${each.booked_on}  ${exactAmount(amount, currency)} ${currency}  ${each.bank_account}`,
    `  ${each.meaning}`,
    ...(from === '' ? [] : [`  ${amount > 0 ? 'From' : 'To'}: ${from}`]),
    ...(each.remittance === '' ? [] : [`  Text: ${each.remittance}`]),
    ...candidates.map(
      (candidate) =>
        `  Possible match: ${candidate.invoice_external_id} of ${candidate.buyer_external_id}, ${candidate.status}, owes ` +
        `${exactAmount(candidate.outstanding_amount, candidate.currency)} ${candidate.currency} (${candidate.reasons.join(', ')})`,
    ),
  ];
}

function answerLines({
  answer_id,
  received_at,
  status,
  status_reason,
  meaning,
  ...names
}: QueuedAnswer): string[] {
  const named = [names.message_id, names.end_to_end_id].filter((each) => each !== null).join(', ');
  const said = status_reason === null ? status : `${status} (${status_reason})`;
  return [`${answer_id}  ${instant(received_at)}  ${said} for ${named}`, `  ${meaning}`];
}

export async function matchTransaction(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: {
      ...{ platform: text, payout: text, reverses: text, reason: text },
      invoice: { type: 'string', multiple: true },
      charge: { type: 'boolean', default: false },
    },
  });
  const transactionId = onlyOne(positionals, 'match');
  const reason = reasonText(values.reason, '--reason');
  const { payout, reverses } = values;
  const chosen = [values.invoice !== undefined, values.charge, payout !== undefined, reverses !== undefined];
  if (chosen.filter(Boolean).length !== 1)
    throw new WrongUsage(
      'Give what the money is for: --invoice ID[=AMOUNT], --payout ID, --charge, or --reverses TRANSACTION.',
    );
  await onPlatform(values.platform, async (on) => {
    const matched = await asOperator(on, { role: 'FINANCE' }, async ({ db, actor, now }) => {
      const context = contextOf({ db, vault: on.vault }, { platform: on.platform, actor, now });
      const what = (currency: Currency): OperatorMatch => {
        if (values.charge) return { kind: 'CHARGE' };
        if (payout !== undefined) return { kind: 'PAYOUT', payoutExternalId: payout };
        if (values.reverses !== undefined) return { kind: 'REVERSAL', originalId: values.reverses };
        return {
          kind: 'INVOICES',
          invoices: (values.invoice ?? []).map((each) => invoiceOf(each, currency)),
        };
      };
      const answer = await matchByOperator(context, transactionId, what, reason);
      const { invoice = null, charge, reverses = null } = values;
      const subject = `bank transaction ${transactionId}`;
      const details = { invoice, charge, reverses, amount: answer.amount, currency: answer.currency };
      return { answer, audit: { action: 'BANK_TRANSACTION_MATCHED', subject, reason, details } };
    });
    printDone(
      values.json,
      { transaction: transactionId, status: 'MATCHED', amount: matched.amount, currency: matched.currency },
      `The transaction ${transactionId} of ${exactAmount(matched.amount, matched.currency)} ${matched.currency} is matched.`,
    );
  });
}

/** `INVOICE` or `INVOICE=AMOUNT` */
function invoiceOf(value: string, currency: Currency): { externalId: string; amountMinor: number | null } {
  const [externalId = '', amount] = value.split('=');
  required(externalId, '--invoice', isExternalId, "an invoice's external_id, or external_id=AMOUNT");
  return {
    externalId,
    amountMinor: amount === undefined ? null : readAmount(amount, '--invoice', currency),
  };
}

export async function unmatchTransaction(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { platform: text, reason: text },
  });
  const transactionId = onlyOne(positionals, 'unmatch');
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(values.platform, async (on) => {
    await asOperator(on, { role: 'FINANCE' }, async ({ db, actor, now }) => {
      const context = contextOf({ db, vault: on.vault }, { platform: on.platform, actor, now });
      const { amount, currency } = await unmatchByOperator(context, transactionId, reason);
      const subject = `bank transaction ${transactionId}`;
      const audit = { action: 'BANK_TRANSACTION_UNMATCHED', subject, reason, details: { amount, currency } };
      return { answer: null, audit };
    });
    printDone(
      values.json,
      { transaction: transactionId, status: 'QUEUED' },
      `The transaction ${transactionId} is in the queue again, and its money in suspense.`,
    );
  });
}

export async function resolveQueuedAnswer(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { platform: text, reason: text },
  });
  const [answerId, ...others] = positionals;
  if (answerId === undefined || others.length > 0)
    throw new WrongUsage('Name one answer: tradeline bank resolve ANSWER, from tradeline bank queue.');
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(values.platform, async (on) => {
    await asOperator(on, { role: 'FINANCE' }, async ({ db, actor, now }) => {
      const context = contextOf({ db, vault: on.vault }, { platform: on.platform, actor, now });
      await resolveAnswer(context, answerId, reason);
      return {
        answer: null,
        audit: { action: 'BANK_ANSWER_RESOLVED', subject: `bank answer ${answerId}`, reason },
      };
    });
    printDone(values.json, { answer: answerId }, `The answer ${answerId} is resolved.`);
  });
}

function onlyOne([transactionId, ...others]: string[], verb: string): string {
  if (transactionId !== undefined && others.length === 0) return transactionId;
  throw new WrongUsage(
    `Name one transaction: tradeline bank ${verb} TRANSACTION, from tradeline bank queue.`,
  );
}
