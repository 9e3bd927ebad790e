import { notFound } from '#kernel/problem';
import { findInvoice } from '#modules/invoices';
import { assertVisible } from '#operation/caller';
import { operation } from '#operation/operation';
import { InvoiceServiceParams, InvoiceServiceRequirements } from '../financing.schemas.ts';
import { examine, type ServiceFacts } from '../requirements.rules.ts';
import { readServiceFacts } from '../service-facts.ts';
import { toServiceFee } from '../shown-fee.ts';

export const listInvoiceServiceRequirements = operation({
  id: 'listInvoiceServiceRequirements',
  summary: 'List what a service on an invoice requires now',
  description: 'The unmet requirements that a request would find. Nothing is stored or reserved.',
  tag: 'Invoices',
  scope: 'read',
  effect: 'read',
  params: InvoiceServiceParams,
  status: 200,
  response: InvoiceServiceRequirements,
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'example-invoice', service_type: 'FINANCING' } },
  async run({ db, platformId, caller, now }, { params }) {
    const invoice = await findInvoice(db, { platformId, externalId: params.external_id });
    if (!invoice) throw notFound();
    assertVisible(invoice, caller);
    const question = { type: params.service_type, invoice, approvedFileId: null };
    const [facts] = await readServiceFacts({ db, platformId, now }, [question]);
    const { requirements, baseMinor, fee } = examine(facts as ServiceFacts);
    return {
      body: {
        service_type: params.service_type,
        requirements,
        base_amount: baseMinor,
        fee: fee && toServiceFee(fee, invoice.currency),
        advance_amount: fee === null ? 0 : Math.max(0, baseMinor - fee.fee_net - fee.fee_tax),
      },
    };
  },
});
