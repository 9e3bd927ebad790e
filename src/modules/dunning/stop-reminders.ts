/** Stopping and resuming reminders, by operators. */
import { randomUUID } from 'node:crypto';
import { StartRefused } from '#kernel/start-refused';
import { findBuyer } from '#modules/buyers';
import { findInvoice } from '#modules/invoices';
import { findMerchant } from '#modules/merchants';
import type { ChangeContext } from '#operation/operation';
import { type LookScope, lookAgain } from './dunning-rescan.queries.ts';
import {
  type DunningStopRow,
  endStop,
  endStops,
  insertStop,
  type StopCause,
} from './dunning-stop.queries.ts';
import { assertNoInsolvencyWaits } from './insolvency-review.ts';

export interface ReminderStop {
  cause: 'PROMISE' | 'STOP_LIST' | 'FROZEN' | 'INSOLVENCY';
  scope: LookScope;
  /** The last day of the stop; null until it is ended. */
  untilOn: string | null;
  /** For a promise. Default: a UUID. */
  externalId?: string;
  /** For a promise: minor units in the currency of the invoice; null for other stops. */
  promisedMinor: number | null;
  /** Null if a buyer promised to pay. */
  reason: string | null;
}

/** Stops reminders. Returns false if a promise already has the external_id. Throws StartRefused if the scope does not exist. */
export async function stopReminders(
  context: ChangeContext,
  { cause, scope, externalId = randomUUID(), untilOn, promisedMinor, reason }: ReminderStop,
): Promise<boolean> {
  const { db, platformId, actor, now } = context;
  await assertExists(context, scope);
  const isNew = await insertStop(db, platformId, {
    ...{ external_id: cause === 'PROMISE' ? externalId : null },
    ...{ cause, scope: scope.scope, scope_external_id: scope.externalId },
    ...{ created_at: now, actor, reason, until_on: untilOn, promised_amount: promisedMinor },
    ...{ installment: null, step: null },
  });
  await lookAgain(db, platformId, scope, now);
  return isNew;
}

/** Ends one stop, after which the reminders continue. */
export async function withdrawStop(
  { db, platformId, actor, now }: ChangeContext,
  stop: DunningStopRow,
): Promise<void> {
  await endStop(db, stop, { now, actor });
  await lookAgain(db, platformId, { scope: stop.scope, externalId: stop.scope_external_id }, now);
}

const ALL_CAUSES: readonly StopCause[] = ['PROMISE', 'STOP_LIST', 'FROZEN', 'INSOLVENCY', 'OPERATOR'];

/**
 * Ends every stop of a scope, after which the reminders continue. Throws StartRefused if there is none, and while a review of the
 * buyer's insolvency waits, because that review decides about its stop.
 */
export async function resumeReminders(context: ChangeContext, scope: LookScope): Promise<DunningStopRow[]> {
  const { db, platformId, actor, now } = context;
  if (scope.scope === 'BUYER') await assertNoInsolvencyWaits(context, scope.externalId);
  const ended = await endStops(db, platformId, scope, { causes: ALL_CAUSES, now, actor });
  if (ended.length === 0) throw new StartRefused(`The reminders of ${scopeName(scope)} are not stopped.`);
  await lookAgain(db, platformId, scope, now);
  return ended;
}

/** The name of a scope in the audit log. */
export function scopeName({ scope, externalId }: LookScope): string {
  return scope === 'PLATFORM' ? 'the platform' : `${scope.toLowerCase()} ${externalId}`;
}

async function assertExists(
  { db, platformId }: Pick<ChangeContext, 'db' | 'platformId'>,
  scope: LookScope,
): Promise<void> {
  const key = { platformId, externalId: scope.externalId };
  const isThere =
    scope.scope === 'PLATFORM' ||
    (scope.scope === 'MERCHANT' && (await findMerchant(db, key))) ||
    (scope.scope === 'BUYER' && (await findBuyer(db, key))) ||
    (scope.scope === 'INVOICE' && (await findInvoice(db, key)));
  if (!isThere) throw new StartRefused(`There is no ${scopeName(scope)}.`);
}
