import { refusal } from '#kernel/problem';
import type { MerchantStatus } from './merchant.lifecycle.ts';

/** Whether the merchant may get new drafts and orders. Existing orders continue in every status. */
export function isMerchantEnrolled(status: MerchantStatus): boolean {
  return status === 'ENROLLED';
}

/** Throws MERCHANT_NOT_ENROLLED for a merchant that may not sell. */
export function assertMerchantEnrolled(externalId: string, status: MerchantStatus): void {
  if (isMerchantEnrolled(status)) return;
  throw refusal('MERCHANT_NOT_ENROLLED', 'The merchant is not enrolled and takes no orders', {
    merchant_external_id: externalId,
    status,
  });
}
