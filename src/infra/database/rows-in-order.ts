/** The rows of a set-based query in the order of the keys that it was asked with; undefined where a key has none. */

/** Of tables whose rows have an external_id of their own. */
export function rowsInOrder<Row extends { platform_id: number; external_id: string }>(
  keys: readonly { platformId: number; externalId: string }[],
  rows: readonly Row[],
): (Row | undefined)[] {
  const byName = new Map(rows.map((row) => [nameOf(row.platform_id, row.external_id), row]));
  return keys.map((key) => byName.get(nameOf(key.platformId, key.externalId)));
}

/** Of tables that have one row a buyer. */
export function rowsInOrderOfBuyers<Row extends { platform_id: number; buyer_external_id: string }>(
  keys: readonly { platformId: number; buyerExternalId: string }[],
  rows: readonly Row[],
): (Row | undefined)[] {
  const byName = new Map(rows.map((row) => [nameOf(row.platform_id, row.buyer_external_id), row]));
  return keys.map((key) => byName.get(nameOf(key.platformId, key.buyerExternalId)));
}

const nameOf = (platformId: number, externalId: string) => `${platformId}/${externalId}`;
