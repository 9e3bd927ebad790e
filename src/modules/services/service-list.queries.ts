/** Lists of services: the services of an invoice, and services for operators. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import type { CursorPage, Page } from '#operation/list';
import { type ListContext, type ListTable, listRows } from '#operation/list-table.queries';
import { type ServiceRow, servicesTable } from './service.queries.ts';

const OF_INVOICE: ListTable<{ invoice_external_id: string[] }> = {
  table: 'invoice_services',
  key: 'ordinal',
  of: 'invoice_external_id',
  sort: 'ordinal',
  values: ['invoice_external_id'],
  ranges: [],
};

/** A page of the services of an invoice, oldest first. */
export async function listServicesOfInvoice(context: ListContext, externalId: string, page: CursorPage) {
  const ofInvoice = { invoice_external_id: [externalId] };
  return listRows<typeof ofInvoice, ServiceRow>(context, OF_INVOICE, ofInvoice, page, servicesTable.of('t'));
}

/** Services for operators, newest first. */
export async function listServiceRows(
  db: Db,
  platformId: number,
  { status, invoice }: { status?: readonly string[] | undefined; invoice?: string | undefined },
  page: Page,
): Promise<ServiceRow[]> {
  return db
    .selectFrom('invoice_services')
    .select(servicesTable.columns)
    .where('platform_id', '=', platformId)
    .$if(status !== undefined, (query) => query.where(sql<boolean>`status = any(${status}::text[])`))
    .$if(invoice !== undefined, (query) => query.where('invoice_external_id', '=', invoice as string))
    .orderBy('ordinal', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .$castTo<ServiceRow>()
    .execute();
}
