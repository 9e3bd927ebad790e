/** Registries behind their guards, with a clock that tests move, on the local servers. New for each test. */
import { afterEach, beforeEach } from 'vitest';
import { createGleifSource } from '../../src/modules/registry/sources/gleif-source.ts';
import {
  type GuardedSource,
  type GuardLimits,
  guardSource,
} from '../../src/modules/registry/sources/guarded-source.ts';
import type { RegistrySource } from '../../src/modules/registry/sources/registry-source.ts';
import { createViesSource } from '../../src/modules/registry/sources/vies-source.ts';
import { type ManualClock, manualClock } from './manual-clock.ts';
import { LEI } from './registry-lei-records.ts';
import { type RegistryServers, startRegistryServers } from './registry-servers.ts';

export const LIMITS: GuardLimits = {
  timeoutMs: 4_000,
  companiesCachedMax: 100,
  foundTtlMs: 60_000,
  emptyTtlMs: 5_000,
  requestBurst: 10,
  requestsPerMinute: 60,
  failuresMax: 3,
  pauseMs: 30_000,
};

export interface Logged {
  level: string;
  facts: Record<string, unknown>;
  message: string;
}

export interface GuardedRegistries {
  servers: RegistryServers;
  clock: ManualClock;
  logged: Logged[];
  guard(source: RegistrySource, limits?: Partial<GuardLimits>): GuardedSource;
  gleif(limits?: Partial<GuardLimits>): GuardedSource;
  vies(limits?: Partial<GuardLimits>): GuardedSource;
}

/** The same object for all tests of a file, filled again before each. */
export function guardedRegistries(): GuardedRegistries {
  const registries = {} as GuardedRegistries;
  let cleanUps: (() => Promise<void>)[] = [];
  beforeEach(async () => {
    const servers = await startRegistryServers();
    cleanUps = [() => servers.close()];
    const open = (source: RegistrySource & { close(): Promise<void> }, limits?: Partial<GuardLimits>) => {
      cleanUps.push(source.close);
      return registries.guard(source, limits);
    };
    Object.assign(registries, withClock(), {
      servers,
      gleif: (limits) => open(createGleifSource({ baseUrl: servers.url('gleif') }), limits),
      vies: (limits) => open(createViesSource({ baseUrl: servers.url('vies') }), limits),
    } satisfies Partial<GuardedRegistries>);
  });
  afterEach(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  });
  return registries;
}

function withClock(): Pick<GuardedRegistries, 'clock' | 'logged' | 'guard'> {
  const clock = manualClock();
  const logged: Logged[] = [];
  const write = (level: string) => (facts: unknown, message?: string) =>
    void logged.push({ level, facts: facts as Record<string, unknown>, message: message ?? '' });
  const log = { info: write('info'), warn: write('warn'), error: write('error') };
  const deps = { clock, log, schedule: clock.schedule };
  return {
    clock,
    logged,
    guard: (source, limits) => guardSource(source, { ...LIMITS, ...limits }, deps),
  };
}

export const byLei = (source: GuardedSource, value: string = LEI.german) =>
  source.findByIdentifier({ type: 'LEI', value, country: 'DE' });
export const byName = (source: GuardedSource, name: string, limit = 10) =>
  source.findByName({ name, country: 'DE', limit });
export const byVatId = (source: GuardedSource, value: string) =>
  source.findByIdentifier({ type: 'VAT_ID', value, country: value.slice(0, 2) });

let requested = 0;
/** A new question. */
export const another = (source: GuardedSource) =>
  byLei(source, `52990000000000${String(requested++).padStart(4, '0')}01`);

/** ANSWERED, or the kind of the failure. */
export const kindOf = (asking: Promise<unknown>) =>
  asking.then(
    () => 'ANSWERED',
    (error) => error.kind,
  );
