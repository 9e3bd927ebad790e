import { notFound } from '#kernel/problem';
import { lockVisibleInvoice } from '#modules/invoices';
import { assertPlatformWide } from '#operation/caller';
import { operation } from '#operation/operation';
import { findPromise, type PromiseRow } from '../promise.queries.ts';
import { PromiseParams, PromiseToPay } from '../promise.schemas.ts';
import { toPromise } from '../promise-view.ts';
import { withdrawStop } from '../stop-reminders.ts';

export const withdrawPromise = operation({
  id: 'withdrawPromise',
  summary: 'Withdraw a promise to pay',
  description:
    'The reminders of the invoice continue immediately, unless something else stops them. Withdrawing it again changes nothing.',
  tag: 'Invoices',
  scope: 'invoices:write',
  effect: 'transaction',
  params: PromiseParams,
  status: 200,
  response: PromiseToPay,
  problems: ['NOT_FOUND', 'MERCHANT_NOT_ALLOWED'],
  example: { params: { external_id: 'example-invoice', promise_external_id: 'example-promise-2' } },
  async run(context, { params }) {
    const { db, platformId, timeZone } = context;
    const invoice = await lockVisibleInvoice(context, params.external_id);
    if (invoice.is_financed) assertPlatformWide(context.caller);
    const key = { invoiceExternalId: invoice.external_id, externalId: params.promise_external_id };
    const promise = await findPromise(db, platformId, key);
    if (!promise) throw notFound();
    if (promise.ended_at === null) await withdrawStop(context, promise);
    const row = (await findPromise(db, platformId, key)) as PromiseRow;
    return { body: toPromise(row, invoice, timeZone) };
  },
});
