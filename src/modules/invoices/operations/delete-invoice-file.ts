import { Type } from 'typebox';
import { notFound } from '#kernel/problem';
import { operation } from '#operation/operation';
import { lockVisibleInvoice, recordFileChange } from '../change-files.ts';
import { deleteInvoiceFileRow, findInvoiceFile } from '../invoice-file.queries.ts';
import { InvoiceFileParams } from '../invoice-file.schemas.ts';

export const deleteInvoiceFile = operation({
  id: 'deleteInvoiceFile',
  summary: 'Delete a file of an invoice',
  tag: 'Invoices',
  scope: 'invoices:write',
  effect: 'transaction',
  params: InvoiceFileParams,
  status: 200,
  response: Type.Null(),
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'example-invoice', file_external_id: 'example-file' } },
  async run(context, { params }) {
    const { db, platformId, files } = context;
    const key = { platformId, externalId: params.external_id };
    const invoice = await lockVisibleInvoice(context, params.external_id);
    const row = await findInvoiceFile(db, key, params.file_external_id);
    if (!row) throw notFound();
    await deleteInvoiceFileRow(db, key, row.external_id);
    await files.deleteFile(db, platformId, row.file_id);
    await recordFileChange(context, invoice, 'INVOICE.FILE.DELETED', row);
    return { body: null };
  },
});
