import { isDeepStrictEqual } from 'node:util';

/** The fields whose wanted value differs from the stored one. A repeated PUT has none: it changes nothing. */
export function changedFields<T extends object>(stored: T, wanted: Partial<T>): (keyof T & string)[] {
  return (Object.keys(wanted) as (keyof T & string)[]).filter(
    (field) => !isDeepStrictEqual(stored[field], asStored(wanted[field])),
  );
}

/** -0, which JSON can say, is stored as 0 and must be compared as 0: the same PUT would be a change each time. */
function asStored<V>(value: V): V {
  return value === undefined ? value : JSON.parse(JSON.stringify(value));
}

/**
 * The columns that every change moves. A request that waited for its turn carries an earlier instant than the one before
 * it; what receivers judge recency by must not go back for that. Unix seconds.
 */
export function nextVersion(
  stored: { version: number; updated_at: number },
  now: number,
): { version: number; updated_at: number } {
  return { version: stored.version + 1, updated_at: Math.max(stored.updated_at, now) };
}
