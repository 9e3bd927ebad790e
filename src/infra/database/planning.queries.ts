/** How PostgreSQL plans the statements of a transaction. */
import { sql } from 'kysely';

/**
 * To be selected before a large statement that runs often, for the rest of the transaction. Joins look rows up one by one and by
 * an index, so that the plan of an empty database suits a full one, and the plan is kept: PostgreSQL planned a claim of webhook
 * deliveries at each run, because of its limits, which took as long as running it. Only an index scan marks entries of finished
 * rows as dead, which each run reads again until the next vacuum otherwise.
 */
export const plansByIndex = sql`set_config('enable_bitmapscan', 'off', true), set_config('enable_hashjoin', 'off', true),
      set_config('enable_mergejoin', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true)`;
