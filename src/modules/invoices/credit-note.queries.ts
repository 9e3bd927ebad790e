/** Credit notes: inserted once and never changed. */
import type { Db } from '#infra/database/database';
import { json, type NewRowOf, type RowOf, table, text } from '#infra/database/table';
import type { Currency } from '#kernel/currency';
import type { LineItem } from '#modules/orders';
import type { CursorPage } from '#operation/list';
import { type ListContext, type ListTable, listRows } from '#operation/list-table.queries';
import type { CREDIT_REASONS, CreditNote } from './credit-note.schemas.ts';

const creditNotesTable = table('credit_notes', {
  platform_id: 'int',
  external_id: 'text',
  version: 'int',
  created_at: 'bigint',
  updated_at: 'bigint',
  invoice_external_id: 'text',
  buyer_external_id: 'text',
  merchant_external_id: 'text',
  reason_code: text<(typeof CREDIT_REASONS)[number]>(),
  invoiced_at: 'bigint',
  currency: text<Currency>(),
  amount_net: 'bigint',
  amount_tax: 'bigint',
  amount_gross: 'bigint',
  line_items: json<LineItem[]>(),
  actor: 'text',
});
export type CreditNoteRow = RowOf<typeof creditNotesTable>;

/** Returns undefined and writes nothing if the external_id is taken. */
export async function insertCreditNote(
  db: Db,
  platformId: number,
  note: Omit<NewRowOf<typeof creditNotesTable>, 'platform_id'>,
): Promise<CreditNoteRow | undefined> {
  return db
    .insertInto('credit_notes')
    .values(creditNotesTable.insertable({ ...note, platform_id: platformId }))
    .onConflict((oc) => oc.columns(['platform_id', 'external_id']).doNothing())
    .returning(creditNotesTable.columns)
    .$castTo<CreditNoteRow>()
    .executeTakeFirst();
}

/** Returns undefined for an unknown credit note. */
export async function findCreditNote(
  db: Db,
  platformId: number,
  externalId: string,
): Promise<CreditNoteRow | undefined> {
  return db
    .selectFrom('credit_notes')
    .select(creditNotesTable.columns)
    .where('platform_id', '=', platformId)
    .where('external_id', '=', externalId)
    .$castTo<CreditNoteRow>()
    .executeTakeFirst();
}

export const CREDIT_NOTE_SORTS = ['created_at', 'invoiced_at', 'amount_gross', 'external_id'] as const;

export interface CreditNoteFilter {
  external_id?: string[];
  invoice_external_id?: string[];
  buyer_external_id?: string[];
  merchant_external_id?: string[];
  reason_code?: string[];
  currency?: string[];
  created_at?: string;
  invoiced_at?: string;
  amount_gross?: string;
}

export const creditNoteTotals = {
  list: 'credit_notes',
  by: [[], ['buyer_external_id'], ['merchant_external_id'], ['reason_code'], ['currency']],
} as const;

const CREDIT_NOTES: ListTable<CreditNoteFilter> = {
  table: 'credit_notes',
  key: 'external_id',
  values: [
    'external_id',
    'invoice_external_id',
    'buyer_external_id',
    'merchant_external_id',
    'reason_code',
    'currency',
  ],
  ranges: ['created_at', 'invoiced_at', 'amount_gross'],
  counted: creditNoteTotals.by,
};

/** A page of credit notes. Every filter and sort has its index. */
export async function listCreditNoteRows(context: ListContext, filter: CreditNoteFilter, page: CursorPage) {
  const columns = creditNotesTable.of('t');
  return listRows<CreditNoteFilter, CreditNoteRow>(context, CREDIT_NOTES, filter, page, columns);
}

export function toCreditNote(row: CreditNoteRow): CreditNote {
  const { amount_net: net, amount_tax: tax, amount_gross: gross, currency } = row;
  return {
    external_id: row.external_id,
    invoice_external_id: row.invoice_external_id,
    buyer_external_id: row.buyer_external_id,
    merchant_external_id: row.merchant_external_id,
    reason_code: row.reason_code,
    created_at: row.created_at,
    updated_at: row.updated_at,
    invoiced_at: row.invoiced_at,
    amount: { net, tax, gross, currency },
    line_items: row.line_items,
  };
}
