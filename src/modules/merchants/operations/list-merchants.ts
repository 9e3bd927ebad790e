import { closed } from '#kernel/fields';
import { listOf, pageOf, paging } from '#operation/list';
import { operation } from '#operation/operation';
import { listMerchantRows, toMerchant } from '../merchant.queries.ts';
import { Merchant } from '../merchant.schemas.ts';

export const listMerchants = operation({
  id: 'listMerchants',
  summary: 'List the merchants, newest first',
  tag: 'Merchants',
  scope: 'read',
  effect: 'read',
  query: closed(paging),
  status: 200,
  response: listOf(Merchant, 'MerchantList'),
  problems: [],
  example: { query: { limit: '2' } },
  async run({ db, platformId, caller, vault }, { query }) {
    const page = await listMerchantRows(db, platformId, caller.merchantExternalId, pageOf(query));
    return { body: { ...page, items: page.items.map((row) => toMerchant(row, vault)) } };
  },
});
