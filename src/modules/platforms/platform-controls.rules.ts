/** The settings of a platform that one operator may only tighten. Loosening one takes two. */
import type { PlatformRow } from './platform.queries.ts';
import { PLATFORM_CONTROLS, PLATFORM_SETTINGS } from './platform-settings.rules.ts';

export type PlatformControl = (typeof PLATFORM_CONTROLS)[number];
export type PlatformControls = Pick<PlatformRow, PlatformControl>;

/** The controls of a platform, without its other settings. */
export function controlsOf(platform: PlatformControls): PlatformControls {
  return Object.fromEntries(
    PLATFORM_CONTROLS.map((control) => [control, platform[control]]),
  ) as unknown as PlatformControls;
}

/** The controls that are looser after the change than before. */
export function loosenedControls(before: PlatformControls, after: PlatformControls): PlatformControl[] {
  return PLATFORM_CONTROLS.filter((control) => {
    const loosens: (before: never, after: never) => boolean = PLATFORM_SETTINGS[control].loosens;
    return loosens(before[control] as never, after[control] as never);
  });
}
