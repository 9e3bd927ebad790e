/** How PostgreSQL plans the statements of a transaction. */
import { sql } from 'kysely';

/**
 * Select it before a large statement that runs often; it holds for the rest of the transaction. Joins then look rows up one by one through
 * an index, so the plan of an empty database suits a full one. PostgreSQL also keeps the plan: it planned a claim of webhook deliveries at
 * each run, because of its limits, which took as long as running it. Only an index scan marks the index entries of finished rows as dead;
 * otherwise each run reads them again until the next vacuum.
 */
export const plansByIndex = sql`set_config('enable_bitmapscan', 'off', true), set_config('enable_hashjoin', 'off', true),
      set_config('enable_mergejoin', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true)`;
