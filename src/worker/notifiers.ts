import { disputeNotifier, facilityNotifier, invoiceNotifier, merchantNotifier } from '#modules/account-mails';
import { orderNotifier } from '#modules/checkout';
import type { Notifier } from '#modules/notifications';

/** The notifiers that write mails about events. A new one needs a migration that starts it at the end of existing streams. */
export const NOTIFIERS: readonly Notifier[] = [
  orderNotifier,
  invoiceNotifier,
  disputeNotifier,
  facilityNotifier,
  merchantNotifier,
];
