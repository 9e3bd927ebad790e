/** Looks after a downtime: reminders leave by the clock, so a late look is made as of the present. */
import type { Db } from '#infra/database/database';
import type { PlatformClocks } from '#infra/time/platform-clocks';
import { lockInvoices, writeNextLooks } from '#modules/invoices';
import type { PlatformRow } from '#modules/platforms';
import type { DunningDeps } from './look-context.ts';
import { waitsUntil } from './wait-for-bank.ts';

/** The deps of looks: those of reminders, and the clocks. */
export interface LookDeps extends DunningDeps {
  clocks: Pick<PlatformClocks, 'now'>;
}

/** A morning with many reminders takes several minutes. */
const LATE_AFTER_SECONDS = 900;

/**
 * The present instant (unix seconds), if it is 15 minutes or more after a look was due at `dueAt` and after its wait for the bank; else
 * null. Always null in a sandbox: a caller sets its clock ahead, and looks are made as if each day had passed.
 */
export function presentOfLateLook(platform: PlatformRow, dueAt: number, deps: LookDeps): number | null {
  if (deps.isSandbox) return null;
  const present = deps.clocks.now(platform.platform_id);
  return present >= waitsUntil(platform, dueAt) + LATE_AFTER_SECONDS ? present : null;
}

/** Postpones looks due at `dueAt` to the present, except for invoices that had a look or were paid since they were found. */
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
