/** `tradeline payee list|show|verify|reject` */
import { StartRefused } from '#kernel/start-refused';
import {
  changePayoutInstruction,
  findPayoutInstruction,
  listMerchantsWithAccount,
  listPayoutInstructions,
  maskAccount,
  NAME_CHECKS,
  type NameCheck,
  openPayoutDetails,
  type PayoutInstruction,
  payeeVerification,
  payoutInstructionLifecycle,
} from '#modules/payees';
import { readArguments, WrongUsage } from './arguments.ts';
import { asOperator } from './as-operator.ts';
import { commandOf } from './command.ts';
import { onPlatform } from './installation.ts';
import { isExternalId, oneOfStates, reasonText, required } from './options.ts';
import { requestAndPrint } from './request-change.ts';
import { printDone, printItems } from './result.ts';
import { runAs } from './run-as.ts';
import { instant } from './table.ts';

export const payeeCommand = commandOf('payee', { list, show, verify, reject });

const text = { type: 'string' } as const;
const ID_EXPECTED = "a payout instruction's external_id";

async function list(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform: text, status: text, merchant: text } });
  const status = values.status
    ?.split(',')
    .map((word) => oneOfStates(word, '--status', payoutInstructionLifecycle.states));
  const query = {
    ...(status && { status }),
    ...(values.merchant !== undefined && { merchant_external_id: [values.merchant] }),
  };
  await onPlatform(values.platform, async (on) => {
    const rows: PayoutInstruction[] = [];
    let total = 1;
    while (rows.length < total) {
      const page = await runAs(on, listPayoutInstructions, { query: { ...query, offset: rows.length } });
      rows.push(...page.items);
      total = page.total;
    }
    printItems(values.json, rows.map(rowOf), (row) => row, 'There is no such payout instruction.');
  });
}

/** Without the account number, because lists are copied into tickets and chats. */
const rowOf = (instruction: PayoutInstruction) => ({
  instruction: instruction.external_id,
  merchant: instruction.merchant_external_id,
  type: instruction.type,
  account: maskAccount(instruction),
  status: instruction.status,
  updated: instant(instruction.updated_at),
});

async function show(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { platform: text },
  });
  const externalId = required(positionals[0], 'show', isExternalId, ID_EXPECTED);
  await onPlatform(values.platform, async (on) => {
    const shown = await asOperator(on, { role: 'FINANCE' }, async ({ db, platformId, vault }) => {
      const row = await findPayoutInstruction(db, { platformId, externalId });
      if (!row) throw missing(externalId, on.platform.code);
      const answer = {
        payout_instruction: externalId,
        version: row.version,
        status: row.status,
        merchant: row.merchant_external_id,
        type: row.type,
        ...openPayoutDetails(vault, row),
        payable_from: row.payable_from,
        merchants_with_the_same_account: await listMerchantsWithAccount(db, row),
      };
      const subject = `payout instruction ${externalId}`;
      return { answer, audit: { action: 'PAYEE_SHOWN', subject, reason: 'Shown to verify the account.' } };
    });
    const { payable_from: payableFrom, merchants_with_the_same_account: others, ...fields } = shown;
    const lines = Object.entries({
      ...fields,
      'payable from': instant(payableFrom),
      'same account at': others.length === 0 ? 'no other merchant' : others.join(', '),
    });
    printDone(
      values.json,
      shown,
      lines.map(([name, value]) => `${name.replaceAll('_', ' ')}: ${value}`).join('\n'),
    );
  });
}

async function verify(args: string[]): Promise<void> {
  const options = { platform: text, instruction: text, version: text, 'name-check': text, reason: text };
  const { values } = readArguments({ args, options });
  const instruction = required(values.instruction, '--instruction', isExternalId, ID_EXPECTED);
  const version = required(values.version, '--version', (word) => /^[1-9]\d{0,8}$/.test(word), SHOWN_VERSION);
  const nameCheck = values['name-check'] as NameCheck;
  if (!NAME_CHECKS.includes(nameCheck))
    throw new WrongUsage(
      `--name-check must be one of ${NAME_CHECKS.join(', ')}: the bank's answer about the holder's name. An account of another ` +
        'holder is rejected.',
    );
  const reason = reasonText(values.reason, '--reason');
  const payload = { payout_instruction: instruction, version: Number(version), name_check: nameCheck };
  await onPlatform(values.platform, (on) =>
    requestAndPrint(on, {
      ...{ kind: payeeVerification, payload, reason, isJson: values.json },
      made: `The payout instruction ${instruction} is verified.`,
    }),
  );
}

const SHOWN_VERSION = 'the version that `tradeline payee show` printed';

async function reject(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform: text, instruction: text, reason: text } });
  const externalId = required(values.instruction, '--instruction', isExternalId, ID_EXPECTED);
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(values.platform, async (on) => {
    const status = await asOperator(on, { role: 'FINANCE' }, async (context) => {
      const { db, platformId } = context;
      if (!(await findPayoutInstruction(db, { platformId, externalId })))
        throw missing(externalId, on.platform.code);
      const rejected = await changePayoutInstruction(context, externalId, 'reject', { reason });
      const subject = `payout instruction ${externalId}`;
      return { answer: rejected.status, audit: { action: 'PAYEE_REJECTED', subject, reason } };
    });
    printDone(
      values.json,
      { payout_instruction: externalId, status },
      `The payout instruction ${externalId} is ${status}: no payout goes to it.`,
    );
  });
}

const missing = (externalId: string, platform: string) =>
  new StartRefused(`There is no payout instruction ${externalId} on ${platform}.`);
