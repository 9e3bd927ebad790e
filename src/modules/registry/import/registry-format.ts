/** What a format of a registry's file is. */
import type { RegistryEntry } from '../registry-entry.ts';

/** A field of the record at hand by its column; '' where the file has no such column. */
export type FieldReader = (column: string) => string;

export interface RegistryFormat {
  /** What the refusals to read a file call it. */
  title: string;
  /** No other format has a column of this name. */
  tellingColumn: string;
  requiredColumns: readonly string[];
  /** All others that are read, where the file has them. */
  optionalColumns: readonly string[];
  /** Whether the names of all other columns are mistakes: a registry publishes more than anybody reads. */
  knowsAllColumns: boolean;
  /** The company of the record; throws a RecordRefused where it cannot be used. */
  readEntry(field: FieldReader): RegistryEntry;
}

/** Why a record is left out of an import. */
export class RecordRefused extends Error {
  override readonly name = 'RecordRefused';
  /** What is wrong with it; empty where the record as a whole is. */
  readonly value: string;

  /** The reason is a sentence without the value, so that refusals can be counted by it. */
  constructor(reason: string, value = '') {
    super(reason);
    this.value = value;
  }
}
