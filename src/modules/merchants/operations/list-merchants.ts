import { closed } from '#kernel/fields';
import { filterByList, listOf, pageOf, paging } from '#operation/list';
import { operation } from '#operation/operation';
import { listMerchantRows, toMerchant } from '../merchant.queries.ts';
import { Merchant, MerchantStatusSchema } from '../merchant.schemas.ts';

export const listMerchants = operation({
  id: 'listMerchants',
  summary: 'List the merchants, newest first',
  tag: 'Merchants',
  scope: 'read',
  effect: 'read',
  query: closed({ ...paging, status: filterByList(MerchantStatusSchema, 'Only these statuses') }),
  status: 200,
  response: listOf(Merchant, 'MerchantList'),
  problems: [],
  example: { query: { limit: '2' } },
  async run({ db, platformId, caller, vault }, { query }) {
    const filter = { onlyExternalId: caller.merchantExternalId, status: query.status };
    const page = await listMerchantRows(db, platformId, filter, pageOf(query));
    return { body: { ...page, items: page.items.map((row) => toMerchant(row, vault)) } };
  },
});
