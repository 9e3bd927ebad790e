/** The settings of a platform as options of `tradeline platform create` and `update`. */
import { readFileSync } from 'node:fs';
import { readSettings } from '#config';
import {
  type GivenSettings,
  type PlatformSettingName,
  SettingRefused,
  settingsByName,
} from '#modules/platforms';
import { withOption } from './options.ts';

const settings = [...settingsByName];
const isList = ({ type }: { type: string }) => type === 'text[]';

export const PLATFORM_OPTIONS: Record<string, { type: 'string'; multiple: boolean }> = Object.fromEntries(
  settings.map(([, each]) => [each.option, { type: 'string', multiple: isList(each) }]),
);

/** `[--name NAME] [--language EN] …` */
export const PLATFORM_USAGE = settings
  .map(([, each]) => `[--${each.option} ${each.shown}]${isList(each) ? '…' : ''}`)
  .join(' ');

/** The values of the given options, as `parseArgs` returns them. */
export type OptionValues = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

/** The given settings. An empty text clears a setting that may be empty. Throws WrongUsage for the first invalid option. */
export function readPlatformSettings(values: OptionValues): GivenSettings {
  const isSandbox = readSettings().environment === 'sandbox';
  const given = settings.flatMap(([name, each]): [PlatformSettingName, unknown][] => {
    const value = values[each.option];
    if (value === undefined) return [];
    const read = (text: string) =>
      withOption(each.option, () =>
        each.read(text, { isSandbox }, each.isFile ? contentOf(text) : NO_CONTENT),
      );
    return [[name, isList(each) ? itemsOf(value).map(read) : read(`${value}`)]];
  });
  return Object.fromEntries(given) as GivenSettings;
}

const NO_CONTENT = Buffer.alloc(0);

/** The distinct items. An empty list is given as one empty item. */
function itemsOf(value: OptionValues[string]): string[] {
  return [...new Set([value].flat().map((item) => `${item}`))].filter((item) => item !== '');
}

function contentOf(path: string): Buffer {
  if (path === '') return NO_CONTENT;
  try {
    return readFileSync(path);
  } catch (error) {
    throw new SettingRefused(`cannot be read from ${path} (${(error as Error).message})`);
  }
}
