/**
 * A risk source behind HTTP: one POST of JSON with a bearer key, bounded in time and size, and left alone for a while
 * where it fails. The contract stands in docs/reference/risk-source.md.
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
  /** The address that is asked; null: nobody is. */
  riskUrl: string | null;
  riskApiKey: string | null;
  /** PEM of certificate authorities to trust beside the public ones. */
  extraCa?: string;
}

export interface RiskDeps {
  clock: Pick<Clock, 'elapsedMs'>;
  log: Pick<Log, 'info' | 'warn'>;
  /** How long one question may take; left out, 5 s. */
  timeoutMs?: number;
}

export interface OpenRiskSource extends RiskSource {
  /** Closes what is idle and waits for the questions under way. */
  close(): Promise<void>;
}

/** A buyer waits for the answer. */
const TIMEOUT_MS = 5_000;
const FAILURES_MAX = 5;
const PAUSE_MS = 30_000;

/** What is kept for years with each decision stays small. */
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
  at: optional(unixSeconds('When that was so')),
});
const issuesOf = compileValidator(Answer, 'body');

/** Throws a TypeError where the address cannot be used. */
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
      // After a defect of ours nothing has been told; else this says nothing.
      passage.forgive();
      this.#queue(before);
    }
  }

  #query(request: RiskRequest): Promise<ServiceReply> {
    const signal = AbortSignal.timeout(this.#deps.timeoutMs ?? TIMEOUT_MS);
    return this.#http.send({ method: 'POST', path: '', body: request, signal });
  }

  #queue(before: CircuitState): void {
    const { state } = this.#circuit;
    if (before !== 'OPEN' && state === 'OPEN')
      this.#deps.log.warn({ pause_ms: PAUSE_MS }, 'risk source is left alone');
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

/** Whatever went wrong, there is no answer. */
function failureOf(error: unknown): RiskSourceFailed {
  if (error instanceof RiskSourceFailed) return error;
  if (error instanceof ServiceFailed) return new RiskSourceFailed(error.kind);
  if (error instanceof DOMException && error.name === 'TimeoutError') return new RiskSourceFailed('TIMEOUT');
  throw error;
}
