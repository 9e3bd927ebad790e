import { closed } from '#kernel/fields';
import { cursorListOf, cursorPageOf, cursorPaging, filterByList } from '#operation/list';
import { operation } from '#operation/operation';
import { listMerchantRows, toMerchant } from '../merchant.queries.ts';
import { Merchant, MerchantStatusSchema } from '../merchant.schemas.ts';

export const listMerchants = operation({
  id: 'listMerchants',
  summary: 'List the merchants, newest first',
  tag: 'Merchants',
  scope: 'read',
  effect: 'read',
  query: closed({ ...cursorPaging, status: filterByList(MerchantStatusSchema, 'Only these statuses') }),
  status: 200,
  response: cursorListOf(Merchant, 'MerchantList'),
  problems: [],
  example: { query: { limit: '2' } },
  async run(context, { query }) {
    const only = context.caller.merchantExternalId;
    const filter = only === null ? query : { ...query, external_id: [only] };
    const { rows, listed } = await listMerchantRows(context, filter, cursorPageOf(query));
    return { body: { items: rows.map((row) => toMerchant(row, context.vault)), ...listed } };
  },
});
