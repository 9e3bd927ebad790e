/** Stops: the reasons for which invoices get no reminders. */
import { randomUUID } from 'node:crypto';
import { type OnConflictBuilder, sql } from 'kysely';
import type { Db } from '#infra/database/database';
import type { DB } from '#infra/database/schema';
import { type RowOf, table, text } from '#infra/database/table';
import { arrayOf } from '#infra/database/unnest-rows';
import type { LookScope } from './dunning-rescan.queries.ts';

/** Why operators or buyers stop reminders. */
export type StopCause = 'PROMISE' | 'STOP_LIST' | 'FROZEN' | 'INSOLVENCY' | 'OPERATOR';

export const stopsTable = table('dunning_stops', {
  platform_id: 'int',
  stop_id: 'uuid',
  external_id: 'text',
  cause: text<StopCause>(),
  scope: text<LookScope['scope']>(),
  scope_external_id: 'text',
  created_at: 'bigint',
  actor: 'text',
  reason: 'text',
  until_on: 'text',
  promised_amount: 'bigint',
  installment: 'int',
  step: 'int',
  ended_at: 'bigint',
  ended_by: 'text',
});

/** A stop of reminders. */
export type DunningStopRow = RowOf<typeof stopsTable>;

export type NewDunningStop = Omit<DunningStopRow, 'platform_id' | 'stop_id' | 'ended_at' | 'ended_by'>;

/**
 * Inserts a stop. Returns false if its external_id is taken. A stop of a step that waits for an operator takes effect again if it was
 * ended for another step with this number, of an earlier plan.
 */
export async function insertStop(db: Db, platformId: number, stop: NewDunningStop): Promise<boolean> {
  const row = { ...stop, platform_id: platformId, stop_id: randomUUID() };
  const { numInsertedOrUpdatedRows: inserted = 0n } = await db
    .insertInto('dunning_stops')
    .values(row)
    .onConflict((conflict) =>
      stop.cause === 'OPERATOR' ? askingAgain(conflict, stop) : conflict.doNothing(),
    )
    .executeTakeFirst();
  return inserted > 0n;
}

const askingAgain = (
  conflict: OnConflictBuilder<DB, 'dunning_stops'>,
  { created_at }: Pick<NewDunningStop, 'created_at'>,
) =>
  conflict
    .columns(['platform_id', 'scope_external_id', 'installment', 'step'])
    .where(sql<boolean>`cause = 'OPERATOR'`)
    .doUpdateSet({ created_at, ended_at: null, ended_by: null });

/** The stops of these invoices, buyers and merchants and of the platform, including ended ones that waited for an operator. */
export async function listStops(
  db: Db,
  platformId: number,
  of: Record<'invoices' | 'buyers' | 'merchants', readonly string[]>,
): Promise<DunningStopRow[]> {
  const { rows } = await sql<DunningStopRow>`
    select ${stopsTable.of('s')} from dunning_stops s
    where s.platform_id = ${platformId} and (s.ended_at is null or s.cause = 'OPERATOR') and (
      s.scope = 'PLATFORM' and s.scope_external_id = ''
      or s.scope = 'MERCHANT' and s.scope_external_id = any(${arrayOf('text', of.merchants)})
      or s.scope = 'BUYER' and s.scope_external_id = any(${arrayOf('text', of.buyers)})
      or s.scope = 'INVOICE' and s.scope_external_id = any(${arrayOf('text', of.invoices)})
    )
    order by s.created_at, s.ordinal`.execute(db);
  return rows;
}

/** Every stop of a scope, the oldest first. */
export async function listStopsOfScope(
  db: Db,
  platformId: number,
  { scope, externalId }: LookScope,
): Promise<DunningStopRow[]> {
  return db
    .selectFrom('dunning_stops')
    .select(stopsTable.columns)
    .where('platform_id', '=', platformId)
    .where('scope', '=', scope)
    .where('scope_external_id', '=', externalId)
    .orderBy('created_at')
    .orderBy('ordinal')
    .$castTo<DunningStopRow>()
    .execute();
}

/** Ends one stop. */
export async function endStop(
  db: Db,
  { platform_id, stop_id }: Pick<DunningStopRow, 'platform_id' | 'stop_id'>,
  { now, actor }: { now: number; actor: string },
): Promise<void> {
  await db
    .updateTable('dunning_stops')
    .set({ ended_at: now, ended_by: actor })
    .where('platform_id', '=', platform_id)
    .where('stop_id', '=', stop_id)
    .execute();
}

/** Ends the stops of a scope, all or those with certain causes. Returns them. */
export async function endStops(
  db: Db,
  platformId: number,
  { scope, externalId }: LookScope,
  { causes, now, actor }: { causes: readonly StopCause[]; now: number; actor: string },
): Promise<DunningStopRow[]> {
  const { rows } = await sql<DunningStopRow>`
    update dunning_stops s set ended_at = ${now}, ended_by = ${actor}
    where s.platform_id = ${platformId} and s.scope = ${scope} and s.scope_external_id = ${externalId}
      and s.ended_at is null and s.cause = any(${causes}::text[])
    returning ${stopsTable.of('s')}`.execute(db);
  return rows;
}
