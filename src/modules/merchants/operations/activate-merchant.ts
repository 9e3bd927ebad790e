import { operation } from '#operation/operation';
import { EnrollmentChange, Merchant, MerchantParams } from '../merchant.schemas.ts';
import { changeEnrollment } from '../transition-merchant.ts';

export const activateMerchant = operation({
  id: 'activateMerchant',
  summary: 'Let a merchant sell',
  description: 'For operators. Emits MERCHANT.ENROLLED.',
  tag: 'Merchants',
  scope: 'admin',
  effect: 'transaction',
  params: MerchantParams,
  body: EnrollmentChange,
  isConditional: true,
  isVersioned: true,
  status: 200,
  response: Merchant,
  problems: ['NOT_FOUND', 'INVALID_STATUS_TRANSITION'],
  run: (context, { params, body }) => changeEnrollment(context, params.external_id, 'activate', body.reason),
});
