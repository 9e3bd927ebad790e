import { createHash, randomUUID } from 'node:crypto';
import { notFound, refusal } from '#kernel/problem';
import { assertVisible } from '#operation/caller';
import { assertWholeFile, FILE_BODY, type SentFile } from '#operation/file-body';
import { operation } from '#operation/operation';
import { lockVisibleInvoice, recordFileChange } from '../change-files.ts';
import { findInvoice } from '../invoice.queries.ts';
import { InvoiceParams } from '../invoice.schemas.ts';
import {
  countInvoiceFiles,
  findInvoiceFile,
  insertInvoiceFile,
  sealFileName,
  toInvoiceFile,
} from '../invoice-file.queries.ts';
import { InvoiceFile, InvoiceFileCreation } from '../invoice-file.schemas.ts';

const FILES_MAX = 50;

export const createInvoiceFile = operation({
  id: 'createInvoiceFile',
  summary: 'Add a file to an invoice',
  description:
    'The body is the file itself: PDF, PNG, JPEG or XML of at most 20 MiB, with its Content-Type. A file of another type than it ' +
    'says, or one that was cut off, is refused. It is stored encrypted. An invoice has at most 50 files.',
  tag: 'Invoices',
  scope: 'invoices:write',
  effect: 'transaction',
  params: InvoiceParams,
  query: InvoiceFileCreation,
  fileBody: FILE_BODY,
  status: 201,
  response: InvoiceFile,
  problems: ['NOT_FOUND', 'EXTERNAL_ID_ALREADY_EXISTS', 'TOO_MANY_FILES'],
  example: {
    params: { external_id: 'example-invoice' },
    query: { file_external_id: 'example-file', kind: 'INVOICE', name: 'Invoice 1011.pdf' },
  },
  async prepare({ db, platformId, caller, vault, files }, { params, file: sent }) {
    const { bytes, ...file } = sent as SentFile;
    const invoice = await findInvoice(db, { platformId, externalId: params.external_id });
    if (!invoice) throw notFound();
    assertVisible(invoice, caller);
    await assertWholeFile({ ...file, bytes });
    const sha256 = createHash('sha256').update(bytes).digest();
    const content = { platformId, fileId: randomUUID(), bytes, sha256 };
    await files.writeFile(vault, content);
    return content;
  },
  async run(context, { params, query, file }, content) {
    const { db, platformId, vault, files, now, actor } = context;
    const key = { platformId, externalId: params.external_id };
    const invoice = await lockVisibleInvoice(context, params.external_id);
    if (await findInvoiceFile(db, key, query.file_external_id))
      throw refusal('EXTERNAL_ID_ALREADY_EXISTS', 'The invoice has a file with this external_id already');
    if ((await countInvoiceFiles(db, key)) >= FILES_MAX)
      throw refusal('TOO_MANY_FILES', `An invoice has at most ${FILES_MAX} files`, { files_max: FILES_MAX });
    await files.putFile(db, vault, content, now);
    const row = {
      platform_id: platformId,
      invoice_external_id: invoice.external_id,
      external_id: query.file_external_id,
      file_id: content.fileId,
      kind: query.kind,
      media_type: (file as SentFile).type,
      name_sealed: sealFileName(vault, content.fileId, query.name),
      created_at: now,
      actor,
    };
    await insertInvoiceFile(db, row);
    await recordFileChange(context, invoice, 'INVOICE.FILE.CREATED', { ...row, sha256: content.sha256 });
    const shown = { ...row, size_bytes: content.bytes.length, sha256: content.sha256 };
    return { body: toInvoiceFile(shown, vault) };
  },
});
