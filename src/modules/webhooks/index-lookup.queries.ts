import { type RawBuilder, sql } from 'kysely';

/**
 * Whether the row `target` has the key `column` of the row `of`. Unlike an equality, the comparison with an array suits no other
 * join than one that looks each row up by an index: the statement can be prepared, for the plan of an empty database suits a full
 * one. Planning it for each batch of outcomes took longer than running it.
 */
export const isKeyOf = (target: string, of: string, column: string): RawBuilder<unknown> =>
  sql`${sql.ref(`${target}.${column}`)} = any(array[${sql.ref(`${of}.${column}`)}])`;
