import { notFound } from '#kernel/problem';
import { operation } from '#operation/operation';
import { findBuyer } from '../buyer.queries.ts';
import { BuyerParams, BuyerSettings } from '../buyer.schemas.ts';

export const getBuyerSettings = operation({
  id: 'getBuyerSettings',
  summary: "Retrieve a buyer's settings",
  tag: 'Buyers',
  scope: 'read',
  effect: 'read',
  params: BuyerParams,
  isVersioned: true,
  status: 200,
  response: BuyerSettings,
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'cafe-morgenrot' } },
  async run({ db, platformId }, { params }) {
    const row = await findBuyer(db, { platformId, externalId: params.external_id });
    if (!row) throw notFound();
    return { body: { language: row.language, formality: row.formality }, version: row.version };
  },
});
