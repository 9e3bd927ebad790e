import { rethrowNaming } from '#kernel/missing-entity';
import { simulateServiceTransition } from '#modules/financing';
import { InvoiceService, toInvoiceService } from '#modules/services';
import { assertPlatformWide } from '#operation/caller';
import { operation } from '#operation/operation';
import { ServiceSimulation, SIMULATED } from '../simulator.schemas.ts';

export const simulateService = operation({
  id: 'simulateService',
  summary: 'Simulate a transition of a service on an invoice',
  description:
    'Makes one transition that is decided outside the API: by an insurer, a collector or an operator, or by the passing of time. A ' +
    'financing is accepted if everything that it requires is met. `POST /v1/sandbox/payouts` pays its advance, and ' +
    '`POST /v1/sandbox/invoices` settles it or opens it again.',
  tag: 'Sandbox',
  scope: 'admin',
  effect: 'transaction',
  isSandboxOnly: true,
  body: ServiceSimulation,
  isVersioned: true,
  status: 200,
  response: InvoiceService,
  problems: ['NOT_FOUND', 'MERCHANT_NOT_ALLOWED', 'INVALID_STATUS_TRANSITION'],
  example: { body: { invoice_external_id: 'example-invoice', service_type: 'INSURANCE', trigger: 'accept' } },
  async run(context, { body }) {
    assertPlatformWide(context.caller);
    const simulated = { ...context, actor: 'sandbox' };
    const row = await simulateServiceTransition(simulated, body, SIMULATED).catch(
      rethrowNaming({
        field: 'body.invoice_external_id',
        value: body.invoice_external_id,
        remedy:
          'No invoice of this external_id has such a service: request it first with POST /v1/invoices/{external_id}/services/{service_type}.',
      }),
    );
    return { body: toInvoiceService(row), version: row.version };
  },
});
