/** The description of a file format. */
import type { RegistryEntry } from '../registry-entry.ts';

/** The field of the current record in a column; '' if the file lacks the column. */
export type FieldReader = (column: string) => string;

export interface RegistryFormat {
  /** The name of the format in refusals. */
  title: string;
  /** A column that no other format has. */
  tellingColumn: string;
  requiredColumns: readonly string[];
  /** All other columns that are read if the file has them. */
  optionalColumns: readonly string[];
  /** Whether unknown columns are mistakes. Registries publish more columns than are read. */
  knowsAllColumns: boolean;
  /** The company of the record. Throws RecordRefused if the record cannot be used. */
  readEntry(field: FieldReader): RegistryEntry;
}

/** Why an import skips a record. */
export class RecordRefused extends Error {
  override readonly name = 'RecordRefused';
  /** The invalid value; empty if the whole record is invalid. */
  readonly value: string;

  /** `reason` is a sentence without the value, so that refusals can be counted by reason. */
  constructor(reason: string, value = '') {
    super(reason);
    this.value = value;
  }
}
