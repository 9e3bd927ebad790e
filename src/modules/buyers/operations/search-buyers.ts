import { closed, line } from '#kernel/fields';
import { cursorListOf, cursorPageOf, cursorPaging } from '#operation/list';
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
  query: closed({ ...cursorPaging, query: line(255, 'Part of an external_id, name or identifier value') }),
  status: 200,
  response: cursorListOf(Buyer, 'BuyerList'),
  problems: [],
  example: { query: { query: 'morgenrot' } },
  async run(context, { query }) {
    const { rows, listed } = await listBuyerRows(context, { text: query.query }, cursorPageOf(query));
    return { body: { items: rows.map((row) => toBuyer(row, context)), ...listed } };
  },
});
