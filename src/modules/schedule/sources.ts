import type { DueSource } from '#infra/time/due-transitions';
import { facilityExpiries, facilityRenewals, type RenewalDeps } from '#modules/facilities';
import { orderExpiries } from '#modules/orders';
import { scriptedReviews } from '#modules/reviews';

/** What making a due move needs beside the database. */
export type ScheduleDeps = RenewalDeps;

/** Everything that happens by itself. Of what falls due at the same instant, the earlier in this list happens first. */
export const SOURCES: readonly DueSource<ScheduleDeps>[] = [
  scriptedReviews,
  facilityRenewals,
  facilityExpiries,
  orderExpiries,
];
