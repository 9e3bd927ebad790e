/** `tradeline charge list|claim|waive`: what buyers owe for paying late. */
import { StartRefused } from '#kernel/start-refused';
import {
  findLateCharge,
  type LateCharge,
  type LateChargeKind,
  lateChargeLifecycle,
  listLateCharges,
  listLateChargesOfInvoice,
  lockToSettle,
  toLateCharge,
  waiveLateCharge,
} from '#modules/invoices';
import { type ChargeFault, chargeInvoice } from '#modules/late-charges';
import { listReminderHandovers } from '#modules/statements';
import { exactAmount } from './amount-text.ts';
import { readArguments, WrongUsage } from './arguments.ts';
import { asOperator } from './as-operator.ts';
import { commandOf } from './command.ts';
import { nowOn, onPlatform } from './installation.ts';
import { dayEnd, ifGiven, isExternalId, oneOfStates, reasonText, required } from './options.ts';
import { printDone, printItems, printResult } from './result.ts';
import { printTable } from './table.ts';

export const chargeCommand = commandOf('charge', { list, claim, waive });

const text = { type: 'string' } as const;
const SHOWN_MAX = 200;
/** The kinds that are claimed by default. A reminder fee is charged only if a reminder was sent. */
const USUAL_KINDS = 'INTEREST,COMPENSATION';
const KINDS: readonly LateChargeKind[] = ['INTEREST', 'COMPENSATION', 'REMINDER'];
const INVOICE_EXPECTED = "an invoice's external_id";

async function list(args: string[]): Promise<void> {
  const { values } = readArguments({
    args,
    options: { platform: text, invoice: text, buyer: text, status: { ...text, default: 'OPEN' } },
  });
  const { states } = lateChargeLifecycle;
  const statuses = values.status.split(',').map((word) => oneOfStates(word, '--status', states));
  const invoice = ifGiven(values.invoice, '--invoice', isExternalId, INVOICE_EXPECTED);
  const buyerExternalId = ifGiven(values.buyer, '--buyer', isExternalId, "a buyer's external_id");
  await onPlatform(values.platform, async ({ db, platform: { platform_id: platformId } }) => {
    const rows =
      invoice === null
        ? await listLateCharges(db, platformId, { statuses, buyerExternalId, limit: SHOWN_MAX })
        : await listLateChargesOfInvoice(db, { platformId, externalId: invoice });
    printItems(values.json, rows.map(toLateCharge), rowOf, 'There are no late charges.');
  });
}

const rowOf = (charge: LateCharge) => ({
  charge: charge.external_id,
  status: charge.status,
  kind: charge.kind,
  invoice: charge.invoice_external_id,
  buyer: charge.buyer_external_id,
  claimed: charge.charged_on,
  amount: exactAmount(charge.amount, charge.currency),
  owed: exactAmount(charge.outstanding_amount, charge.currency),
  currency: charge.currency,
  creditor: charge.creditor,
});

async function claim(args: string[]): Promise<void> {
  const { values } = readArguments({
    args,
    options: {
      ...{ platform: text, invoice: text, reason: text, 'reminded-on': text },
      kind: { ...text, default: USUAL_KINDS },
    },
  });
  const invoice = required(values.invoice, '--invoice', isExternalId, INVOICE_EXPECTED);
  const kinds = values.kind.split(',').map((word) => oneOfStates(word, '--kind', KINDS));
  const remindedOn = values['reminded-on'] ?? null;
  const remindedBy =
    remindedOn === null ? 0 : dayEnd(remindedOn, '--reminded-on', 'a day such as 2026-03-31');
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(values.platform, async (on) => {
    if (remindedBy > nowOn(on)) throw new WrongUsage('--reminded-on must be a day that has ended.');
    const { time_zone: timeZone } = on.platform;
    const { charges, missing } = await asOperator(on, { role: 'FINANCE' }, async (operator) => {
      const request = { invoiceExternalId: invoice, kinds, remindedOn, reason };
      const answer = await chargeInvoice({ ...operator, timeZone, listReminderHandovers }, request);
      if (answer.fault !== null) throw refusalOf(invoice, answer);
      const details = { charges: answer.charges.map(({ external_id }) => external_id) };
      const audit = { action: 'LATE_CHARGES_CLAIMED', subject: `invoice ${invoice}`, reason, details };
      return { answer, audit: answer.charges.length === 0 ? null : audit };
    });
    const claimed = charges.map(toLateCharge);
    printResult(values.json, { charges: claimed, missing: missing.map(({ message }) => message) }, () => {
      for (const { message } of missing)
        console.log(`${message} Update it with \`tradeline late-payment update\`.`);
      printTable(claimed.map(rowOf), 'Nothing was claimed.');
      for (const { kind, computation } of claimed) {
        console.log(`\n${kind}: ${computation.source} (${computation.country})`);
        if (computation.lines.length > 0) printTable(computation.lines.map(lineOf), '');
      }
    });
  });
}

const lineOf = (line: LateCharge['computation']['lines'][number]) => ({
  ...{ from: line.from, to: line.to, days: String(line.days), amount: String(line.amount) },
  rate: `${(line.rate_basis_points / 100).toFixed(2)} %`,
  year: String(line.year_days),
  interest: String(line.interest),
});

function refusalOf(invoice: string, answer: ChargeFault): StartRefused {
  switch (answer.fault) {
    case 'NO_SUCH_INVOICE':
      return new StartRefused(`There is no invoice ${invoice}.`);
    case 'CANCELLED':
      return new StartRefused(`The invoice ${invoice} is CANCELLED: nothing is owed on it.`);
    case 'NO_LAW':
      return new StartRefused(
        `The merchant of the invoice ${invoice} is in ${answer.country}, whose law on late payment Tradeline does not support.`,
      );
  }
}

async function waive(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { platform: text, reason: text },
  });
  const [externalId = '', ...more] = positionals;
  if (!isExternalId(externalId) || externalId === '' || more.length > 0)
    throw new WrongUsage('Name one charge: tradeline charge waive ID, from tradeline charge list.');
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(values.platform, async (on) => {
    const waived = await asOperator(on, { role: 'FINANCE' }, async (operator) => {
      const { db, platformId } = operator;
      const named = await findLateCharge(db, platformId, externalId);
      if (!named) throw new StartRefused(`There is no late charge ${externalId}: see tradeline charge list.`);
      await lockToSettle(operator, [named.invoice_external_id]);
      const locked = (await findLateCharge(db, platformId, externalId)) as typeof named;
      const answer = await waiveLateCharge(operator, locked, reason);
      const details = { amount: locked.outstanding_amount, currency: locked.currency };
      const audit = { action: 'LATE_CHARGE_WAIVED', subject: `late charge ${externalId}`, reason, details };
      return { answer, audit };
    });
    const charge = toLateCharge(waived);
    const amount = `${exactAmount(charge.waived_amount, charge.currency)} ${charge.currency}`;
    printDone(
      values.json,
      charge,
      `${amount} of the late charge ${externalId} are waived. The invoice is unchanged.`,
    );
  });
}
