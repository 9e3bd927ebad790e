export { merchantEvents } from './merchant.events.ts';
export { merchantLifecycle } from './merchant.lifecycle.ts';
export {
  existsMerchant,
  findMerchant,
  findOnlyMerchant,
  type MerchantRow,
  shownName,
} from './merchant.queries.ts';
export type { MerchantCreation } from './merchant.schemas.ts';
export { createMerchant } from './operations/create-merchant.ts';
export { getMerchant } from './operations/get-merchant.ts';
export { listMerchants } from './operations/list-merchants.ts';
export { replaceMerchant } from './operations/replace-merchant.ts';
