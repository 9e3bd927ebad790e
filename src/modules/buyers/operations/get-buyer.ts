import { Type } from 'typebox';
import { closed } from '#kernel/fields';
import { notFound } from '#kernel/problem';
import { operation } from '#operation/operation';
import { findBuyer } from '../buyer.queries.ts';
import { Buyer, BuyerExpansion, BuyerParams } from '../buyer.schemas.ts';
import { toBuyer } from '../company.conversions.ts';
import { readContacts } from '../contact.queries.ts';

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
  async run(context, { params, query }) {
    const { db, platformId } = context;
    const row = await findBuyer(db, { platformId, externalId: params.external_id });
    if (!row) throw notFound();
    const { version } = row;
    const buyer = toBuyer(row, context);
    if (!query.expand) return { body: buyer, version, isBeyondVersion: buyer.max_days_past_due !== null };
    const contacts = await readContacts(context, row.external_id);
    return { body: { ...buyer, contacts }, version, isBeyondVersion: true };
  },
});
