import { operation } from '#operation/operation';
import { EnrollmentChange, Merchant, MerchantParams } from '../merchant.schemas.ts';
import { changeEnrollment } from '../transition-merchant.ts';

export const deactivateMerchant = operation({
  id: 'deactivateMerchant',
  summary: 'Stop new drafts and orders with a merchant',
  description: 'For operators. Existing orders continue.',
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
  run: (context, { params, body }) =>
    changeEnrollment(context, params.external_id, 'deactivate', body.reason),
});
