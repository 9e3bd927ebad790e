import { referenceNotFound } from '#kernel/missing-entity';
import { refusal } from '#kernel/problem';
import { isOfMerchant } from '#operation/caller';
import { operation } from '#operation/operation';
import { findBuyer } from '../buyer.queries.ts';
import { missingBuyer } from '../buyer.rules.ts';
import { insertContact, sealPerson, toContact } from '../contact.queries.ts';
import { readContactPerson } from '../contact.rules.ts';
import { Contact, ContactCreation } from '../contact.schemas.ts';

export const createContact = operation({
  id: 'createContact',
  summary: 'Register a contact of a buyer',
  tag: 'Contacts',
  scope: 'orders:write',
  effect: 'transaction',
  body: ContactCreation,
  isVersioned: true,
  status: 201,
  response: Contact,
  problems: ['EXTERNAL_ID_ALREADY_EXISTS', 'REFERENCED_ENTITY_NOT_FOUND'],
  example: {
    body: {
      external_id: 'example-contact',
      buyer_external_id: 'cafe-morgenrot',
      assign_to_all_invoices: true,
      salutation: 'MS',
      first_name: 'Ines',
      last_name: 'Albrecht',
      email: 'ines.albrecht@morgenrot.example',
      phone: '+493012345678',
    },
  },
  async run({ db, platformId, caller, vault, now }, { body }) {
    const buyer = await findBuyer(db, { platformId, externalId: body.buyer_external_id });
    if (!buyer) {
      const missing = missingBuyer('body.buyer_external_id', body.buyer_external_id);
      throw referenceNotFound('There is no buyer with this external_id', missing);
    }
    const row = await insertContact(db, {
      platform_id: platformId,
      external_id: body.external_id,
      buyer_external_id: body.buyer_external_id,
      assign_to_all_invoices: body.assign_to_all_invoices ?? false,
      created_at: now,
      updated_at: now,
      person_sealed: sealPerson(vault, body.external_id, readContactPerson(body)),
      is_email_from_merchant: isOfMerchant(caller),
    });
    if (!row) throw refusal('EXTERNAL_ID_ALREADY_EXISTS', 'A contact with this external_id already exists');
    return { body: toContact(row, vault), version: row.version };
  },
});
