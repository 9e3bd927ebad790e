/** `tradeline dispute list|show|accept|reject|withdraw`: disputes of buyers about amounts that they owe. */
import type { PlatformVault } from '#infra/secrets/vault';
import type { Currency } from '#kernel/currency';
import { StartRefused } from '#kernel/start-refused';
import {
  acceptLockedDispute,
  type Dispute,
  type DisputeRow,
  disputedAmounts,
  disputeLifecycle,
  endLockedDispute,
  findDispute,
  listDisputesByStatus,
  listDisputesOfInvoice,
  toDispute,
} from '#modules/disputes';
import { type InvoiceRow, lockToSettle } from '#modules/invoices';
import { exactAmount, readAmount } from './amount-text.ts';
import { readArguments, WrongUsage } from './arguments.ts';
import { asOperator } from './as-operator.ts';
import { commandOf } from './command.ts';
import { type OnPlatform, onPlatform } from './installation.ts';
import { isExternalId, oneOfStates, reasonText, required } from './options.ts';
import { printDone, printItems, printResult } from './result.ts';

export const disputeCommand = commandOf('dispute', {
  list,
  show,
  accept,
  reject: (args) => end(args, 'reject'),
  withdraw: (args) => end(args, 'withdraw'),
});

const text = { type: 'string' } as const;
const SHOWN_MAX = 200;
/** An operator is not restricted to a merchant. */
const WHOLE_PLATFORM = { merchantExternalId: null };

const vaultOf = ({ vault, platform }: OnPlatform): PlatformVault =>
  vault.forPlatform(platform.code, platform.data_key_wrapped);

async function list(args: string[]): Promise<void> {
  const { values } = readArguments({
    args,
    options: { platform: text, invoice: text, status: { ...text, default: 'OPEN' } },
  });
  const statuses = values.status
    .split(',')
    .map((word) => oneOfStates(word, '--status', disputeLifecycle.states));
  const invoice =
    values.invoice === undefined
      ? null
      : required(values.invoice, '--invoice', isExternalId, "an invoice's external_id");
  await onPlatform(values.platform, async (on) => {
    const { db, platform } = on;
    const { platform_id: platformId } = platform;
    const rows =
      invoice === null
        ? await listDisputesByStatus(db, platformId, { statuses, limit: SHOWN_MAX })
        : await listDisputesOfInvoice(db, { platformId, externalId: invoice });
    const disputes = rows.map((row) => toDispute(row, vaultOf(on)));
    printItems(values.json, disputes, rowOf, 'There are no disputes.');
  });
}

const rowOf = (dispute: Dispute) => ({
  dispute: dispute.external_id,
  status: dispute.status,
  reason: dispute.reason,
  invoice: dispute.invoice_external_id,
  line: dispute.line_number === null ? '-' : String(dispute.line_number),
  buyer: dispute.buyer_external_id,
  opened: dispute.opened_on,
  decided: dispute.decided_on ?? '-',
  amount: exactAmount(dispute.amount, dispute.currency),
  accepted: exactAmount(dispute.accepted_amount, dispute.currency),
  currency: dispute.currency,
});

async function show(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    ...{ args, allowPositionals: true },
    options: { platform: text },
  });
  const externalId = idIn(positionals, 'show');
  await onPlatform(values.platform, async (on) => {
    const platformId = on.platform.platform_id;
    const row = await find(on.db, platformId, externalId);
    const dispute = toDispute(row, vaultOf(on));
    const paused = await disputedAmounts(on.db, platformId, [row.invoice_external_id]);
    const pausedMinor = row.status === 'OPEN' && row.is_pausing ? paused.get(row.invoice_external_id) : 0;
    printResult(values.json, dispute, () => {
      for (const [name, value] of Object.entries(rowOf(dispute))) console.log(`${name}: ${value}`);
      console.log(`paused of the invoice: ${exactAmount(pausedMinor ?? 0, row.currency)}`);
      console.log(`files: ${dispute.file_external_ids.join(', ') || '-'}`);
      console.log(`opened by: ${dispute.opened_by}`);
      console.log(`comment: ${dispute.comment ?? '-'}`);
      if (dispute.decided_by === null) return;
      console.log(`decided by: ${dispute.decided_by}`);
      console.log(`decision: ${dispute.decision_comment ?? '-'}`);
      console.log(`credit note: ${dispute.credit_note_external_id ?? '-'}`);
    });
  });
}

