import type { Static } from 'typebox';
import { closed, externalId, named, oneOf, unixSeconds } from '#kernel/fields';
import { FILED_DOCUMENT_KINDS } from './filed-document.queries.ts';

const documentId = externalId('The document');

export const FiledDocumentParams = closed({
  external_id: externalId('The invoice'),
  document_id: documentId,
});

export const FiledDocument = closed(
  {
    document_id: documentId,
    kind: named('FiledDocumentKind', oneOf(FILED_DOCUMENT_KINDS, 'What it is')),
    sent_at: unixSeconds('When the first mail that had it attached was handed over, or the letter printed'),
  },
  'FiledDocument',
);
export type FiledDocument = Static<typeof FiledDocument>;
