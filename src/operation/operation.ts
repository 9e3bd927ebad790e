/**
 * An operation is a contract and its behaviour in one value: what it takes, answers and refuses, and what it does. It
 * knows no HTTP: the API, a worker and a command line call the same one.
 */
import type { Static, TObject, TSchema } from 'typebox';
import type { Db } from '#infra/database/database';
import type { OutboundHttp } from '#infra/outbound/http';
import type { PlatformVault } from '#infra/secrets/vault';
import type { PlatformClocks } from '#infra/time/platform-clocks';
import type { Scope } from '#kernel/api-key';
import type { CompanyRegistries } from '#kernel/company-registries';
import type { Code, Reason } from '#kernel/problem';
import type { Risk } from '#kernel/risk-source';
import type { Caller } from './caller.ts';

/**
 * Who makes a change, as history and ledger record it: `api_key:…`, `operator:…`, `buyer`, `service` or `sandbox`.
 */
export type Actor = string;

/** What an operation runs with. */
export interface Context {
  /** The transaction of this call, or the database where the operation needs none. */
  db: Db;
  platformId: number;
  caller: Caller;
  actor: Actor;
  /** Unix seconds, by the platform's clock: the instant of everything this call does. */
  now: number;
  clocks: PlatformClocks;
  vault: PlatformVault;
  outbound: Pick<OutboundHttp, 'vet'>;
  registries: CompanyRegistries;
  risk: Risk;
  isSandbox: boolean;
  /** Where the service is reached, without a slash at its end: for links that lead to it. */
  baseUrl: string;
  /** Throws PRECONDITION_FAILED where the caller's `If-Match` names another version than the stored one. */
  assertVersion(version: number): void;
}

/** The part of a Context that a change of status needs: the transaction, the platform, who, and when. */
export type ChangeContext = Pick<Context, 'db' | 'platformId' | 'actor' | 'now'>;

export interface OperationResult<Body> {
  body: Body;
  /** The version of a single resource. */
  version?: number;
  /** The body shows more than its version counts: expanded resources, days past due. */
  isBeyondVersion?: boolean;
  /** A person must decide first: answered with 202 instead of the operation's status. */
  isUnderReview?: boolean;
}

/**
 * How an operation touches the database. `read` and `statement` run without a transaction: the first writes nothing, the
 * second writes in one statement, which is atomic by itself and can be gathered with others. `transaction` runs in one.
 * `own` opens transactions by itself: one that it shares with other calls, or one after the other. With an
 * Idempotency-Key all of them but `read` run in the one transaction that also keeps the key.
 */
export type Effect = 'read' | 'statement' | 'transaction' | 'own';

/** Limits of their own that operations may share, beside the one of all requests. */
export type OwnRateLimit = 'search';

/** An operation that goes away, in unix seconds. */
export interface Deprecation {
  since: number;
  /** When it stops working. */
  sunset: number;
  /** Where the replacement is described: an absolute http(s) URL. */
  link?: string;
}

type Input<P, Q, B> = {
  params: P extends TSchema ? Static<P> : Record<string, never>;
  query: Q extends TSchema ? Static<Q> : Record<string, never>;
  body: B extends TSchema ? Static<B> : undefined;
};

export interface Operation<
  P extends TObject | undefined = TObject | undefined,
  Q extends TObject | undefined = TObject | undefined,
  B extends TSchema | undefined = TSchema | undefined,
  R extends TSchema = TSchema,
  Prepared = unknown,
> {
  /** camelCase of the file's name; the operationId of openapi.json. */
  id: string;
  summary: string;
  description?: string;
  tag: Tag;
  /** `any`: whatever the key may do. */
  scope: Scope | 'any';
  effect: Effect;
  /** A lower limit for an operation that costs more than others. */
  rateLimit?: OwnRateLimit;
  /** The answer holds a secret, so it is never compressed: its length would help to guess the secret. */
  hasSecret?: true;
  deprecated?: Deprecation;
  /** On a production address its path is one that does not exist. */
  isSandboxOnly?: boolean;
  params?: P;
  query?: Q;
  body?: B;
  /** The body may be left out altogether. */
  isBodyOptional?: boolean;
  /** Takes `If-Match`. */
  isConditional?: boolean;
  /** Answers one resource with its version, which becomes the `ETag`. */
  isVersioned?: boolean;
  status: 200 | 201 | 202;
  /** The outcome may wait for a person; the answer is then the same resource with 202, such as this one. */
  underReview?: { example: Static<R> };
  response: R;
  /** What it refuses beyond what every operation does (400, 401, 403 for the scope, 429, 503). */
  problems: readonly (Reason | Extract<Code, 'NOT_FOUND'>)[];
  /** A request that works on the demo story; openapi.json shows it and a test replays it. */
  example?: { params?: Record<string, string>; query?: Record<string, string>; body?: unknown };
  /**
   * What must ask the outside world, or takes long, before any transaction opens: `db` is the database itself. What it
   * finds is handed to `run`, which checks again what may have changed meanwhile.
   */
  prepare?(context: Context, input: Input<P, Q, B>): Promise<Prepared>;
  run(context: Context, input: Input<P, Q, B>, prepared: Prepared): Promise<OperationResult<Static<R>>>;
  /**
   * What follows the transaction of `run`, in transactions of its own, where the caller waits for it: it is handed what
   * `run` answered, and answers instead. Only with the effect `transaction`. Where a call with an Idempotency-Key died in
   * here, the next one with that key goes on: it does what is left, however often it is called.
   */
  finish?(context: Context, input: Input<P, Q, B>, answered: Static<R>): Promise<OperationResult<Static<R>>>;
}

export const TAGS = [
  'Platform',
  'Merchants',
  'Buyers',
  'Contacts',
  'Facilities',
  'Orders',
  'Registry',
  'Webhooks',
  'Sandbox',
  'Meta',
] as const;
export type Tag = (typeof TAGS)[number];

/** Gives `run` the types of its schemas. */
export function operation<
  R extends TSchema,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
  Prepared = unknown,
>(definition: Operation<P, Q, B, R, Prepared>): Operation<P, Q, B, R, Prepared> {
  return definition;
}

/** Every operation, whatever its schemas. */
// biome-ignore lint/suspicious/noExplicitAny: a list of operations forgets their schemas' types; bind validates at run time.
export type AnyOperation = Operation<any, any, any, any, any>;

/** What an operation answers where a person must decide first. */
export const UNDER_REVIEW_STATUS = 202;

/** Every status of success. */
export function statusesOf({ status, underReview }: AnyOperation): number[] {
  return underReview ? [status, UNDER_REVIEW_STATUS] : [status];
}
