import { Type } from 'typebox';
import { FILE_TYPES } from '#kernel/file-type';
import { notFound } from '#kernel/problem';
import { assertVisible } from '#operation/caller';
import { operation } from '#operation/operation';
import { findInvoice } from '../invoice.queries.ts';
import { findInvoiceFile, openFileName } from '../invoice-file.queries.ts';
import { InvoiceFileParams } from '../invoice-file.schemas.ts';

export const getInvoiceFile = operation({
  id: 'getInvoiceFile',
  summary: 'Retrieve the content of a file of an invoice',
  description:
    'Returns the bytes as they were sent, as an attachment. The `ETag` is the SHA-256 of the content.',
  tag: 'Invoices',
  scope: 'read',
  effect: 'read',
  params: InvoiceFileParams,
  status: 200,
  answersFile: FILE_TYPES,
  response: Type.Null(),
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'example-invoice', file_external_id: 'example-file' } },
  async run({ db, platformId, caller, vault, files }, { params }) {
    const key = { platformId, externalId: params.external_id };
    const [invoice, row] = await Promise.all([
      findInvoice(db, key),
      findInvoiceFile(db, key, params.file_external_id),
    ]);
    if (!invoice || !row) throw notFound();
    assertVisible(invoice, caller);
    const { file_id, media_type: type, size_bytes: sizeBytes, sha256 } = row;
    const chunks = files.openFile(db, vault, platformId, file_id);
    return { body: null, file: { name: openFileName(vault, row), type, sizeBytes, sha256, chunks } };
  },
});
