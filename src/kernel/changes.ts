import { isDeepStrictEqual } from 'node:util';

/** The fields whose wanted value differs from the stored one. A repeated PUT has none: it changes nothing. */
export function changedFields<T extends object>(stored: T, wanted: Partial<T>): (keyof T & string)[] {
  return (Object.keys(wanted) as (keyof T & string)[]).filter(
    (field) => !isDeepStrictEqual(stored[field], wanted[field]),
  );
}
