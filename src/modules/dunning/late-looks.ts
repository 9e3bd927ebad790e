/** Looks after a downtime: reminders leave by the clock, so that what is late is looked at as of the present. */
import type { Db } from '#infra/database/database';
import type { PlatformClocks } from '#infra/time/platform-clocks';
import { lockInvoices, writeNextLooks } from '#modules/invoices';
import type { PlatformRow } from '#modules/platforms';
import type { DunningDeps } from './look-context.ts';
import { waitsUntil } from './wait-for-bank.ts';

/** What looks need besides what reminders need. */
export interface LookDeps extends DunningDeps {
  clocks: Pick<PlatformClocks, 'now'>;
}

/** A morning of many reminders takes some minutes. */
const LATE_AFTER_SECONDS = 900;

/**
 * The present instant (unix seconds) where it is long after a look was due at `dueAt`, and after what the look waits for; else null.
 * Always null in a sandbox, whose clock a caller sets ahead over looks that are made as if each day had passed.
 */
export function presentOfLateLook(platform: PlatformRow, dueAt: number, deps: LookDeps): number | null {
  if (deps.isSandbox) return null;
  const present = deps.clocks.now(platform.platform_id);
  return present >= waitsUntil(platform, dueAt) + LATE_AFTER_SECONDS ? present : null;
}

/** Postpones looks that were due at `dueAt` to the present: those of invoices that were not looked at or paid since they were found. */
export async function postponeLateLooks(
  db: Db,
  platformId: number,
  externalIds: readonly string[],
  { dueAt, present: at }: { dueAt: number; present: number },
): Promise<void> {
  const locked = await lockInvoices(db, platformId, externalIds);
  const late = locked.filter(({ dunning_at: lookAt }) => lookAt !== null && lookAt <= dueAt);
  await writeNextLooks(
    db,
    platformId,
    late.map(({ external_id: invoiceExternalId }) => ({ invoiceExternalId, at })),
  );
}
