import { isDeepStrictEqual } from 'node:util';

/** The fields whose new value differs from the stored one. A repeated PUT has none and changes nothing. */
export function changedFields<T extends object>(stored: T, wanted: Partial<T>): (keyof T & string)[] {
  return (Object.keys(wanted) as (keyof T & string)[]).filter(
    (field) => !isDeepStrictEqual(stored[field], asStored(wanted[field])),
  );
}

/** JSON can contain -0, which is stored as 0. Without the conversion the same PUT would always be a change. */
function asStored<V>(value: V): V {
  return value === undefined ? value : JSON.parse(JSON.stringify(value));
}

/**
 * The columns that every change advances. `updated_at` never decreases, although a request that waited for a lock has an earlier instant
 * than the change before it. `now` in unix seconds.
 */
export function nextVersion(
  stored: { version: number; updated_at: number },
  now: number,
): { version: number; updated_at: number } {
  return { version: stored.version + 1, updated_at: Math.max(stored.updated_at, now) };
}
