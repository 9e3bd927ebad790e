/** The model of the limit policy: the versions of two of its settings, of the platform and of the buyer. */
import { DAY_SECONDS, type LimitVersion, type Model } from './state.ts';

/** The settings in the model, with their defaults. They determine when orders are confirmed and expire. */
export const LIMIT_DEFAULTS = { tolerance_percent: 0, authorization_limit_days: 30 } as const;
export type LimitSetting = keyof typeof LIMIT_DEFAULTS;
const SETTINGS = Object.keys(LIMIT_DEFAULTS) as LimitSetting[];

export type Whose = 'platform' | 'buyer';

const last = (versions: readonly LimitVersion[], at: number) => versions.findLast(({ from }) => from <= at);

/** The version in force at an instant. A buyer's version applies until it ends. */
function inForce(version: LimitVersion | undefined, at: number): LimitVersion | undefined {
  return version && (version.expiresAt === null || version.expiresAt > at) ? version : undefined;
}

const settingOf = (setting: LimitSetting, ...versions: (LimitVersion | undefined)[]) =>
  versions.map((version) => version?.[setting] ?? null).find((value) => value !== null) ??
  LIMIT_DEFAULTS[setting];

/** The setting in force for the buyer at an instant. */
export function limitAt({ limits }: Readonly<Model>, setting: LimitSetting, at: number): number {
  return settingOf(setting, inForce(last(limits.buyer, at), at), last(limits.platform, at));
}

export const authorizationEnd = (model: Readonly<Model>, at: number) =>
  at + limitAt(model, 'authorization_limit_days', at) * DAY_SECONDS;

/** The amount that the buyer may owe with the tolerance, in whole minor units. */
export const ceilingAt = (model: Readonly<Model>, total: number, at: number) =>
  total + Math.floor((total * limitAt(model, 'tolerance_percent', at)) / 100);

/** Settings by name; null clears all of them. */
export type LimitChange = Partial<Record<LimitSetting, number | null>> | null;

/** Adds the version. Returns whether the change requires two operators, because a setting becomes looser, now or when a version ends. */
export function changeLimits(
  model: Model,
  whose: Whose,
  change: LimitChange,
  expiresAt: number | null,
): { takesTwo: boolean } {
  const { limits, now } = model;
  const nothing = { tolerance_percent: null, authorization_limit_days: null, expiresAt: null };
  const platform = last(limits.platform, now);
  const before = inForce(whose === 'buyer' ? last(limits.buyer, now) : platform, now);
  const after = { ...nothing, ...(change === null ? {} : { ...before, ...change, expiresAt }), from: now };
  const [old, next] = [before, after].map((version) => ({
    at: (setting: LimitSetting, at: number) =>
      whose === 'buyer' ? settingOf(setting, inForce(version, at), platform) : settingOf(setting, version),
  }));
  if (!old || !next) throw new Error('Two sides were compared.');
  const ends = [now, before?.expiresAt, after.expiresAt].filter(
    (at): at is number => at != null && at >= now,
  );
  const takesTwo = SETTINGS.some((setting) => ends.some((at) => next.at(setting, at) > old.at(setting, at)));
  limits[whose].push(after);
  if (whose === 'platform') {
    const stricter = SETTINGS.filter((setting) => next.at(setting, now) < old.at(setting, now));
    endLooser(model, stricter);
  }
  return { takesTwo };
}

/** A stricter setting of the platform ends a looser one of the buyer. */
function endLooser({ limits, now }: Model, stricter: LimitSetting[]): void {
  const override = inForce(last(limits.buyer, now), now);
  const platform = last(limits.platform, now);
  const ended = stricter.filter((setting) => (override?.[setting] ?? -1) > settingOf(setting, platform));
  if (!override || ended.length === 0) return;
  limits.buyer.push({ ...override, ...Object.fromEntries(ended.map((each) => [each, null])), from: now });
}
