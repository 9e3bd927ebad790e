/** The live registries that the operator enabled, each behind a guard. Without settings there are none. */
import { StartRefused } from '#kernel/start-refused';
import { createCompaniesHouseSource } from './companies-house-source.ts';
import { createGleifSource } from './gleif-source.ts';
import { type GuardDeps, type GuardedSource, type GuardLimits, guardSource } from './guarded-source.ts';
import type { OpenSource } from './registry-source.ts';
import { createViesSource } from './vies-source.ts';

export interface RegistrySourceSettings {
  /** Base addresses; a registry without one is not queried. */
  gleifUrl: string | null;
  viesUrl: string | null;
  companiesHouseUrl: string | null;
  companiesHouseApiKey: string | null;
  /** PEM of certificate authorities to trust in addition to the public ones, for a mirror in the operator's network. */
  registryCa: string | null;
}

export interface RegistrySources {
  /** In the order in which they are queried. */
  sources: readonly GuardedSource[];
  /** Closes idle connections and waits for running requests. */
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

/** A full burst and the refill of the same minute together stay within the registry's limit. */
const LIMITS = {
  /** 60 requests a minute. */
  gleif: { ...COMMON_LIMITS, timeoutMs: 5_000, requestBurst: 10, requestsPerMinute: 50 },
  /** VIES publishes no limit and refuses concurrent requests; the tax offices behind it are slow. */
  vies: { ...COMMON_LIMITS, timeoutMs: 8_000, requestBurst: 5, requestsPerMinute: 60 },
  /** 600 requests in five minutes; clients that exceed it regularly are banned. */
  companiesHouse: { ...COMMON_LIMITS, timeoutMs: 5_000, requestBurst: 50, requestsPerMinute: 110 },
} satisfies Record<string, GuardLimits>;

/** Creates the configured sources. Throws StartRefused, with a sentence for the operator, for an invalid setting. */
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
    if (companiesHouseApiKey === null) throw new StartRefused('Companies House requires an API key.');
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
    throw new StartRefused(`The registry ${name} cannot be queried. ${error.message}`);
  }
}
