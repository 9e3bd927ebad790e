import { futureIssues } from '#kernel/clock-skew';
import { invalidRequest, Problem } from '#kernel/problem';
import { InvoiceService, toInvoiceService } from '#modules/services';
import { operation } from '#operation/operation';
import { InvoiceServiceParams, InvoiceServiceRequest } from '../financing.schemas.ts';
import { placeService } from '../place-service.ts';

export const requestInvoiceService = operation({
  id: 'requestInvoiceService',
  summary: 'Request a service on an invoice',
  description:
    'Always creates a service. FINANCING is ACCEPTED immediately if all requirements are met. Otherwise `requirements` lists ' +
    'those that are not. If all of them can still change, it is IN_REVIEW and is examined again whenever one changes, for 30 ' +
    'days; otherwise it is REJECTED. INSURANCE and COLLECTION are decided outside the API.',
  tag: 'Invoices',
  scope: 'invoices:write',
  effect: 'own',
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
    const issues = futureIssues(body.terms_accepted_at, now, 'body.terms_accepted_at');
    const payoutAt = body.payout_at ?? null;
    if (payoutAt !== null && params.service_type !== 'FINANCING')
      issues.push({
        code: 'INVALID_VALUE',
        path: 'body.payout_at',
        message: 'is allowed only with FINANCING',
      });
    if (issues.length > 0) throw invalidRequest(issues);
    const placed = await placeService(context.db, {
      context,
      invoiceExternalId: params.external_id,
      type: params.service_type,
      termsAcceptedAt: body.terms_accepted_at,
      payoutAt,
    });
    if (placed instanceof Problem) throw placed;
    return { body: toInvoiceService(placed), version: placed.version };
  },
});
