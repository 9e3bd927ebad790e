/**
 * A risk source over HTTP: one JSON POST with a bearer key, bounded in time and size, behind a circuit breaker. The
 * contract is docs/reference/risk-source.md.
 */
import { Type } from 'typebox';
import type { Log } from '#infra/log';
import { CircuitBreaker, type CircuitState } from '#infra/outbound/circuit-breaker';
import {
  createServiceHttp,
  ServiceFailed,
  type ServiceHttp,
  type ServiceReply,
} from '#infra/outbound/service-http';
import type { Clock } from '#infra/time/clock';
import { nullable, optional, unixSeconds } from '#kernel/fields';
import type { RiskAnswer, RiskData, RiskRequest, RiskSource } from '#kernel/risk-source';
import { compileValidator } from '#operation/validation';
import { localRiskSource, RiskSourceFailed } from './risk-source.ts';

export interface RiskSourceSettings {
  /** The address of the risk source; null for none. */
  riskUrl: string | null;
  riskApiKey: string | null;
  /** PEM of certificate authorities to trust besides the public ones. */
  extraCa?: string;
}

export interface RiskDeps {
  clock: Pick<Clock, 'elapsedMs'>;
  log: Pick<Log, 'info' | 'warn'>;
  /** Time limit of one request in milliseconds. Default: 5,000. */
  timeoutMs?: number;
}

export interface OpenRiskSource extends RiskSource {
  /** Closes idle connections and waits for running requests. */
  close(): Promise<void>;
}

/** Milliseconds: a buyer waits for the answer. */
const TIMEOUT_MS = 5_000;
const FAILURES_MAX = 5;
const PAUSE_MS = 30_000;

/** The data is kept for years with each decision, so it is small. */
const DATA_FIELDS_MAX = 20;

const Answer = Type.Object({
  score: nullable(Type.Integer({ minimum: 0, maximum: 100 })),
  data: Type.Optional(
    Type.Object(
      {},
      {
        maxProperties: DATA_FIELDS_MAX,
        propertyNames: { pattern: '^[a-z][a-z0-9_]{0,49}$' },
        additionalProperties: { type: ['string', 'number', 'boolean', 'null'], maxLength: 200 },
      },
    ),
  ),
  at: optional(unixSeconds('The instant of the data')),
});
const issuesOf = compileValidator(Answer, 'body');

/** Creates the configured risk source. Throws a TypeError for an unusable address. */
export function createRiskSource(settings: RiskSourceSettings, deps: RiskDeps): OpenRiskSource {
  const { riskUrl, riskApiKey, extraCa } = settings;
  if (riskUrl === null) return { ...localRiskSource, close: async () => {} };
  const http = createServiceHttp({
    baseUrl: riskUrl,
    headers: {
      'user-agent': 'Tradeline',
      accept: 'application/json',
      ...(riskApiKey !== null && { authorization: `Bearer ${riskApiKey}` }),
    },
    ...(extraCa !== undefined && { extraCa }),
  });
  const source = new HttpRiskSource(http, deps);
  return {
    name: 'RISK_SERVICE',
    assess: (request, now) => source.assess(request, now),
    close: () => http.close(),
  };
}

class HttpRiskSource {
  readonly #http: ServiceHttp;
  readonly #deps: RiskDeps;
  readonly #circuit: CircuitBreaker;

  constructor(http: ServiceHttp, deps: RiskDeps) {
    this.#http = http;
    this.#deps = deps;
    const elapsedMs = () => deps.clock.elapsedMs();
    this.#circuit = new CircuitBreaker({ failuresMax: FAILURES_MAX, pauseMs: PAUSE_MS, elapsedMs });
  }

  async assess(request: RiskRequest, now: number): Promise<RiskAnswer> {
    const passage = this.#circuit.enter();
    if (passage === null) throw new RiskSourceFailed('CIRCUIT_OPEN');
    const before = this.#circuit.state;
    try {
      const answer = readAnswer(await this.#query(request), now);
      passage.succeed();
      return answer;
    } catch (error) {
      const failure = failureOf(error);
      passage.fail();
      this.#deps.log.warn({ kind: failure.kind }, 'risk source gave no answer');
      throw failure;
    } finally {
      // Only has an effect after a defect of ours, when neither succeed nor fail was called.
      passage.forgive();
      this.#logCircuit(before);
    }
  }

  #query(request: RiskRequest): Promise<ServiceReply> {
    const signal = AbortSignal.timeout(this.#deps.timeoutMs ?? TIMEOUT_MS);
    return this.#http.send({ method: 'POST', path: '', body: request, signal });
  }

  #logCircuit(before: CircuitState): void {
    const { state } = this.#circuit;
    if (before !== 'OPEN' && state === 'OPEN')
      this.#deps.log.warn({ pause_ms: PAUSE_MS }, 'risk source is paused');
    if (before !== 'CLOSED' && state === 'CLOSED') this.#deps.log.info({}, 'risk source answers again');
  }
}

function readAnswer({ status, body }: ServiceReply, now: number): RiskAnswer {
  if (status >= 500) throw new RiskSourceFailed('SERVER_ERROR');
  if (status !== 200) throw new RiskSourceFailed('REFUSED');
  const value = readJson(body);
  if (issuesOf(value).length > 0) throw new RiskSourceFailed('PROTOCOL');
  const { score, data = {}, at } = value as { score: number | null; data?: RiskData; at?: number | null };
  return { score, data, at: at ?? now };
}

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new RiskSourceFailed('PROTOCOL');
  }
}

/** Turns any expected error into a failure; rethrows the rest. */
function failureOf(error: unknown): RiskSourceFailed {
  if (error instanceof RiskSourceFailed) return error;
  if (error instanceof ServiceFailed) return new RiskSourceFailed(error.kind);
  if (error instanceof DOMException && error.name === 'TimeoutError') return new RiskSourceFailed('TIMEOUT');
  throw error;
}
