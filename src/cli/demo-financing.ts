/** An invoice of the demo that is financed, paid out to its merchant, paid by the buyer, and matched on the bank statement. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_SECONDS, dayLater } from '#kernel/day';
import { localDayOf } from '#kernel/local-day';
import { bookReceived, importBankFile } from '#modules/banking';
import { requestInvoiceService } from '#modules/financing';
import { createInvoice, createInvoiceFile, getInvoice } from '#modules/invoices';
import {
  findPayouts,
  formPayoutsUntilNow,
  type PayoutRow,
  releasePayouts,
  writePayoutFiles,
} from '#modules/payouts';
import type { Context } from '#operation/operation';
import { runOperation } from '#operation/run-operation';
import type { DemoStep } from './demo-orders.ts';
import { type DemoEntry, demoStatement } from './demo-statement.ts';
import { inTransactionOf } from './operation-context.ts';

const INVOICE = 'invoice-1009';
const AMOUNT = { net: 50_000, tax: 3_500, gross: 53_500 };
const TERM_DAYS = 30;
const OPENING_MINOR = 1_000_000;
/** The statement covers the week in which the merchant is paid. */
const STATED_DAYS = 7;
const STATEMENT_BYTES_MAX = 100_000;

/** An empty page. */
const PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n' +
    'trailer<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n',
);

/** Both are before the current month, so that no later payment of last month falls on a day of the statement. */
export const financedSteps: DemoStep[] = [
  { daysAgo: 39.5, take: finance },
  { daysAgo: 33, take: (context) => inTransactionOf(context, payOut) },
];

async function finance(context: Context): Promise<void> {
  const params = { external_id: INVOICE };
  const body = {
    ...{ ...params, invoice_number: 'RE-1009' },
    ...{ buyer_external_id: 'cafe-morgenrot', merchant_external_id: 'roastery-north' },
    ...{ amount: AMOUNT, payment_method: 'TRANSFER', due_at: context.now + TERM_DAYS * DAY_SECONDS },
  };
  await runOperation(createInvoice, { context, input: { body } });
  const query = { file_external_id: 'scan', kind: 'INVOICE', name: 'Rechnung 1009.pdf' };
  const file = { type: 'application/pdf', bytes: PDF } as const;
  await runOperation(createInvoiceFile, { context, input: { params, query, file } });
  await runOperation(requestInvoiceService, {
    context,
    input: {
      params: { ...params, service_type: 'FINANCING' },
      body: { terms_accepted_at: context.now },
    },
  });
}

/** Pays the merchant and the platform, and imports the bank statement of the same day. */
async function payOut(context: Context): Promise<void> {
  const ids = await formPayoutsUntilNow(context);
  await releasePayouts(context, ids, { reason: 'Payouts of the day.' });
  await writePayoutFiles(context);
  const payouts = await findPayouts(context.db, context.platformId, ids);
  const input = { params: { external_id: INVOICE }, query: {} };
  const { payment_reference, outstanding_amount } = await runOperation(getInvoice, { context, input });
  await importStatement(context, [
    ...payouts.map(paymentOf),
    {
      ...{ minor: outstanding_amount, reference: 'DEMO-IN-1', code: 'ESCT' },
      creditorReference: payment_reference,
    },
    // It waits in the queue.
    { minor: 4_000, reference: 'DEMO-IN-2', code: 'ESCT', text: 'Vielen Dank' },
    { minor: -500, reference: 'DEMO-OUT', code: 'CHRG', text: 'Kontogebühr' },
  ]);
}

const paymentOf = ({ end_to_end_id, amount }: PayoutRow): DemoEntry => ({
  ...{ minor: -amount, reference: end_to_end_id.slice(0, 16), code: 'ESCT', endToEndId: end_to_end_id },
});

async function importStatement(context: Context, entries: readonly DemoEntry[]): Promise<void> {
  const bookedOn = localDayOf(context.now, context.timeZone);
  const fromOn = dayLater(bookedOn, 1 - STATED_DAYS);
  const folder = mkdtempSync(join(tmpdir(), 'tradeline-demo-'));
  try {
    const path = join(folder, 'statement.xml');
    writeFileSync(path, demoStatement({ fromOn, bookedOn, openingMinor: OPENING_MINOR, entries }));
    await importBankFile(context, { path, bytesMax: STATEMENT_BYTES_MAX, onProgress: () => {} });
  } finally {
    rmSync(folder, { recursive: true });
  }
  await bookReceived(context);
}
