import { Type } from 'typebox';
import { notFound } from '#kernel/problem';
import { operation } from '#operation/operation';
import { lockContact, removeContact } from '../contact.queries.ts';
import { ContactParams } from '../contact.schemas.ts';

export const deleteContact = operation({
  id: 'deleteContact',
  summary: 'Delete a contact',
  tag: 'Contacts',
  scope: 'orders:write',
  effect: 'transaction',
  params: ContactParams,
  isConditional: true,
  status: 200,
  response: Type.Null(),
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'example-contact' } },
  async run({ db, platformId, assertVersion }, { params }) {
    const row = await lockContact(db, platformId, params.external_id);
    if (!row) throw notFound();
    assertVersion(row.version);
    await removeContact(db, platformId, params.external_id);
    return { body: null };
  },
});
