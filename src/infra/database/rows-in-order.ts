type KeyOf<Property extends string> = { platformId: number } & { [P in Property]: string };
type RowOf<Column extends string> = { platform_id: number } & { [C in Column]: string };

/**
 * Makes a function that returns the rows of a set-based query in the order of its keys, undefined for a key without a row. Rows are matched
 * by platform, and by `column`, whose value is in `property` of the key.
 */
export function rowsInOrderBy<Property extends string, Column extends string>(
  property: Property,
  column: Column,
) {
  return <Row extends RowOf<Column>>(
    keys: readonly KeyOf<Property>[],
    rows: readonly Row[],
  ): (Row | undefined)[] => {
    const byKey = new Map(rows.map((row) => [`${row.platform_id}/${row[column]}`, row]));
    return keys.map((key) => byKey.get(`${key.platformId}/${key[property]}`));
  };
}

/** `rowsInOrderBy` for tables whose rows have an `external_id`. */
export const rowsInOrder = rowsInOrderBy('externalId', 'external_id');
