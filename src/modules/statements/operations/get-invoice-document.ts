import { Type } from 'typebox';
import { closed, externalId, oneOf } from '#kernel/fields';
import { notFound } from '#kernel/problem';
import { findInvoice } from '#modules/invoices';
import { assertVisible } from '#operation/caller';
import { operation } from '#operation/operation';
import { documentFile } from '../document-file.ts';
import { INVOICE_DOCUMENT_KINDS, invoiceDocumentOf } from '../invoice-document.ts';

export const getInvoiceDocument = operation({
  id: 'getInvoiceDocument',
  summary: 'Retrieve a document about an invoice as a PDF',
  description:
    "The document in the buyer's language, as a tagged PDF (PDF/UA-1), with an EPC QR code if a euro account is to be paid. " +
    '`SUMMARY` shows what is owed, the instalments, payments, credit notes and late charges with the computation of interest. ' +
    '`ASSIGNMENT_NOTICE` exists while the claim does not belong to the merchant.',
  tag: 'Invoices',
  scope: 'read',
  effect: 'read',
  params: closed({
    external_id: externalId('The invoice'),
    kind: oneOf(INVOICE_DOCUMENT_KINDS, 'The document'),
  }),
  status: 200,
  answersFile: ['application/pdf'],
  response: Type.Null(),
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'example-invoice', kind: 'SUMMARY' } },
  async run(context, { params }) {
    const { db, platformId, caller } = context;
    const invoice = await findInvoice(db, { platformId, externalId: params.external_id });
    if (!invoice) throw notFound();
    assertVisible(invoice, caller);
    const body = await invoiceDocumentOf(context, invoice, params.kind);
    if (body === null) throw notFound();
    const name = `${params.kind.toLowerCase().replace('_', '-')}-${params.external_id}`;
    return { body: null, file: await documentFile(name, body) };
  },
});
