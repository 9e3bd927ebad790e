import { Type } from 'typebox';
import { CurrencySchema, closed, externalId, line, oneOf } from '#kernel/fields';
import { localDayOf } from '#kernel/local-day';
import { assertMerchantAllowed } from '#operation/caller';
import {
  cursorListOf,
  cursorPageOf,
  cursorPaging,
  filterByAmount,
  filterByDays,
  filterByList,
  filterBySeconds,
  sortBy,
} from '#operation/list';
import { operation } from '#operation/operation';
import {
  COLLECTION_STATUSES,
  FINANCING_STATUSES,
  INSURANCE_STATUSES,
  Invoice,
  InvoiceExpansion,
  InvoiceStatusSchema,
} from '../invoice.schemas.ts';
import { INVOICE_SORTS, listInvoiceRows } from '../invoice-list.queries.ts';
import { showInvoices } from '../invoice-view.ts';

export const listInvoices = operation({
  id: 'listInvoices',
  summary: 'List invoices',
  tag: 'Invoices',
  scope: 'read',
  effect: 'read',
  query: closed({
    ...cursorPaging,
    external_id: filterByList(externalId('An invoice'), 'Only these invoices'),
    buyer_external_id: filterByList(externalId('A buyer'), 'Only invoices of these buyers'),
    merchant_external_id: filterByList(externalId('A merchant'), 'Only invoices of these merchants'),
    order_external_id: filterByList(externalId('An order'), 'Only invoices of these orders'),
    status: filterByList(InvoiceStatusSchema, 'Only these statuses'),
    currency: filterByList(CurrencySchema, 'Only these currencies'),
    invoice_number: filterByList(line(100), 'Only these numbers'),
    buyer_legal_name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        format: 'plain-line',
        description: 'Only invoices of buyers with this legal name; * matches any text, case is ignored',
      }),
    ),
    created_at: filterBySeconds('Created'),
    updated_at: filterBySeconds('Last changed'),
    invoiced_at: filterBySeconds('Date of the invoice'),
    due_at: filterBySeconds('Due'),
    amount_gross: filterByAmount('Gross amount'),
    days_past_due: filterByDays('Past due, of invoices in status DUE'),
    financing_status: filterByList(
      oneOf(FINANCING_STATUSES),
      'Status of the last financing; none matches invoices without one',
    ),
    collection_status: filterByList(
      oneOf(COLLECTION_STATUSES),
      'Status of the last collection; none matches invoices without one',
    ),
    insurance_status: filterByList(
      oneOf(INSURANCE_STATUSES),
      'Status of the last insurance; none matches invoices without one',
    ),
    sort_by: sortBy(INVOICE_SORTS),
    expand: Type.Optional(Type.Array(InvoiceExpansion)),
  }),
  status: 200,
  response: cursorListOf(Invoice, 'InvoiceList'),
  problems: ['MERCHANT_NOT_ALLOWED'],
  example: { query: { status: 'OPEN,DUE', amount_gross: '1000..', sort_by: 'due_at', limit: '2' } },
  async run(context, { query }) {
    const { db, platformId, caller, vault, now, timeZone } = context;
    for (const merchant of query.merchant_external_id ?? []) assertMerchantAllowed(caller, merchant);
    const filter =
      caller.merchantExternalId === null
        ? query
        : { ...query, merchant_external_id: [caller.merchantExternalId] };
    const today = localDayOf(now, timeZone);
    const { rows, listed } = await listInvoiceRows(context, filter, cursorPageOf(query), today);
    const items = await showInvoices(db, platformId, rows, {
      vault,
      now,
      timeZone,
      expand: query.expand,
    });
    return { body: { items, ...listed } };
  },
});
