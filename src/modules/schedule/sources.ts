import type { DueSource } from '#infra/due-moves';
import { orderExpiries } from '#modules/orders';

/** What making a due move needs beside the database. */
export interface ScheduleSurroundings {
  isSandbox: boolean;
}

/** Everything that happens by itself. Of what falls due at the same instant, the earlier in this list happens first. */
export const SOURCES: readonly DueSource<ScheduleSurroundings>[] = [orderExpiries];
