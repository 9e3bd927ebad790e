import { closed } from '#kernel/fields';
import { notFound } from '#kernel/problem';
import { findBuyerName } from '#modules/buyers';
import { assertPlatformWide } from '#operation/caller';
import { listOf, pageOf, paging } from '#operation/list';
import { operation } from '#operation/operation';
import { listMandateRows, toMandate } from '../mandate.queries.ts';
import { Mandate, MandateListParams } from '../mandate.schemas.ts';

export const listMandates = operation({
  id: 'listMandates',
  summary: "List a buyer's mandates, newest first",
  description: 'Revoked ones too.',
  tag: 'Mandates',
  scope: 'read',
  effect: 'read',
  params: MandateListParams,
  query: closed(paging),
  status: 200,
  response: listOf(Mandate, 'MandateList'),
  problems: ['NOT_FOUND', 'MERCHANT_NOT_ALLOWED'],
  example: { params: { external_id: 'cafe-morgenrot' } },
  async run({ db, platformId, caller, vault }, { params, query }) {
    assertPlatformWide(caller);
    const [buyerName, page] = await Promise.all([
      findBuyerName(db, { platformId, externalId: params.external_id }),
      listMandateRows(db, platformId, params.external_id, pageOf(query)),
    ]);
    if (buyerName === undefined) throw notFound();
    return { body: { ...page, items: page.items.map((row) => toMandate(row, vault)) } };
  },
});
