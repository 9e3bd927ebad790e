import { Type } from 'typebox';
import { closed } from '#kernel/fields';
import { notFound } from '#kernel/problem';
import { operation } from '#operation/operation';
import { findBuyer } from '../buyer.queries.ts';
import { Buyer, BuyerExpansion, BuyerParams } from '../buyer.schemas.ts';
import { toBuyer } from '../company.conversions.ts';
import { findContactsOfBuyers, toContact } from '../contact.queries.ts';

export const getBuyer = operation({
  id: 'getBuyer',
  summary: 'Retrieve a buyer',
  tag: 'Buyers',
  scope: 'read',
  effect: 'read',
  params: BuyerParams,
  query: closed({ expand: Type.Optional(Type.Array(BuyerExpansion)) }),
  isVersioned: true,
  status: 200,
  response: Buyer,
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'cafe-morgenrot' }, query: { expand: 'contacts' } },
  async run({ db, platformId, vault, now }, { params, query }) {
    const row = await findBuyer(db, { platformId, externalId: params.external_id });
    if (!row) throw notFound();
    if (!query.expand) return { body: toBuyer(row, vault, now), version: row.version };
    const contacts = await findContactsOfBuyers(db, platformId, [row.external_id]);
    return {
      body: { ...toBuyer(row, vault, now), contacts: contacts.map((contact) => toContact(contact, vault)) },
      version: row.version,
    };
  },
});
