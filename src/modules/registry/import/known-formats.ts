/** The known formats, and the detection of a file's format. */
import { StartRefused } from '#kernel/start-refused';
import { companiesHouseFormat } from './companies-house-format.ts';
import { gleifFormat } from './gleif-format.ts';
import { plainFormat } from './plain-format.ts';
import type { RegistryFormat } from './registry-format.ts';

export const REGISTRY_FORMATS = {
  gleif: gleifFormat,
  'companies-house': companiesHouseFormat,
  csv: plainFormat,
} satisfies Record<string, RegistryFormat>;
export type FormatName = keyof typeof REGISTRY_FORMATS;
export const FORMAT_NAMES = Object.keys(REGISTRY_FORMATS) as FormatName[];

export interface FileFormat {
  name: FormatName;
  /** The position of each column that is read, from 0. */
  columns: ReadonlyMap<string, number>;
  columnCount: number;
  /** Columns that are not read and may be mistakes. */
  unknownColumns: string[];
}

/** The format of a file by its column names, or `wanted`. Throws StartRefused if the columns do not fit. */
export function formatOfHeader(fileName: string, header: string[], wanted: FormatName | null): FileFormat {
  // Some column names of Companies House begin with a space.
  const names = header.map((name) => name.trim());
  const name = wanted ?? FORMAT_NAMES.find((each) => names.includes(REGISTRY_FORMATS[each].tellingColumn));
  if (name === undefined) throw new StartRefused(`${fileName} ${unknownSentence(names)}`);
  const format: RegistryFormat = REGISTRY_FORMATS[name];
  const missing = format.requiredColumns.filter((column) => !names.includes(column));
  if (missing.length > 0) {
    throw new StartRefused(`${fileName} cannot be read as ${format.title}: ${missingSentence(missing)}`);
  }
  const read = [...format.requiredColumns, ...format.optionalColumns];
  const twice = read.find((column) => names.indexOf(column) !== names.lastIndexOf(column));
  if (twice !== undefined) {
    throw new StartRefused(`${fileName} has the column ${twice} twice: remove one of the two.`);
  }
  const columns = new Map(read.map((column) => [column, names.indexOf(column)]));
  const unknownColumns = names.filter((column) => column !== '' && !columns.has(column));
  return {
    name,
    columns: new Map([...columns].filter(([, nth]) => nth !== -1)),
    columnCount: names.length,
    unknownColumns: format.knowsAllColumns ? unknownColumns : [],
  };
}

function missingSentence(missing: string[]): string {
  return `its first line lacks the column${missing.length === 1 ? '' : 's'} ${missing.join(', ')}.`;
}

function unknownSentence(names: string[]): string {
  const telling = FORMAT_NAMES.map((name) => `${REGISTRY_FORMATS[name].tellingColumn} (${name})`).join(', ');
  const hint = names.some((name) => /[;\t]/.test(name)) ? ' Columns are separated by commas.' : '';
  return `has an unknown format: its first line has none of the columns ${telling}.${hint}`;
}
