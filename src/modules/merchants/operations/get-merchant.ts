import { notFound } from '#kernel/problem';
import { assertMerchantAllowed } from '#operation/caller';
import { operation } from '#operation/operation';
import { findMerchant, toMerchant } from '../merchant.queries.ts';
import { Merchant, MerchantParams } from '../merchant.schemas.ts';

export const getMerchant = operation({
  id: 'getMerchant',
  summary: 'Retrieve a merchant',
  tag: 'Merchants',
  scope: 'read',
  effect: 'read',
  params: MerchantParams,
  isVersioned: true,
  status: 200,
  response: Merchant,
  problems: ['NOT_FOUND', 'MERCHANT_NOT_ALLOWED'],
  example: { params: { external_id: 'roastery-north' } },
  async run({ db, platformId, caller, vault }, { params }) {
    assertMerchantAllowed(caller, params.external_id);
    const row = await findMerchant(db, { platformId, externalId: params.external_id });
    if (!row) throw notFound();
    return { body: toMerchant(row, vault), version: row.version };
  },
});
