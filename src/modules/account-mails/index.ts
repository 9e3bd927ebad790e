export { disputeNotifier } from './dispute-mails.ts';
export { facilityNotifier } from './facility-mails.ts';
export { invoiceNotifier } from './invoice-mails.ts';
export { merchantNotifier } from './merchant-mails.ts';
