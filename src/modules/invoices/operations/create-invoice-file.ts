import { createHash, randomUUID } from 'node:crypto';
import type { Db } from '#infra/database/database';
import { notFound, refusal } from '#kernel/problem';
import { type BuyerRow, findBuyer } from '#modules/buyers';
import { findMerchant, type MerchantRow } from '#modules/merchants';
import { assertVisible } from '#operation/caller';
import { assertWholeFile, FILE_BODY, type SentFile } from '#operation/file-body';
import { operation } from '#operation/operation';
import { assertRoomForFiles, lockVisibleInvoice, recordFileChange } from '../change-files.ts';
import { readEInvoice } from '../e-invoice.ts';
import { findInvoice, type InvoiceRow } from '../invoice.queries.ts';
import { InvoiceParams } from '../invoice.schemas.ts';
import { findInvoiceFile, insertInvoiceFile, sealFileName, toInvoiceFile } from '../invoice-file.queries.ts';
import { InvoiceFile, InvoiceFileCreation } from '../invoice-file.schemas.ts';
import { type NamedParty, type StatedInvoice, statedInvoiceOf } from '../stated-invoice.rules.ts';

export const createInvoiceFile = operation({
  id: 'createInvoiceFile',
  summary: 'Add a file to an invoice',
  description:
    'The body is the file itself: PDF, PNG, JPEG or XML of at most 20 MiB, with its Content-Type. A truncated file, or one whose ' +
    'content does not match its type, is refused. Files are stored encrypted. An invoice has at most 50 files, and 50 more of the kind ' +
    'DISPUTE, which its buyer sends with disputes. An electronic invoice of the kind INVOICE (XML of EN 16931: UBL or CII) is compared with the invoice when the invoice is to be financed.',
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
  async prepare({ db, platformId, caller, vault, files }, { params, query, file: sent }) {
    const { bytes, ...file } = sent as SentFile;
    const invoice = await findInvoice(db, { platformId, externalId: params.external_id });
    if (!invoice) throw notFound();
    assertVisible(invoice, caller);
    await assertWholeFile({ ...file, bytes });
    const sha256 = createHash('sha256').update(bytes).digest();
    const content = { platformId, fileId: randomUUID(), bytes, sha256 };
    await files.writeFile(vault, content);
    const isEInvoice = query.kind === 'INVOICE' && file.type === 'application/xml';
    return { ...content, stated: isEInvoice ? await statedBy(db, invoice, bytes) : null };
  },
  async run(context, { params, query, file }, content) {
    const { db, platformId, vault, files, now, actor } = context;
    const key = { platformId, externalId: params.external_id };
    const invoice = await lockVisibleInvoice(context, params.external_id);
    if (await findInvoiceFile(db, key, query.file_external_id))
      throw refusal('EXTERNAL_ID_ALREADY_EXISTS', 'The invoice already has a file with this external_id');
    await assertRoomForFiles(db, key, query);
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
      stated: content.stated,
    };
    await insertInvoiceFile(db, row);
    await recordFileChange(context, invoice, 'INVOICE.FILE.CREATED', { ...row, sha256: content.sha256 });
    const shown = { ...row, size_bytes: content.bytes.length, sha256: content.sha256 };
    return { body: toInvoiceFile(shown, vault) };
  },
});

/** What the file states about the invoice and the parties; null if it is not an electronic invoice. */
async function statedBy(
  db: Db,
  { platform_id: platformId, merchant_external_id, buyer_external_id }: InvoiceRow,
  bytes: Buffer,
): Promise<StatedInvoice | null> {
  const eInvoice = await readEInvoice(bytes);
  if (!eInvoice) return null;
  const [merchant, buyer] = await Promise.all([
    findMerchant(db, { platformId, externalId: merchant_external_id }),
    findBuyer(db, { platformId, externalId: buyer_external_id }),
  ]);
  return statedInvoiceOf(eInvoice, {
    merchant: partyOf(merchant as MerchantRow),
    buyer: partyOf(buyer as BuyerRow),
  });
}

const partyOf = ({
  legal_name,
  trading_name,
  business_identifiers,
  business_address,
}: MerchantRow | BuyerRow): NamedParty => ({
  ...{ legal_name, trading_name },
  business_identifiers: business_identifiers as { value: string }[],
  country: (business_address as { country: string } | null)?.country ?? '',
});
