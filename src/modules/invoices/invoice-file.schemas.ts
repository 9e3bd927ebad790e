import { type Static, Type } from 'typebox';
import { closed, externalId, line, named, oneOf, unixSeconds } from '#kernel/fields';
import { FILE_TYPES } from '#kernel/file-type';

export const INVOICE_FILE_KINDS = [
  'INVOICE',
  'CREDIT_NOTE',
  'PERFORMANCE_PROOF',
  'CONTRACT',
  'DISPUTE',
  'OTHER',
] as const;

export const InvoiceFileKindSchema = named('InvoiceFileKind', oneOf(INVOICE_FILE_KINDS));

export const InvoiceFileCreation = closed({
  file_external_id: externalId('Chosen by the platform, unique for the invoice'),
  kind: InvoiceFileKindSchema,
  name: { ...line(255), description: 'The name under which the file is saved' },
});

export const InvoiceFileParams = closed({
  external_id: externalId('The invoice'),
  file_external_id: externalId('The file'),
});

export const InvoiceFile = closed(
  {
    external_id: externalId('The file, unique for the invoice'),
    invoice_external_id: externalId('The invoice'),
    kind: InvoiceFileKindSchema,
    name: Type.String(),
    media_type: named('FileMediaType', oneOf(FILE_TYPES)),
    size_bytes: Type.Integer(),
    sha256: Type.String({ description: 'The SHA-256 of the content, in hexadecimal' }),
    created_at: unixSeconds('When it was received'),
  },
  'InvoiceFile',
);
export type InvoiceFile = Static<typeof InvoiceFile>;
