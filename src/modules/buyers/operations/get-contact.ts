import { notFound } from '#kernel/problem';
import { operation } from '#operation/operation';
import { findContact, toContact } from '../contact.queries.ts';
import { Contact, ContactParams } from '../contact.schemas.ts';

export const getContact = operation({
  id: 'getContact',
  summary: 'Retrieve a contact',
  tag: 'Contacts',
  scope: 'read',
  effect: 'read',
  params: ContactParams,
  isVersioned: true,
  status: 200,
  response: Contact,
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'cafe-morgenrot-accounting' } },
  async run({ db, platformId, vault }, { params }) {
    const row = await findContact(db, { platformId, externalId: params.external_id });
    if (!row) throw notFound();
    return { body: toContact(row, vault), version: row.version };
  },
});
