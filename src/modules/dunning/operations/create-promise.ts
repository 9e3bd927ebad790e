import { randomUUID } from 'node:crypto';
import { localDayOf } from '#kernel/local-day';
import { invalidRequest, refusal } from '#kernel/problem';
import { InvoiceParams, type InvoiceRow, lockVisibleInvoice } from '#modules/invoices';
import { assertPlatformWide } from '#operation/caller';
import { type Context, operation } from '#operation/operation';
import { findPromise, type PromiseRow } from '../promise.queries.ts';
import { promiseFault } from '../promise.rules.ts';
import { PromiseCreation, PromiseToPay } from '../promise.schemas.ts';
import { toPromise } from '../promise-view.ts';
import { stopReminders } from '../stop-reminders.ts';

export const createPromise = operation({
  id: 'createPromise',
  summary: 'Record that a buyer promised to pay an invoice',
  description:
    'The buyer is not reminded of the invoice until the promise ends, and a waiting reminder is withdrawn. If the promise is ' +
    'broken, the reminders continue on the day after it. Late charges continue to accrue, and the due date stays. A key that is ' +
    'restricted to one merchant cannot record a promise for a financed invoice, because the claim belongs to the platform.',
  tag: 'Invoices',
  scope: 'invoices:write',
  effect: 'transaction',
  params: InvoiceParams,
  body: PromiseCreation,
  status: 201,
  response: PromiseToPay,
  problems: [
    'NOT_FOUND',
    'MERCHANT_NOT_ALLOWED',
    'EXTERNAL_ID_ALREADY_EXISTS',
    'PROMISE_EXCEEDS_OUTSTANDING',
  ],
  example: {
    params: { external_id: 'example-invoice' },
    body: { external_id: 'example-promise', amount: 1190, until: 1_900_000_000 },
  },
  async run(context, { params, body }) {
    const { timeZone } = context;
    const invoice = await lockVisibleInvoice(context, params.external_id);
    if (invoice.is_financed) assertPlatformWide(context.caller);
    assertCurrency(body, invoice);
    const promise = {
      amountMinor: body.amount ?? invoice.outstanding_amount,
      untilOn: localDayOf(body.until, timeZone),
    };
    assertPossible(context, invoice, promise);
    const externalId = body.external_id ?? randomUUID();
    const isNew = await stopReminders(context, {
      ...{ cause: 'PROMISE', scope: { scope: 'INVOICE', externalId: invoice.external_id }, externalId },
      ...{ untilOn: promise.untilOn, promisedMinor: promise.amountMinor, reason: null },
    });
    if (!isNew) throw refusal('EXTERNAL_ID_ALREADY_EXISTS', 'A promise with this external_id already exists');
    const row = await findPromise(context.db, context.platformId, {
      ...{ invoiceExternalId: invoice.external_id, externalId },
    });
    return { body: toPromise(row as PromiseRow, invoice, timeZone) };
  },
});

function assertCurrency({ currency }: PromiseCreation, invoice: InvoiceRow): void {
  if (currency === undefined || currency === invoice.currency) return;
  const message = `must be ${invoice.currency}, the currency of the invoice`;
  throw invalidRequest([{ code: 'INVALID_VALUE', path: 'body.currency', message }]);
}

function assertPossible(
  { now, timeZone }: Context,
  invoice: InvoiceRow,
  promise: Parameters<typeof promiseFault>[1],
): void {
  const fault = promiseFault(invoice, promise, localDayOf(now, timeZone));
  if (fault === 'BEFORE_TODAY')
    throw invalidRequest([
      { code: 'INVALID_VALUE', path: 'body.until', message: 'must not be before today' },
    ]);
  if (fault === 'MORE_THAN_OUTSTANDING')
    throw refusal('PROMISE_EXCEEDS_OUTSTANDING', 'The promised amount is above what the invoice owes', {
      outstanding: invoice.outstanding_amount,
    });
}
