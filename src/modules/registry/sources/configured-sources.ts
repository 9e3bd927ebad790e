/** The live registries that the operator switched on, each behind its guard. Without a setting there is none. */
import { StartRefused } from '#kernel/start-refused';
import { createCompaniesHouseSource } from './companies-house-source.ts';
import { createGleifSource } from './gleif-source.ts';
import { type GuardDeps, type GuardedSource, type GuardLimits, guardSource } from './guarded-source.ts';
import type { OpenSource } from './registry-source.ts';
import { createViesSource } from './vies-source.ts';

export interface RegistrySourceSettings {
  /** Base addresses; null: this registry is not asked. */
  gleifUrl: string | null;
  viesUrl: string | null;
  companiesHouseUrl: string | null;
  companiesHouseApiKey: string | null;
  /** PEM of certificate authorities to trust beside the public ones, for a mirror within one's own network. */
  registryCa: string | null;
}

export interface RegistrySources {
  /** In the order in which to ask them. */
  sources: readonly GuardedSource[];
  /** Closes what is idle and waits for the requests under way. */
  close(): Promise<void>;
}

const MINUTE_MS = 60_000;

const COMMON_LIMITS = {
  companiesCachedMax: 10_000,
  foundTtlMs: 60 * MINUTE_MS,
  emptyTtlMs: 5 * MINUTE_MS,
  failuresMax: 5,
  pauseMs: MINUTE_MS / 2,
};

/** A full burst and the refill after it together stay within what the registry allows. */
const LIMITS = {
  /** 60 requests a minute. */
  gleif: { ...COMMON_LIMITS, timeoutMs: 5_000, requestBurst: 10, requestsPerMinute: 50 },
  /** It names no limit and refuses what comes at once; the tax offices behind it are slow. */
  vies: { ...COMMON_LIMITS, timeoutMs: 8_000, requestBurst: 5, requestsPerMinute: 60 },
  /** 600 requests in five minutes, and a ban for who exceeds it regularly. */
  companiesHouse: { ...COMMON_LIMITS, timeoutMs: 5_000, requestBurst: 50, requestsPerMinute: 110 },
} satisfies Record<string, GuardLimits>;

/** Throws StartRefused with a sentence for the operator where a setting cannot be used. */
export function createRegistrySources(settings: RegistrySourceSettings, deps: GuardDeps): RegistrySources {
  const { gleifUrl, viesUrl, companiesHouseUrl, companiesHouseApiKey } = settings;
  const common = settings.registryCa === null ? {} : { extraCa: settings.registryCa };
  const opened: (() => Promise<void>)[] = [];
  const open = (name: string, limits: GuardLimits, create: () => OpenSource): GuardedSource => {
    const source = orRefused(name, create);
    opened.push(source.close);
    return guardSource(source, limits, deps);
  };
  const sources: GuardedSource[] = [];
  if (companiesHouseUrl !== null) {
    if (companiesHouseApiKey === null) throw new StartRefused('Companies House needs an API key.');
    const options = { ...common, baseUrl: companiesHouseUrl, apiKey: companiesHouseApiKey };
    const create = () => createCompaniesHouseSource(options);
    sources.push(open('Companies House', LIMITS.companiesHouse, create));
  }
  if (viesUrl !== null) {
    const create = () => createViesSource({ ...common, baseUrl: viesUrl });
    sources.push(open('VIES', LIMITS.vies, create));
  }
  if (gleifUrl !== null) {
    const create = () => createGleifSource({ ...common, baseUrl: gleifUrl });
    sources.push(open('GLEIF', LIMITS.gleif, create));
  }
  return {
    sources,
    async close() {
      await Promise.all(opened.map((close) => close()));
    },
  };
}

function orRefused(name: string, create: () => OpenSource): OpenSource {
  try {
    return create();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new StartRefused(`The registry ${name} cannot be asked. ${error.message}`);
  }
}
