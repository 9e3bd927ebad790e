import { closed, externalId } from '#kernel/fields';
import { filterByList, listOf, pageOf, paging } from '#operation/list';
import { operation } from '#operation/operation';
import { listContactRows, toContact } from '../contact.queries.ts';
import { Contact } from '../contact.schemas.ts';

export const listContacts = operation({
  id: 'listContacts',
  summary: 'List contacts, newest first',
  tag: 'Contacts',
  scope: 'read',
  effect: 'read',
  query: closed({
    ...paging,
    buyer_external_id: filterByList(externalId('A buyer'), 'Only contacts of these buyers'),
  }),
  status: 200,
  response: listOf(Contact, 'ContactList'),
  problems: [],
  example: { query: { buyer_external_id: 'cafe-morgenrot' } },
  async run({ db, platformId, vault }, { query }) {
    const page = await listContactRows(db, platformId, query.buyer_external_id, pageOf(query));
    return { body: { ...page, items: page.items.map((row) => toContact(row, vault)) } };
  },
});
