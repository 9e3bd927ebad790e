import type { Lifecycle } from '#kernel/lifecycle';
import { bankTransactionLifecycle } from '#modules/banking';
import { disputeLifecycle } from '#modules/disputes';
import { facilityLifecycle } from '#modules/facilities';
import { dunningLifecycle, invoiceLifecycle, lateChargeLifecycle } from '#modules/invoices';
import { mandateLifecycle } from '#modules/mandates';
import { merchantLifecycle } from '#modules/merchants';
import { mailLifecycle } from '#modules/notifications';
import { approvalLifecycle } from '#modules/operators';
import { orderLifecycle } from '#modules/orders';
import { payoutInstructionLifecycle } from '#modules/payees';
import { payoutLifecycle } from '#modules/payouts';
import { collectionLifecycle, financingLifecycle, insuranceLifecycle } from '#modules/services';
import { reviewLifecycle } from '#modules/underwriting';
import { deliveryLifecycle, subscriptionLifecycle } from '#modules/webhooks';

/** Every lifecycle of the service, for the API and the documents. */
export const lifecycles: readonly Lifecycle<string, string>[] = [
  facilityLifecycle,
  orderLifecycle,
  invoiceLifecycle,
  lateChargeLifecycle,
  disputeLifecycle,
  dunningLifecycle,
  financingLifecycle,
  insuranceLifecycle,
  collectionLifecycle,
  reviewLifecycle,
  approvalLifecycle,
  merchantLifecycle,
  mandateLifecycle,
  payoutInstructionLifecycle,
  bankTransactionLifecycle,
  payoutLifecycle,
  subscriptionLifecycle,
  deliveryLifecycle,
  mailLifecycle,
];
