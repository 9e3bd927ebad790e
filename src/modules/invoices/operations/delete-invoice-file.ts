import { Type } from 'typebox';
import { notFound } from '#kernel/problem';
import { assertPlatformWide } from '#operation/caller';
import { operation } from '#operation/operation';
import { lockVisibleInvoice, recordFileChange } from '../change-files.ts';
import { deleteInvoiceFileRow, findInvoiceFile } from '../invoice-file.queries.ts';
import { InvoiceFileParams } from '../invoice-file.schemas.ts';

export const deleteInvoiceFile = operation({
  id: 'deleteInvoiceFile',
  summary: 'Delete a file of an invoice',
  description: 'A key that is restricted to one merchant cannot delete files of the kind DISPUTE.',
  tag: 'Invoices',
  scope: 'invoices:write',
  effect: 'transaction',
  params: InvoiceFileParams,
  status: 200,
  response: Type.Null(),
  problems: ['NOT_FOUND', 'MERCHANT_NOT_ALLOWED'],
  example: { params: { external_id: 'example-invoice', file_external_id: 'example-file' } },
  async run(context, { params }) {
    const { db, platformId, files } = context;
    const key = { platformId, externalId: params.external_id };
    const invoice = await lockVisibleInvoice(context, params.external_id);
    const row = await findInvoiceFile(db, key, params.file_external_id);
    if (!row) throw notFound();
    // The merchant decides about the dispute that the file supports.
    if (row.kind === 'DISPUTE') assertPlatformWide(context.caller);
    await deleteInvoiceFileRow(db, key, row.external_id);
    await files.deleteFile(db, platformId, row.file_id);
    await recordFileChange(context, invoice, 'INVOICE.FILE.DELETED', row);
    return { body: null };
  },
});
