import { referenceNotFound } from '#kernel/missing-entity';
import { assertMerchantAllowed } from '#operation/caller';
import type { Context } from '#operation/operation';
import { findOnlyMerchant, type MerchantRow } from './merchant.queries.ts';

/** The only merchant of a single-merchant platform, for requests that name none. Throws 403 and 422. */
export async function findSoleMerchant({
  db,
  platformId,
  caller,
}: Pick<Context, 'db' | 'platformId' | 'caller'>): Promise<Pick<MerchantRow, 'external_id' | 'status'>> {
  const only = await findOnlyMerchant(db, platformId);
  if (!only) {
    const remedy = 'Register the merchant first with POST /v1/merchants.';
    throw referenceNotFound('The merchant of this platform is not registered yet', {
      field: 'body.merchant_external_id',
      value: null,
      remedy,
    });
  }
  assertMerchantAllowed(caller, only.external_id);
  return only;
}
