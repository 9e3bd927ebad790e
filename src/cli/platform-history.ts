/** `tradeline platform show|history`: the settings of a platform, now and in every version. */
import { StartRefused } from '#kernel/start-refused';
import {
  findPlatformSettings,
  listPlatformSettings,
  maskedIban,
  openSettings,
  type PlatformSettingsVersion,
  type SettingValues,
} from '#modules/platforms';
import { nowOn, type OnPlatform } from './installation.ts';
import { instantOfDay } from './options.ts';
import { printResult } from './result.ts';
import { printTable } from './table.ts';
import { printHistory, type SettingChange } from './version-history.ts';

/** Prints the settings at the end of a day (see `askedDay`), or now. */
export async function printPlatformSettings(
  on: OnPlatform,
  day: number | null,
  isJson: boolean,
): Promise<void> {
  const { db, platform } = on;
  const version = await findPlatformSettings(db, platform.platform_id, instantOfDay(day, nowOn(on)));
  if (!version)
    throw new StartRefused(
      `The settings of ${platform.code} on that day are not known: see tradeline platform history ${platform.code}.`,
    );
  const settings = settingsOf(on, version);
  printResult(isJson, settings, () =>
    printTable(
      Object.entries(settings).map(([setting, value]) => ({ setting, value: textOf(value) })),
      '',
    ),
  );
}

export async function printPlatformHistory(on: OnPlatform, isJson: boolean): Promise<void> {
  const { db, platform } = on;
  const versions = await listPlatformSettings(db, platform.platform_id);
  const settings = versions.map((version) => settingsOf(on, version));
  printHistory(
    isJson,
    versions.map((version, index) => ({
      ...version,
      changes: changesBetween(settings[index - 1], settings[index] as SettingValues),
    })),
    `No version of the settings of ${platform.code} is recorded.`,
  );
}

function settingsOf({ vault, platform }: OnPlatform, version: PlatformSettingsVersion): SettingValues {
  const platformVault = vault.forPlatform(platform.code, platform.data_key_wrapped);
  const { iban_sealed: sealed, ...values } = openSettings(platformVault, version);
  return { ...values, iban_sealed: typeof sealed === 'string' ? maskedIban(platformVault, sealed) : sealed };
}

function changesBetween(before: SettingValues | undefined, after: SettingValues): SettingChange[] {
  const old = before as Record<string, unknown> | undefined;
  return Object.entries(after)
    .map(([setting, value]) => ({
      setting,
      before: old === undefined ? '-' : textOf(old[setting]),
      after: textOf(value),
    }))
    .filter((change) => change.before !== change.after);
}

/** A migration did not record every setting. */
function textOf(value: unknown): string {
  if (value === undefined) return 'not recorded';
  if (value === null || (Array.isArray(value) && value.length === 0)) return '-';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return Array.isArray(value) ? value.join(', ') : `${value}`;
}
