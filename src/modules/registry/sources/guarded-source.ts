/**
 * Guards a registry with a total time-out, a cache of answers, one request for identical queries, a rate limit, and a
 * circuit breaker. Every failure is RegistryUnavailable. All state is in the memory of this process, so each
 * process has its own limit.
 */

import type { Log } from '#infra/log';
import { CircuitBreaker, type CircuitState, type Passage } from '#infra/outbound/circuit-breaker';
import type { Clock } from '#infra/time/clock';
import { TokenBucket } from '#kernel/token-bucket';
import type { RegistryEntry } from '../registry-entry.ts';
import { AnswerCache } from './answer-cache.ts';
import type { IdentifierQuery, NameQuery, RegistrySource, SourceCall } from './registry-source.ts';
import { RegistryUnavailable, type UnavailableKind } from './registry-unavailable.ts';

export interface GuardLimits {
  /** For a whole query, including all of its requests. */
  timeoutMs: number;
  companiesCachedMax: number;
  foundTtlMs: number;
  emptyTtlMs: number;
  requestBurst: number;
  requestsPerMinute: number;
  /** Failures in a row that open the circuit. */
  failuresMax: number;
  /** How long the circuit stays open. */
  pauseMs: number;
}

export interface GuardDeps {
  clock: Pick<Clock, 'elapsedMs'>;
  log: Pick<Log, 'info' | 'warn' | 'error'>;
  /** Runs the function once after the delay, unless cancelled. The default is Node's timer. */
  schedule?: (run: () => void, delayMs: number) => () => void;
}

export interface SourceHealth {
  registry: string;
  circuit: CircuitState;
  /** Time until the circuit lets requests through; 0 unless it is open. */
  retryAfterMs: number;
  /** Countries whose own part of the registry fails while the rest answers. */
  countriesDown: string[];
  lastFailure: { kind: UnavailableKind; code: string | null } | null;
  companiesCached: number;
  callsUnderWay: number;
}

export interface GuardedSource extends RegistrySource {
  health(): SourceHealth;
}

/** The pause after "too many requests" without a time, and the longest pause that a registry can request. */
const THROTTLED_PAUSE_MS = 60_000;
const THROTTLED_PAUSE_MAX_MS = 900_000;

export function guardSource(source: RegistrySource, limits: GuardLimits, deps: GuardDeps): GuardedSource {
  const guard = new Guard(source.registry, limits, deps);
  return {
    registry: source.registry,
    covers: (country, by) => source.covers(country, by),
    async findByIdentifier(query) {
      if (!source.covers(query.country, query.type)) return [];
      return guard.answer(keyOf(query), query.country, (call) => source.findByIdentifier(query, call));
    },
    async findByName(query) {
      if (!source.covers(query.country, 'NAME')) return [];
      const call = async (call: SourceCall) => (await source.findByName(query, call)).slice(0, query.limit);
      return guard.answer(keyOf(query), query.country, call);
    },
    health: () => guard.health(),
  };
}

type SourceQuery = (call: SourceCall) => Promise<RegistryEntry[]>;

interface Passages {
  own: Passage;
  national?: Passage;
}

class Guard {
  readonly #registry: string;
  readonly #limits: GuardLimits;
  readonly #deps: GuardDeps;
  readonly #cache: AnswerCache;
  readonly #bucket: TokenBucket;
  readonly #circuit: CircuitBreaker;
  /** One per country whose own part failed. */
  readonly #circuits = new Map<string, CircuitBreaker>();
  readonly #underWay = new Map<string, Promise<RegistryEntry[]>>();
  #lastFailure: SourceHealth['lastFailure'] = null;

  constructor(registry: string, limits: GuardLimits, deps: GuardDeps) {
    const { elapsedMs } = deps.clock;
    this.#registry = registry;
    this.#limits = limits;
    this.#deps = deps;
    const { companiesCachedMax: companiesMax, requestBurst: burst, requestsPerMinute: perMinute } = limits;
    this.#cache = new AnswerCache({ ...limits, companiesMax, elapsedMs });
    this.#bucket = new TokenBucket({ burst, perSecond: perMinute / 60, elapsedMs });
    this.#circuit = new CircuitBreaker({ ...limits, elapsedMs });
  }

  /** The answer is a copy, so that callers cannot change the cached one. */
  async answer(key: string, country: string, query: SourceQuery): Promise<RegistryEntry[]> {
    const kept = this.#cache.get(key);
    if (kept) return structuredClone([...kept]);
    const known = this.#underWay.get(key);
    if (known) return structuredClone(await known);
    const call = this.#callAndKeep(key, country, query);
    this.#underWay.set(key, call);
    return structuredClone(await call);
  }

  health(): SourceHealth {
    return {
      registry: this.#registry,
      circuit: this.#circuit.state,
      retryAfterMs: this.#circuit.retryAfterMs,
      countriesDown: [...this.#circuits]
        .filter(([, { state }]) => state !== 'CLOSED')
        .map(([country]) => country)
        .sort(),
      lastFailure: this.#lastFailure,
      companiesCached: this.#cache.companies,
      callsUnderWay: this.#underWay.size,
    };
  }

  async #callAndKeep(key: string, country: string, query: SourceQuery): Promise<RegistryEntry[]> {
    try {
      const entries = await this.#call(country, query);
      this.#cache.put(key, entries);
      return entries;
    } finally {
      this.#underWay.delete(key);
    }
  }

