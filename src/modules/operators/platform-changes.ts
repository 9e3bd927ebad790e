/** Changes of a platform by operators. One operator alone may only make its controls stricter. */
import type { PlatformVault } from '#infra/secrets/vault';
import { StartRefused } from '#kernel/start-refused';
import {
  changePlatform,
  controlsOf,
  findPlatform,
  lockPlatform,
  loggedSettings,
  loosenedControls,
  maskedIban,
  type PlatformControls,
  type PlatformRow,
  type PlatformUpdate,
  SETTINGS_BY_TWO,
  type SettingValues,
  setPlatformDisabled,
  settingsOfUpdate,
} from '#modules/platforms';
import type { ChangeContext } from '#operation/operation';
import type { ChangeKind } from './change-kind.ts';
import { mayDecide } from './operator.rules.ts';

/** Changes of the controls of a platform, which platform-controls.rules.ts lists. To loosen one takes two operators. */
export const platformControlsChange: ChangeKind<Partial<PlatformControls>> = {
  name: 'PLATFORM_CONTROLS',
  role: 'ADMIN',
  mayApprove: mayDecide,
  async plan(context, changes) {
    const { db, vault, now } = context;
    const platform = await lockedPlatform(context);
    const before = controlsOf(platform);
    const after = { ...before, ...changes };
    return {
      subject: 'controls of the platform',
      before,
      after,
      takesTwo: loosenedControls(before, after).length > 0,
      async apply(made) {
        await changePlatform({ db, vault }, platform, changes, { at: now, ...made });
      },
    };
  },
};

/** Changes of all other settings of a platform. One operator is enough, except for those that always take two. */
export const platformSettingsChange: ChangeKind<PlatformUpdate> = {
  name: 'PLATFORM_SETTINGS',
  role: 'ADMIN',
  mayApprove: mayDecide,
  async plan(context, update) {
    const { db, vault, now } = context;
    const platform = await lockedPlatform(context);
    const after = settingsOfUpdate(platform, update);
    const before = Object.fromEntries(
      Object.keys(after).map((name) => [name, platform[name as keyof typeof after]]),
    );
    return {
      subject: 'settings of the platform',
      before: shownSettings(vault, before),
      after: shownSettings(vault, after),
      takesTwo: SETTINGS_BY_TWO.some((name) => name in after),
      async apply(made) {
        await changePlatform({ db, vault }, platform, update, { at: now, ...made });
      },
    };
  },
};

/** Enabling a disabled platform. It takes two operators, because what is owed on the platform can grow again. */
export const platformEnabling: ChangeKind<Record<string, never>> = {
  name: 'PLATFORM_ENABLING',
  role: 'ADMIN',
  mayApprove: mayDecide,
  async plan(context) {
    const { db, platformId } = context;
    const { code, disabled_at: disabledAt } = await lockedPlatform(context);
    if (disabledAt === null) throw new StartRefused(`The platform ${code} is already enabled.`);
    return {
      subject: `platform ${code}`,
      before: { disabled_at: disabledAt },
      after: { disabled_at: null },
      takesTwo: true,
      async apply() {
        await setPlatformDisabled(db, platformId, null);
      },
    };
  },
};

/** The settings without sealed values. The account number is masked, so that only its owner recognizes it. */
function shownSettings(vault: PlatformVault, { iban_sealed: sealed, ...values }: SettingValues): object {
  const shown = loggedSettings(values);
  if (sealed === undefined) return shown;
  return { ...shown, iban: typeof sealed === 'string' ? maskedIban(vault, sealed) : null };
}

async function lockedPlatform({ db, platformId }: ChangeContext): Promise<PlatformRow> {
  await lockPlatform(db, platformId);
  const platform = await findPlatform(db, platformId);
  if (!platform) throw new Error(`There is no platform ${platformId}.`);
  return platform;
}
