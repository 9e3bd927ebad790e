import { StartRefused } from '#kernel/start-refused';
import { findFirstPlatform, findPlatformByCode, type PlatformRow } from '#modules/platforms';
import type { Installation } from '../app.ts';
import { withInstallation } from './installation.ts';

/** What a command about one platform works on. */
export type OnPlatform = Installation & { platform: PlatformRow };

/** Works on the platform of this code, or on the first one. Throws StartRefused where there is none. */
export async function onPlatform(
  code: string | undefined,
  work: (on: OnPlatform) => Promise<void>,
): Promise<void> {
  await withInstallation(async (installation) => {
    const { db } = installation;
    const found = await (code === undefined ? findFirstPlatform(db) : findPlatformByCode(db, code));
    if (!found)
      throw new StartRefused(
        code === undefined
          ? 'There is no platform yet: make one with `tradeline platform create`.'
          : `There is no platform with the code ${code}.`,
      );
    await work({ ...installation, platform: found });
  });
}

/** The platform's time in unix seconds: a sandbox may be ahead of the real one. */
export function nowOn({ clock, platform }: OnPlatform): number {
  return clock.now() + platform.clock_ahead_seconds;
}
