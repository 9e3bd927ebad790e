/** Tables as CSV by RFC 4180. */

/** One row without its line end, which is CR LF. Null is an empty field. */
export function csvRow(values: readonly unknown[]): string {
  return values.map(fieldOf).join(',');
}

/** A whole table: a row of names, then the rows. Every line ends with CR LF. */
export function csvTable<Column extends string>(
  columns: readonly Column[],
  rows: readonly Record<Column, unknown>[],
): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))];
  return lines.map((values) => `${csvRow(values)}\r\n`).join('');
}

/** Quotes a field that has a comma, a quote or a line break. */
function fieldOf(value: unknown): string {
  const text = value === null || value === undefined ? '' : `${value}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
