import type { Due, DueSource } from '#infra/time/due-transitions';
import { facilityExpiries, facilityRenewals, type RenewalDeps } from '#modules/facilities';
import { orderExpiries } from '#modules/orders';
import { scriptedReviews } from '#modules/reviews';

/** What making a due move needs beside the database. */
export type ScheduleDeps = RenewalDeps;

/** A transition that falls due, of a facility or an order. */
export type ScheduledTransition = Due<'facility' | 'order'>;

/** Everything that happens by itself. Of what falls due at the same instant, the earlier in this list happens first. */
export const SOURCES: readonly DueSource<ScheduleDeps, ScheduledTransition['resource']>[] = [
  scriptedReviews,
  facilityRenewals,
  facilityExpiries,
  orderExpiries,
];
