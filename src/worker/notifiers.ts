import { disputeNotifier, facilityNotifier, invoiceNotifier, merchantNotifier } from '#modules/account-mails';
import { orderNotifier } from '#modules/checkout';
import type { Notifier } from '#modules/notifications';

/** Who writes mails about events. A new one comes with a migration that begins it at the end of the streams that exist. */
export const NOTIFIERS: readonly Notifier[] = [
  orderNotifier,
  invoiceNotifier,
  disputeNotifier,
  facilityNotifier,
  merchantNotifier,
];
