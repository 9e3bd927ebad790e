/** The installation and the platform that a command works on. */
import { isDistributed } from '#infra/database/citus';
import { StartRefused } from '#kernel/start-refused';
import { findFirstPlatform, findPlatformByCode, type PlatformRow } from '#modules/platforms';
import type { Installation } from '../installation.ts';
import { describeData, readCommandSettings } from './data-of-command.ts';

/**
 * Opens the installation for `work`: through the PostgreSQL of a running server if there is one, and closes it afterwards. Prints the
 * location of the data on standard error. Creates nothing. Throws StartRefused if there is no database.
 */
export async function withInstallation(work: (installation: Installation) => Promise<void>): Promise<void> {
  await opened(async (installation) => {
    say(`Data: ${describeData(installation.settings)}`);
    await work(installation);
  });
}

/** An installation and one of its platforms. */
export type OnPlatform = Installation & { platform: PlatformRow };

/** `withInstallation` for the platform with this code, by default the first. Throws StartRefused if it does not exist. */
export async function onPlatform(
  code: string | undefined,
  work: (on: OnPlatform) => Promise<void>,
): Promise<void> {
  await opened(async (installation) => {
    const { db, settings } = installation;
    const found = await (code === undefined ? findFirstPlatform(db) : findPlatformByCode(db, code));
    if (!found)
      throw new StartRefused(
        code === undefined
          ? 'There is no platform yet: create one with `tradeline platform create`.'
          : `There is no platform with the code ${code}.`,
      );
    say(`Platform: ${found.code}, data: ${describeData(settings)}`);
    await work({ ...installation, platform: found });
  });
}

async function opened(work: (installation: Installation) => Promise<void>): Promise<void> {
  const settings = readCommandSettings();
  // Imported late, so that a wrong option is reported immediately.
  const { openInstallation } = await import('../installation.ts');
  const installation = await openInstallation(settings, {
    report: () => {},
    mayAttach: true,
    mustExist: true,
  });
  try {
    await work(installation);
  } finally {
    await installation.close();
  }
}

/** Keeps standard output free for the result. */
const say = (sentence: string) => console.error(sentence);

/** Throws StartRefused for a platform that is moving to another database: changes here would be lost. */
export function assertStays({ code, relocating_since }: PlatformRow): void {
  if (relocating_since === null) return;
  throw new StartRefused(
    `${code} is being moved to another database and is read-only here: cancel the move with \`tradeline platform relocated ${code} --given-up\`.`,
  );
}

/** Throws StartRefused on a cluster: each node numbers its own transactions, so changes after a copy cannot be detected. */
export async function assertOneMachine({ owner }: Pick<OnPlatform, 'owner'>): Promise<void> {
  if (await isDistributed(owner))
    throw new StartRefused(
      'Platforms can only be moved between databases that run on one machine each: this one is a cluster.',
    );
}

/** The platform's time in Unix seconds. In a sandbox it can be ahead of the real time. */
export function nowOn({ clock, platform }: OnPlatform): number {
  return clock.now() + platform.clock_ahead_seconds;
}
