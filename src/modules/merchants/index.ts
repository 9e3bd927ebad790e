export { merchantEvents } from './merchant.events.ts';
export { type MerchantStatus, merchantLifecycle } from './merchant.lifecycle.ts';
export {
  emailsOfMerchant,
  findMerchant,
  findMerchantStatus,
  findMerchants,
  type MerchantRow,
  merchantTotals,
  shownName,
} from './merchant.queries.ts';
export { assertMerchantEnrolled, isMerchantEnrolled, unknownMerchant } from './merchant.rules.ts';
export type { Merchant, MerchantCreation } from './merchant.schemas.ts';
export { activateMerchant } from './operations/activate-merchant.ts';
export { createMerchant } from './operations/create-merchant.ts';
export { deactivateMerchant } from './operations/deactivate-merchant.ts';
export { getMerchant } from './operations/get-merchant.ts';
export { listMerchants } from './operations/list-merchants.ts';
export { replaceMerchant } from './operations/replace-merchant.ts';
export { findSoleMerchant } from './sole-merchant.ts';
