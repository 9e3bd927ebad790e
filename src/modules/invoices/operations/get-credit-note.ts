import { notFound } from '#kernel/problem';
import { assertVisible } from '#operation/caller';
import { operation } from '#operation/operation';
import { findCreditNote, toCreditNote } from '../credit-note.queries.ts';
import { CreditNote, CreditNoteParams } from '../credit-note.schemas.ts';

export const getCreditNote = operation({
  id: 'getCreditNote',
  summary: 'Retrieve a credit note',
  tag: 'Invoices',
  scope: 'read',
  effect: 'read',
  params: CreditNoteParams,
  isVersioned: true,
  status: 200,
  response: CreditNote,
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'example-credit-note' } },
  async run({ db, platformId, caller }, { params }) {
    const row = await findCreditNote(db, platformId, params.external_id);
    if (!row) throw notFound();
    assertVisible(row, caller);
    return { body: toCreditNote(row), version: row.version };
  },
});
