import { Type } from 'typebox';
import { closed } from '#kernel/fields';
import { notFound } from '#kernel/problem';
import { assertVisible } from '#operation/caller';
import { operation } from '#operation/operation';
import { findInvoice } from '../invoice.queries.ts';
import { Invoice, InvoiceExpansion, InvoiceParams } from '../invoice.schemas.ts';
import { isBeyondInvoice, showInvoices } from '../invoice-view.ts';

export const getInvoice = operation({
  id: 'getInvoice',
  summary: 'Retrieve an invoice',
  tag: 'Invoices',
  scope: 'read',
  effect: 'read',
  params: InvoiceParams,
  query: closed({ expand: Type.Optional(Type.Array(InvoiceExpansion)) }),
  isVersioned: true,
  status: 200,
  response: Invoice,
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'example-invoice' }, query: { expand: 'services' } },
  async run({ db, platformId, caller, vault, now, timeZone }, { params, query }) {
    const row = await findInvoice(db, { platformId, externalId: params.external_id });
    if (!row) throw notFound();
    assertVisible(row, caller);
    const [body] = await showInvoices(db, platformId, [row], { vault, now, timeZone, expand: query.expand });
    return {
      body: body as Invoice,
      version: row.version,
      isBeyondVersion: isBeyondInvoice(body as Invoice),
    };
  },
});
