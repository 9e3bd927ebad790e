import { closed } from '#kernel/fields';
import { notFound } from '#kernel/problem';
import { findBuyerName } from '#modules/buyers';
import { assertPlatformWide } from '#operation/caller';
import { cursorListOf, cursorPageOf, cursorPaging } from '#operation/list';
import { operation } from '#operation/operation';
import { listMandateRows, toMandate } from '../mandate.queries.ts';
import { Mandate, MandateListParams } from '../mandate.schemas.ts';

export const listMandates = operation({
  id: 'listMandates',
  summary: "List a buyer's mandates, newest first",
  description: 'Includes revoked mandates.',
  tag: 'Mandates',
  scope: 'read',
  effect: 'read',
  params: MandateListParams,
  query: closed(cursorPaging),
  status: 200,
  response: cursorListOf(Mandate, 'MandateList'),
  problems: ['NOT_FOUND', 'MERCHANT_NOT_ALLOWED'],
  example: { params: { external_id: 'cafe-morgenrot' } },
  async run(context, { params, query }) {
    const { db, platformId, caller, vault } = context;
    assertPlatformWide(caller);
    const [buyerName, { rows, listed }] = await Promise.all([
      findBuyerName(db, { platformId, externalId: params.external_id }),
      listMandateRows(context, params.external_id, cursorPageOf(query)),
    ]);
    if (buyerName === undefined) throw notFound();
    return { body: { items: rows.map((row) => toMandate(row, vault)), ...listed } };
  },
});
