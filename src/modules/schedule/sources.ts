import type { Due, DueSource } from '#infra/time/due-transitions';
import { type LookDeps, mailingChecks, reminders, rescans } from '#modules/dunning';
import { facilityExpiries, facilityRenewals, type RenewalDeps } from '#modules/facilities';
import { serviceExaminations } from '#modules/financing';
import { dueInvoices, invoiceDefaults, scriptedPayments } from '#modules/invoices';
import { orderExpiries } from '#modules/orders';
import { formedPayouts, nettedPayouts, payoutRuns } from '#modules/payouts';
import { scriptedReviews } from '#modules/reviews';

/** What due transitions need besides the database. */
export type ScheduleDeps = RenewalDeps & LookDeps;

/** A transition that falls due, of a facility, an order, an invoice, a service or a payout. */
export type ScheduledTransition = Due<'facility' | 'order' | 'invoice' | 'service' | 'payout'>;

/** Everything that falls due. At the same instant the earlier source in this list comes first. */
export const SOURCES: readonly DueSource<ScheduleDeps, ScheduledTransition['resource']>[] = [
  scriptedReviews,
  facilityRenewals,
  facilityExpiries,
  orderExpiries,
  dueInvoices,
  scriptedPayments,
  invoiceDefaults,
  rescans,
  reminders,
  mailingChecks,
  serviceExaminations,
  payoutRuns,
  formedPayouts,
  nettedPayouts,
];
