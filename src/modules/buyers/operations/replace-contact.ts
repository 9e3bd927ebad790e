import { changedFields, nextVersion } from '#kernel/changes';
import { notFound, refusal } from '#kernel/problem';
import { operation } from '#operation/operation';
import { assertReadOnlyFields } from '#operation/read-only';
import { assertFormatsOfNew } from '#operation/stored-formats';
import { lockContact, sealPerson, toContact, updateContact } from '../contact.queries.ts';
import { readContactPerson } from '../contact.rules.ts';
import { Contact, ContactParams, ContactReplacement } from '../contact.schemas.ts';
import { isEmailFromMerchant } from '../email-source.rules.ts';

export const replaceContact = operation({
  id: 'replaceContact',
  summary: 'Replace a contact',
  description:
    'Full replacement: omitted fields are cleared. Read-only fields are accepted with their stored values. A contact ' +
    'cannot move to another buyer. Repeating a request changes nothing.',
  tag: 'Contacts',
  scope: 'orders:write',
  effect: 'transaction',
  params: ContactParams,
  body: ContactReplacement,
  acceptsStoredFormats: true,
  isConditional: true,
  isVersioned: true,
  status: 200,
  response: Contact,
  problems: ['NOT_FOUND', 'IMMUTABLE_FIELD'],
  example: {
    params: { external_id: 'cafe-morgenrot-accounting' },
    body: {
      assign_to_all_invoices: true,
      salutation: 'MS',
      first_name: 'Ines',
      last_name: 'Albrecht',
      email: 'buchhaltung@morgenrot.example',
      phone: '+493044034060',
      address: {
        street: 'Kastanienallee',
        house: '85',
        postcode: '10435',
        city: 'Berlin',
        country: 'DE',
      },
    },
  },
  async run({ db, platformId, caller, vault, now, assertVersion }, { params, body, formatIssues }) {
    const row = await lockContact(db, platformId, params.external_id);
    if (!row) throw notFound();
    assertVersion(row.version);
    if (body.buyer_external_id !== undefined && body.buyer_external_id !== row.buyer_external_id) {
      throw refusal('IMMUTABLE_FIELD', 'A contact cannot move to another buyer', {
        field: 'body.buyer_external_id',
      });
    }
    const stored = toContact(row, vault);
    assertReadOnlyFields(ContactReplacement, body, stored);
    assertFormatsOfNew(formatIssues, body, stored);
    const person = readContactPerson(body);
    const wanted = { ...person, assign_to_all_invoices: body.assign_to_all_invoices ?? false };
    const isChanged = person.email !== stored.email;
    const isFromMerchant = isEmailFromMerchant(caller, row, { isChanged, isNamed: true });
    if (changedFields(stored, wanted).length === 0) {
      if (isFromMerchant !== row.is_email_from_merchant)
        await updateContact(db, platformId, params.external_id, { is_email_from_merchant: isFromMerchant });
      return { body: stored, version: row.version };
    }
    const replaced = await updateContact(db, platformId, params.external_id, {
      assign_to_all_invoices: wanted.assign_to_all_invoices,
      person_sealed: sealPerson(vault, params.external_id, person),
      ...(isChanged && { email_changed_at: now }),
      is_email_from_merchant: isFromMerchant,
      ...nextVersion(row, now),
    });
    return { body: toContact(replaced, vault), version: replaced.version };
  },
});
