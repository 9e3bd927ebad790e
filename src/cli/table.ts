/**
 * Prints rows as aligned columns, named after the fields of the first row. Prints `whenEmpty` if there are no rows.
 * `isRightAligned` is for figures: every column but the first.
 */
export function printTable(
  rows: Record<string, string>[],
  whenEmpty: string,
  { isRightAligned = false } = {},
): void {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => row[name] ?? ''))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const aligned = (cell: string, column: number) =>
    isRightAligned && column > 0 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  const texts = lines.map((line) => line.map(aligned).join('  '));
  console.log(rows.length === 0 ? whenEmpty : texts.map((text) => text.trimEnd()).join('\n'));
}

/** Unix seconds as an instant of UTC, to the second. */
export const instant = (at: number) => new Date(at * 1_000).toISOString().replace('.000Z', 'Z');
