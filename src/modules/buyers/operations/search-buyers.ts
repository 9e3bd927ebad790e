import { closed, line } from '#kernel/fields';
import { listOf, pageOf, paging } from '#operation/list';
import { operation } from '#operation/operation';
import { listBuyerRows } from '../buyer.queries.ts';
import { Buyer } from '../buyer.schemas.ts';
import { toBuyer } from '../company.conversions.ts';

export const searchBuyers = operation({
  id: 'searchBuyers',
  summary: 'Search buyers by text',
  description:
    'Finds the text anywhere in the external_id, names and identifier values; case does not matter. Newest first.',
  tag: 'Buyers',
  scope: 'read',
  effect: 'read',
  query: closed({ ...paging, query: line(255, 'Part of an external_id, name or identifier value') }),
  status: 200,
  response: listOf(Buyer, 'BuyerList'),
  problems: [],
  example: { query: { query: 'morgenrot' } },
  async run(context, { query }) {
    const { db, platformId } = context;
    const page = await listBuyerRows(db, platformId, { text: query.query }, undefined, pageOf(query));
    return { body: { ...page, items: page.items.map((row) => toBuyer(row, context)) } };
  },
});
