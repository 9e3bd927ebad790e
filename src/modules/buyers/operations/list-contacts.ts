import { closed, externalId } from '#kernel/fields';
import { cursorListOf, cursorPageOf, cursorPaging, filterByList } from '#operation/list';
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
    ...cursorPaging,
    buyer_external_id: filterByList(externalId('A buyer'), 'Only contacts of these buyers'),
  }),
  status: 200,
  response: cursorListOf(Contact, 'ContactList'),
  problems: [],
  example: { query: { buyer_external_id: 'cafe-morgenrot' } },
  async run(context, { query }) {
    const { rows, listed } = await listContactRows(context, query, cursorPageOf(query));
    return { body: { items: rows.map((row) => toContact(row, context.vault)), ...listed } };
  },
});