  async #call(country: string, query: SourceQuery): Promise<RegistryEntry[]> {
    // Acquired at the first request: an answer without a request says nothing about the registry.
    const open: { passages?: Passages } = {};
    const beforeRequest = () => {
      open.passages ??= this.#enter(country);
      this.#takeToken();
    };
    try {
      const entries = await this.#withinTime(query, beforeRequest);
      this.#succeed(open.passages);
      return entries;
    } catch (error) {
      const failure = this.#unavailable(error);
      this.#fail(failure, country, open.passages);
      throw failure;
    }
  }

  /** Passes the circuit of the registry and, if there is one, that of the country. */
  #enter(country: string): Passages {
    const own = this.#pass(this.#circuit);
    const circuit = this.#circuits.get(country);
    if (!circuit) return { own };
    try {
      return { own, national: this.#pass(circuit) };
    } catch (error) {
      own.forgive();
      throw error;
    }
  }

  #succeed(passages: Passages | undefined): void {
    const before = this.#circuit.state;
    passages?.own.succeed();
    passages?.national?.succeed();
    if (before === 'CLOSED' || this.#circuit.state !== 'CLOSED') return;
    this.#deps.log.info({ registry: this.#registry }, 'registry source answers again');
  }

  #fail(failure: RegistryUnavailable, country: string, passages: Passages | undefined): void {
    const { kind, code } = failure;
    if (kind === 'RATE_LIMITED' || kind === 'CIRCUIT_OPEN') {
      passages?.own.forgive();
      passages?.national?.forgive();
      return;
    }
    this.#lastFailure = { kind, code };
    const before = this.#circuit.state;
    const own = passages?.own ?? this.#circuit.enter();
    if (failure.country === null) {
      own?.fail(pauseOf(failure));
      passages?.national?.forgive();
    } else {
      // The registry itself answered that the country's part does not.
      own?.succeed();
      (passages?.national ?? this.#circuitOf(country).enter())?.fail();
    }
    if (before !== 'OPEN' && this.#circuit.state === 'OPEN') this.#tellOpening(kind, code);
  }

  #circuitOf(country: string): CircuitBreaker {
    const known = this.#circuits.get(country);
    if (known) return known;
    const { elapsedMs } = this.#deps.clock;
    const circuit = new CircuitBreaker({ ...this.#limits, elapsedMs });
    this.#circuits.set(country, circuit);
    return circuit;
  }

  #pass(circuit: CircuitBreaker): Passage {
    const passage = circuit.enter();
    if (passage) return passage;
    throw new RegistryUnavailable(this.#registry, 'CIRCUIT_OPEN', { retryAfterMs: circuit.retryAfterMs });
  }

  #takeToken(): void {
    if (this.#bucket.take()) return;
    const { retryAfterMs } = this.#bucket;
    throw new RegistryUnavailable(this.#registry, 'RATE_LIMITED', { retryAfterMs });
  }

  async #withinTime(query: SourceQuery, beforeRequest: () => void): Promise<RegistryEntry[]> {
    const { schedule = scheduleByNode } = this.#deps;
    const deadline = new AbortController();
    const { promise: expired, reject } = Promise.withResolvers<never>();
    const expire = () => {
      const failure = new RegistryUnavailable(this.#registry, 'TIMEOUT', { code: 'DEADLINE' });
      reject(failure);
      deadline.abort(failure);
    };
    const cancel = schedule(expire, this.#limits.timeoutMs);
    const { signal } = deadline;
    const call: SourceCall = {
      signal,
      beforeRequest() {
        signal.throwIfAborted();
        beforeRequest();
      },
    };
    try {
      // A source that ignores the signal must not block its callers.
      return await Promise.race([query(call), expired]);
    } finally {
      cancel();
    }
  }

  /** Any other error is a defect of the source: it is logged, and the caller gets no details. */
  #unavailable(error: unknown): RegistryUnavailable {
    if (error instanceof RegistryUnavailable) return error;
    this.#deps.log.error({ registry: this.#registry, err: error }, 'registry source is defective');
    return new RegistryUnavailable(this.#registry, 'PROTOCOL', { code: 'DEFECT' });
  }

  #tellOpening(kind: UnavailableKind, code: string | null): void {
    const retry_after_ms = Math.ceil(this.#circuit.retryAfterMs);
    const facts = { registry: this.#registry, kind, code, retry_after_ms };
    this.#deps.log.warn(facts, 'registry source is paused');
  }
}

function pauseOf({ kind, retryAfterMs }: RegistryUnavailable): number | undefined {
  if (kind === 'THROTTLED') return Math.min(retryAfterMs ?? THROTTLED_PAUSE_MS, THROTTLED_PAUSE_MAX_MS);
  return undefined;
}

/** Queries that differ only in case and spaces are the same to every registry. */
function keyOf(query: IdentifierQuery | NameQuery): string {
  const words = Object.entries(query).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim() : value,
  ]);
  return JSON.stringify(words.sort());
}

function scheduleByNode(run: () => void, delayMs: number): () => void {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
}
