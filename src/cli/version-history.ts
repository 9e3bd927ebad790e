/** Prints the versions of settings: who set what, when and why. */
import { instant, printTable } from './table.ts';

/** What every version says of itself. */
export interface MadeVersion {
  version: number;
  /** Unix seconds. */
  valid_from: number;
  set_by: string;
  approved_by: string | null;
  reason: string | null;
}

/** A setting with another value than before, as people read it. */
export interface SettingChange {
  setting: string;
  before: string;
  after: string;
}

/** A row per changed setting, the oldest version first. */
export function printHistory(
  versions: (MadeVersion & { changes: SettingChange[] })[],
  whenEmpty: string,
): void {
  const rows = versions.flatMap(({ changes, ...made }) =>
    (changes.length === 0 ? [{ setting: '-', before: '-', after: '-' }] : changes).map((change) => ({
      version: `${made.version}`,
      valid_from: instant(made.valid_from),
      ...change,
      set_by: made.set_by,
      approved_by: made.approved_by ?? '-',
      reason: made.reason ?? '-',
    })),
  );
  printTable(rows, whenEmpty);
}