async function accept(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    ...{ args, allowPositionals: true },
    options: { platform: text, amount: text, 'credit-note': text, comment: text, reason: text },
  });
  const externalId = idIn(positionals, 'accept');
  const note = values['credit-note'];
  const noteId =
    note === undefined ? undefined : required(note, '--credit-note', isExternalId, 'an external_id');
  const { reason, comment } = wordsIn(values);
  await onPlatform(values.platform, async (on) => {
    const { currency } = await find(on.db, on.platform.platform_id, externalId);
    const gross = values.amount === undefined ? undefined : amountOption(values.amount, currency);
    const decided = await asOperator(on, { role: 'FINANCE' }, async (operator) => {
      const { invoice, dispute } = await lock(operator, externalId);
      const context = { ...operator, timeZone: on.platform.time_zone, caller: WHOLE_PLATFORM };
      const answer = await acceptLockedDispute(context, invoice, dispute, {
        ...(gross !== undefined && { amount: { gross } }),
        ...(noteId !== undefined && { credit_note_external_id: noteId }),
        comment,
      });
      const details = { amount: answer.accepted_amount, currency };
      return {
        ...{ answer },
        audit: { action: 'DISPUTE_ACCEPTED', subject: `dispute ${externalId}`, reason, details },
      };
    });
    const dispute = toDispute(decided, vaultOf(on));
    const amount = `${exactAmount(dispute.accepted_amount, currency)} ${currency}`;
    const by = dispute.credit_note_external_id;
    printDone(
      values.json,
      dispute,
      by === null
        ? `The dispute ${externalId} over ${amount} is accepted. Its payment is recorded, so no credit note was made.`
        : `${amount} of the dispute ${externalId} are accepted, with the credit note ${by}.`,
    );
  });
}

function amountOption(value: string, currency: Currency): number {
  const minor = readAmount(value, '--amount', currency);
  if (minor === 0) throw new WrongUsage('--amount must be more than 0.');
  return minor;
}

async function end(args: string[], trigger: 'reject' | 'withdraw'): Promise<void> {
  const { values, positionals } = readArguments({
    ...{ args, allowPositionals: true },
    options: { platform: text, comment: text, reason: text },
  });
  const externalId = idIn(positionals, trigger);
  const { reason, comment } = wordsIn(values);
  await onPlatform(values.platform, async (on) => {
    const decided = await asOperator(on, { role: 'FINANCE' }, async (operator) => {
      const { invoice, dispute } = await lock(operator, externalId);
      const context = { ...operator, timeZone: on.platform.time_zone };
      const answer = await endLockedDispute(context, invoice, dispute, trigger, comment);
      const details = { amount: answer.amount, currency: answer.currency };
      const action = trigger === 'reject' ? 'DISPUTE_REJECTED' : 'DISPUTE_WITHDRAWN';
      return { answer, audit: { action, subject: `dispute ${externalId}`, reason, details } };
    });
    const dispute = toDispute(decided, vaultOf(on));
    const amount = `${exactAmount(dispute.amount, dispute.currency)} ${dispute.currency}`;
    printDone(
      values.json,
      dispute,
      `The dispute ${externalId} is ${dispute.status}: ${amount} of the invoice ${dispute.invoice_external_id} count again.`,
    );
  });
}

/** The reason is for the audit log, the comment for the buyer. */
function wordsIn(values: { reason?: string | undefined; comment?: string | undefined }) {
  const comment = values.comment === undefined ? null : reasonText(values.comment, '--comment');
  return { reason: reasonText(values.reason, '--reason'), comment };
}

function idIn([externalId = '', ...more]: string[], verb: string): string {
  if (isExternalId(externalId) && externalId !== '' && more.length === 0) return externalId;
  throw new WrongUsage(`Name one dispute: tradeline dispute ${verb} ID, from tradeline dispute list.`);
}

async function find(db: OnPlatform['db'], platformId: number, externalId: string): Promise<DisputeRow> {
  const dispute = await findDispute(db, { platformId, externalId });
  if (dispute) return dispute;
  throw new StartRefused(`There is no dispute ${externalId}: see tradeline dispute list.`);
}

/** The dispute, read after locking its invoice and everything that a credit note changes. */
async function lock(
  operator: Parameters<typeof lockToSettle>[0],
  externalId: string,
): Promise<{ invoice: InvoiceRow; dispute: DisputeRow }> {
  const { db, platformId } = operator;
  const { invoice_external_id: of } = await find(db, platformId, externalId);
  const invoice = (await lockToSettle(operator, [of])).get(of) as InvoiceRow;
  return { invoice, dispute: await find(db, platformId, externalId) };
}
