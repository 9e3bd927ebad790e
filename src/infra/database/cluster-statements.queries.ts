/** Which statements of the service go to one node of a Citus cluster, as Citus counts them. */
import type pg from 'pg';

/**
 * The nodes that the statements of a kind go to:
 *
 * - `one node`: they name their platform.
 * - `the nodes of its rows`: they insert selected rows, each on the node of its platform.
 * - `no platform of its own`: they read all nodes, a reference table, or the results of other parts that name a platform.
 */
export type StatementPlace = 'one node' | 'the nodes of its rows' | 'no platform of its own';

export interface StatementKind {
  goesTo: StatementPlace;
  /** How often it ran since the statistics were reset. */
  calls: number;
  /** With parameters for its values. */
  text: string;
}

/**
 * The statements that ran on this database, the most frequent first. Null if Citus does not count them, which requires pg_stat_statements
 * and `citus.stat_statements_track = 'all'`, or if the login may not see those of the service, which requires membership in
 * pg_read_all_stats.
 */
export async function listStatementKinds(client: pg.ClientBase): Promise<StatementKind[] | null> {
  const { rows: settings } = await client.query<{ is_counted: boolean }>(
    `select current_setting('pg_stat_statements.max', true) is not null
      and current_setting('citus.stat_statements_track', true) = 'all'
      and exists (select from pg_extension where extname = 'pg_stat_statements')
      and pg_has_role('pg_read_all_stats', 'usage') as is_counted`,
  );
  if (!settings[0]?.is_counted) return null;
  const { rows } = await client.query<{ goes_to: StatementPlace; calls: string; text: string }>(
    `select case when executor = 'insert-select' then 'the nodes of its rows' when bool_and(partition_key is not null) then 'one node'
        else 'no platform of its own' end as goes_to,
      sum(calls) as calls, regexp_replace(min(query), '\\s+', ' ', 'g') as text
    from citus_stat_statements
    where dbid = (select oid from pg_database where datname = current_database())
    group by queryid, userid, executor order by sum(calls) desc, text`,
  );
  return rows.map(({ goes_to, calls, text }) => ({ goesTo: goes_to, calls: Number(calls), text }));
}
