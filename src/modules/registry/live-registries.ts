/**
 * The live registries that the operator enabled, behind one query. Their answers are stored, and the caller then
 * searches the stored companies: ids, ranking and counts do not depend on where a company was found first.
 */

import type { Db } from '#infra/database/database';
import type { Log } from '#infra/log';
import type { Clock } from '#infra/time/clock';
import type { CompanyQuestion, CompanyRegistries } from '#kernel/company-registries';
import { refusal } from '#kernel/problem';
import { findCompaniesByKey, writeCompanies } from './company.queries.ts';
import { tellsMore } from './company.rules.ts';
import type { RegistryEntry } from './registry-entry.ts';
import { createRegistrySources, type RegistrySourceSettings } from './sources/configured-sources.ts';
import type { RegistrySource } from './sources/registry-source.ts';
import { RegistryUnavailable } from './sources/registry-unavailable.ts';

export interface LiveRegistries extends CompanyRegistries {
  /** Closes idle connections and waits for running requests. */
  close(): Promise<void>;
}

/** The number of companies requested for a name, regardless of the caller's limit, so that equal queries are sent once. */
const COMPANIES_REQUESTED = 50;

/** Opens the configured registries. Throws StartRefused, with a sentence for the operator, for an invalid setting. */
export function openLiveRegistries(
  settings: RegistrySourceSettings,
  { db, clock, log }: { db: Db; clock: Clock; log: Log },
): LiveRegistries {
  const { sources, close } = createRegistrySources(settings, { clock, log });
  const underWay = new Map<string, Promise<boolean>>();

  const queryAndStore = async (covering: RegistrySource[], question: CompanyQuestion): Promise<boolean> => {
    const { entries, failures } = await queryInOrder(covering, question);
    if (failures.length > 0) logFailures(log, failures);
    if (failures.length === covering.length) throw allUnavailable(failures);
    if (entries.length === 0) return false;
    await keep(db, entries, clock.now());
    return true;
  };
  return {
    async lookUp(question) {
      const by = 'name' in question ? 'NAME' : question.type;
      const covering = sources.filter((source) => source.covers(question.country, by));
      if (covering.length === 0) return false;
      const key = JSON.stringify(Object.entries(question).sort());
      const known = underWay.get(key);
      if (known) return known;
      const calling = queryAndStore(covering, question).finally(() => underWay.delete(key));
      underWay.set(key, calling);
      return calling;
    },
    close,
  };
}

/** Stops at the first registry that finds a company. */
async function queryInOrder(
  covering: RegistrySource[],
  question: CompanyQuestion,
): Promise<{ entries: RegistryEntry[]; failures: RegistryUnavailable[] }> {
  const failures: RegistryUnavailable[] = [];
  for (const source of covering) {
    try {
      const entries =
        'name' in question
          ? await source.findByName({ ...question, limit: COMPANIES_REQUESTED })
          : await source.findByIdentifier(question);
      if (entries.length > 0) return { entries, failures };
    } catch (error) {
      if (!(error instanceof RegistryUnavailable)) throw error;
      failures.push(error);
    }
  }
  return { entries: [], failures };
}

/** Writes only new companies and new names or identifiers: a search can return less than an import. */
async function keep(db: Db, entries: RegistryEntry[], now: number): Promise<void> {
  const known = await findCompaniesByKey(db, entries);
  const nameOf = (registry: string, key: string) => `${registry} ${key}`;
  const byKey = new Map(known.map((row) => [nameOf(row.registry, row.registry_key), row]));
  const news = entries.filter((entry) => {
    const row = byKey.get(nameOf(entry.registry, entry.registryKey));
    return row === undefined || tellsMore(entry, row);
  });
  await writeCompanies(db, news, now);
}

/** Logs the registry and the kind of failure, never the query. The guard has already logged an open circuit. */
function logFailures(log: Log, failures: RegistryUnavailable[]): void {
  const level = failures.every(({ kind }) => kind === 'CIRCUIT_OPEN') ? 'debug' : 'warn';
  const registries = failures.map(({ registry, kind, code }) => ({ registry, kind, code }));
  log[level]({ registries }, 'live registries did not answer');
}

function allUnavailable(failures: RegistryUnavailable[]) {
  return refusal('REGISTRY_UNAVAILABLE', 'None of the registries that could know this company responded', {
    registries: failures.map(({ registry, kind }) => ({ registry, kind })),
  });
}
