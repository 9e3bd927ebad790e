/** The progress of writing the statements of account of a month. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { lockOnPlatform } from '#infra/database/platform-lock';
import { type RowOf, table } from '#infra/database/table';

const runsTable = table('statement_runs', {
  platform_id: 'int',
  month_on: 'text',
  last_buyer_external_id: 'text',
  finished_at: 'bigint',
});

/** The statements of a platform for a month. */
export type StatementRun = RowOf<typeof runsTable>;

/** The platforms that send statements of account and are not being moved. */
export async function listStatementPlatforms(db: Db): Promise<number[]> {
  const { rows } = await sql<{ platform_id: number }>`
    select platform_id from platforms where sends_monthly_statements and relocating_since is null order by platform_id`.execute(
    db,
  );
  return rows.map(({ platform_id }) => platform_id);
}

/** The run of the latest month, locked until the transaction ends; undefined before the first run. */
export async function lockLastRun(db: Db, platformId: number): Promise<StatementRun | undefined> {
  await lockOnPlatform(db, platformId, 'statement-runs');
  return db
    .selectFrom('statement_runs')
    .select(runsTable.columns)
    .where('platform_id', '=', platformId)
    .orderBy('month_on', 'desc')
    .limit(1)
    .$castTo<StatementRun>()
    .executeTakeFirst();
}

/** Inserts a run, or replaces its progress. */
export async function writeRun(
  db: Db,
  platformId: number,
  run: Omit<StatementRun, 'platform_id'>,
): Promise<void> {
  const { last_buyer_external_id, finished_at } = run;
  await db
    .insertInto('statement_runs')
    .values(runsTable.insertable({ ...run, platform_id: platformId }))
    .onConflict((conflict) =>
      conflict.columns(['platform_id', 'month_on']).doUpdateSet({ last_buyer_external_id, finished_at }),
    )
    .execute();
}

/** Buyers with an invoice, in the order of their external_ids. */
export async function listInvoicedBuyers(
  db: Db,
  platformId: number,
  { after, countMax }: { after: string | null; countMax: number },
): Promise<string[]> {
  const { rows } = await sql<{ external_id: string }>`
    select b.external_id from buyers b
    where b.platform_id = ${platformId} and b.external_id > ${after ?? ''}
      and exists (select from invoices i where i.platform_id = ${platformId} and i.buyer_external_id = b.external_id)
    order by b.external_id limit ${countMax}`.execute(db);
  return rows.map(({ external_id }) => external_id);
}
