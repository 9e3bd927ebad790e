import { Type } from 'typebox';
import { CountrySchema, closed, externalId, LegalFormSchema } from '#kernel/fields';
import {
  cursorListOf,
  cursorPageOf,
  cursorPaging,
  filterByList,
  filterBySeconds,
  sortBy,
} from '#operation/list';
import { operation } from '#operation/operation';
import { BUYER_SORTS, listBuyerRows } from '../buyer.queries.ts';
import { Buyer, BuyerExpansion } from '../buyer.schemas.ts';
import { toBuyer } from '../company.conversions.ts';
import { findContactsOfBuyers, toContact } from '../contact.queries.ts';

export const listBuyers = operation({
  id: 'listBuyers',
  summary: 'List buyers',
  tag: 'Buyers',
  scope: 'read',
  effect: 'read',
  query: closed({
    ...cursorPaging,
    external_id: filterByList(externalId('A buyer'), 'Only these buyers'),
    legal_form: filterByList(LegalFormSchema, 'Only these legal forms'),
    country: filterByList(CountrySchema, 'Only business addresses in these countries'),
    created_at: filterBySeconds('Registered'),
    updated_at: filterBySeconds('Changed last'),
    sort_by: sortBy(BUYER_SORTS),
    expand: Type.Optional(Type.Array(BuyerExpansion)),
  }),
  status: 200,
  response: cursorListOf(Buyer, 'BuyerList'),
  problems: [],
  example: { query: { country: 'DE,FR', sort_by: 'legal_name', limit: '2' } },
  async run(context, { query }) {
    const { db, platformId, vault } = context;
    const { rows, listed } = await listBuyerRows(context, query, cursorPageOf(query));
    const buyers = rows.map((row) => toBuyer(row, context));
    if (!query.expand) return { body: { items: buyers, ...listed } };
    const contacts = await findContactsOfBuyers(
      db,
      platformId,
      buyers.map((buyer) => buyer.external_id),
    );
    const byBuyer = Map.groupBy(contacts, (contact) => contact.buyer_external_id);
    const items = buyers.map((buyer) => ({
      ...buyer,
      contacts: (byBuyer.get(buyer.external_id) ?? []).map((contact) => toContact(contact, vault)),
    }));
    return { body: { items, ...listed } };
  },
});
