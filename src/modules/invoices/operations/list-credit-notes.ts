import { CurrencySchema, closed, externalId } from '#kernel/fields';
import { assertMerchantAllowed } from '#operation/caller';
import {
  cursorListOf,
  cursorPageOf,
  cursorPaging,
  filterByAmount,
  filterByList,
  filterBySeconds,
  sortBy,
} from '#operation/list';
import { operation } from '#operation/operation';
import { CREDIT_NOTE_SORTS, listCreditNoteRows, toCreditNote } from '../credit-note.queries.ts';
import { CreditNote, CreditReasonSchema } from '../credit-note.schemas.ts';

export const listCreditNotes = operation({
  id: 'listCreditNotes',
  summary: 'List credit notes',
  tag: 'Invoices',
  scope: 'read',
  effect: 'read',
  query: closed({
    ...cursorPaging,
    external_id: filterByList(externalId('A credit note'), 'Only these credit notes'),
    invoice_external_id: filterByList(externalId('An invoice'), 'Only credit notes of these invoices'),
    buyer_external_id: filterByList(externalId('A buyer'), 'Only credit notes of these buyers'),
    merchant_external_id: filterByList(externalId('A merchant'), 'Only credit notes of these merchants'),
    reason_code: filterByList(CreditReasonSchema, 'Only these reasons'),
    currency: filterByList(CurrencySchema, 'Only these currencies'),
    created_at: filterBySeconds('Created'),
    invoiced_at: filterBySeconds('Date of the credit note'),
    amount_gross: filterByAmount('Gross amount'),
    sort_by: sortBy(CREDIT_NOTE_SORTS),
  }),
  status: 200,
  response: cursorListOf(CreditNote, 'CreditNoteList'),
  problems: ['MERCHANT_NOT_ALLOWED'],
  example: { query: { invoice_external_id: 'example-invoice', sort_by: '-invoiced_at' } },
  async run(context, { query }) {
    const { caller } = context;
    for (const merchant of query.merchant_external_id ?? []) assertMerchantAllowed(caller, merchant);
    const filter =
      caller.merchantExternalId === null
        ? query
        : { ...query, merchant_external_id: [caller.merchantExternalId] };
    const { rows, listed } = await listCreditNoteRows(context, filter, cursorPageOf(query));
    return { body: { items: rows.map(toCreditNote), ...listed } };
  },
});
