import { referenceNotFound } from '#kernel/missing-entity';
import { type Problem, refusal } from '#kernel/problem';
import type { MerchantStatus } from './merchant.lifecycle.ts';

/** Whether the merchant may get new drafts and orders. Existing orders continue in every status. */
export function isMerchantEnrolled(status: MerchantStatus): boolean {
  return status === 'ENROLLED';
}

/** The refusal of a merchant that a request names but that does not exist on the platform. */
export function unknownMerchant(field: string, externalId: string): Problem {
  return referenceNotFound('There is no merchant with this external_id', {
    field,
    value: externalId,
    remedy: 'GET /v1/merchants lists the merchants; POST /v1/merchants registers one.',
  });
}

/** Throws MERCHANT_NOT_ENROLLED for a merchant that may not sell. */
export function assertMerchantEnrolled(externalId: string, status: MerchantStatus): void {
  if (isMerchantEnrolled(status)) return;
  throw refusal('MERCHANT_NOT_ENROLLED', 'The merchant is not enrolled and takes no orders', {
    merchant_external_id: externalId,
    status,
  });
}
