import { type Static, Type } from 'typebox';
import { defineEvents, type EventOf, SequenceSchema } from '#kernel/event';
import { externalId } from '#kernel/fields';
import type { NewEvent } from '#modules/webhooks';
import type { InvoiceStatus } from './invoice.lifecycle.ts';
import type { InvoiceColumns } from './invoice.queries.ts';
import { InvoiceStatusSchema } from './invoice.schemas.ts';
import type { InvoiceFileRow } from './invoice-file.queries.ts';
import { InvoiceFileKindSchema } from './invoice-file.schemas.ts';

const InvoiceFileEventData = Type.Object(
  {
    external_id: externalId('The invoice'),
    buyer_external_id: externalId('The buyer'),
    merchant_external_id: externalId('The merchant'),
    sequence: SequenceSchema,
    status: {
      ...InvoiceStatusSchema,
      description: 'The status of the invoice, which the event does not change',
    },
    file_external_id: externalId('The file'),
    kind: InvoiceFileKindSchema,
    sha256: Type.String({ description: 'The SHA-256 of the content, in hexadecimal' }),
  },
  { title: 'InvoiceFileEventData' },
);

const example = (status: InvoiceStatus, sequence: number): Static<typeof InvoiceFileEventData> => ({
  external_id: 'invoice-1011',
  buyer_external_id: 'cafe-morgenrot',
  merchant_external_id: 'roastery-north',
  sequence,
  status,
  file_external_id: 'invoice-1011-pdf',
  kind: 'INVOICE',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
});

export const invoiceFileEvents = defineEvents(InvoiceFileEventData, {
  'INVOICE.FILE.CREATED': { when: 'a file was added to an invoice', example: example('OPEN', 2) },
  'INVOICE.FILE.DELETED': { when: 'a file of an invoice was deleted', example: example('OPEN', 3) },
});
export type InvoiceFileEvent = EventOf<typeof invoiceFileEvents>;

/** An event about a file. `invoice` is the invoice after the change. */
export function invoiceFileEvent(
  type: InvoiceFileEvent['type'],
  invoice: InvoiceColumns,
  file: Pick<InvoiceFileRow, 'external_id' | 'kind' | 'sha256'>,
): NewEvent<InvoiceFileEvent> {
  return {
    platformId: invoice.platform_id,
    type,
    occurredAt: invoice.updated_at,
    data: {
      external_id: invoice.external_id,
      buyer_external_id: invoice.buyer_external_id,
      merchant_external_id: invoice.merchant_external_id,
      sequence: invoice.version,
      status: invoice.status,
      file_external_id: file.external_id,
      kind: file.kind,
      sha256: file.sha256.toString('hex'),
    },
  };
}
