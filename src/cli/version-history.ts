/** Prints the versions of settings: who set what, when and why. */
import { printResult } from './result.ts';
import { instant, printTable } from './table.ts';

/** The fields that every version has. */
export interface MadeVersion {
  version: number;
  /** Unix seconds. */
  valid_from: number;
  set_by: string;
  approved_by: string | null;
  reason: string | null;
}

/** A changed setting with its old and new value, as text for people. */
export interface SettingChange {
  setting: string;
  before: string;
  after: string;
}

/** Prints one row per changed setting, the oldest version first; with `isJson`, one object per version. */
export function printHistory(
  isJson: boolean,
  versions: (MadeVersion & { changes: SettingChange[] })[],
  whenEmpty: string,
): void {
  const shown = versions.map(({ version, valid_from, set_by, approved_by, reason, changes }) => ({
    ...{ version, valid_from, set_by, approved_by, reason, changes },
  }));
  printResult(isJson, shown, () => printTable(shown.flatMap(rowsOf), whenEmpty));
}

function rowsOf({ changes, ...made }: MadeVersion & { changes: SettingChange[] }): Record<string, string>[] {
  return (changes.length === 0 ? [{ setting: '-', before: '-', after: '-' }] : changes).map((change) => ({
    version: `${made.version}`,
    valid_from: instant(made.valid_from),
    ...change,
    set_by: made.set_by,
    approved_by: made.approved_by ?? '-',
    reason: made.reason ?? '-',
  }));
}
