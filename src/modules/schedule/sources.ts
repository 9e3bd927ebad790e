import type { DueSource } from '#infra/due-moves';
import { facilityExpiries, facilityRenewals, type RenewalSurroundings } from '#modules/facilities';
import { orderExpiries } from '#modules/orders';
import { scriptedReviews } from '#modules/reviews';

/** What making a due move needs beside the database. */
export type ScheduleSurroundings = RenewalSurroundings;

/** Everything that happens by itself. Of what falls due at the same instant, the earlier in this list happens first. */
export const SOURCES: readonly DueSource<ScheduleSurroundings>[] = [
  scriptedReviews,
  facilityRenewals,
  facilityExpiries,
  orderExpiries,
];
