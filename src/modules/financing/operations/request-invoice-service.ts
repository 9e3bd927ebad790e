import { randomUUID } from 'node:crypto';
import { futureIssues } from '#kernel/clock-skew';
import { invalidRequest } from '#kernel/problem';
import { lockInvoiceToSettle } from '#modules/invoices';
import { assertPayoutAt } from '#modules/payouts';
import { InvoiceService, requestService, toInvoiceService } from '#modules/services';
import { operation } from '#operation/operation';
import { examineRequest } from '../examine-services.ts';
import { InvoiceServiceParams, InvoiceServiceRequest } from '../financing.schemas.ts';

export const requestInvoiceService = operation({
  id: 'requestInvoiceService',
  summary: 'Request a service on an invoice',
  description:
    'Always makes a service. FINANCING is ACCEPTED at once if everything that it requires is met. Else `requirements` lists all ' +
    'that is not: what can still change leaves it IN_REVIEW, and it is examined again when any of it changes, for 30 days; ' +
    'what cannot makes it REJECTED. INSURANCE and COLLECTION are decided outside the API.',
  tag: 'Invoices',
  scope: 'invoices:write',
  effect: 'transaction',
  params: InvoiceServiceParams,
  body: InvoiceServiceRequest,
  isVersioned: true,
  status: 201,
  response: InvoiceService,
  problems: [
    'NOT_FOUND',
    'INVOICE_HAS_ACTIVE_SERVICE',
    'PAYOUT_DATE_TOO_EARLY',
    'PAYOUT_DATE_NOT_BUSINESS_DAY',
  ],
  example: {
    params: { external_id: 'example-invoice', service_type: 'INSURANCE' },
    body: { terms_accepted_at: 1_763_640_000 },
  },
  async run(context, { params, body }) {
    const { now } = context;
    const { service_type, external_id } = params;
    const issues = futureIssues(body.terms_accepted_at, now, 'body.terms_accepted_at');
    const payoutAt = body.payout_at ?? null;
    if (payoutAt !== null && service_type !== 'FINANCING')
      issues.push({
        code: 'INVALID_VALUE',
        path: 'body.payout_at',
        message: 'is allowed with FINANCING only',
      });
    if (issues.length > 0) throw invalidRequest(issues);
    const invoice = await lockInvoiceToSettle(context, external_id);
    if (payoutAt !== null) await assertPayoutAt(context, invoice.currency, payoutAt);
    const requested = await requestService(context, {
      external_id: randomUUID(),
      invoice_external_id: invoice.external_id,
      buyer_external_id: invoice.buyer_external_id,
      merchant_external_id: invoice.merchant_external_id,
      service_type,
      currency: invoice.currency,
      created_at: now,
      terms_accepted_at: body.terms_accepted_at,
      requested_payout_at: payoutAt,
      examine_at: now,
    });
    const examined = await examineRequest(context, requested, invoice);
    return { body: toInvoiceService(examined), version: examined.version };
  },
});
