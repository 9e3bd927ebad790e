/**
 * An operation is a contract and its behaviour in one value: input, answer, refusals, and what it does. It is independent of HTTP, so that
 * the API, the worker and the commands can run it.
 */
import type { Static, TObject, TSchema } from 'typebox';
import type { Db } from '#infra/database/database';
import type { FileStore } from '#infra/files/file-store';
import type { OutboundHttp } from '#infra/outbound/http';
import type { PlatformVault } from '#infra/secrets/vault';
import type { PlatformClocks } from '#infra/time/platform-clocks';
import type { Scope } from '#kernel/api-key';
import type { CompanyRegistries } from '#kernel/company-registries';
import type { Issue } from '#kernel/problem';
import type { Code } from '#kernel/problem-codes';
import type { Reason } from '#kernel/problem-reasons';
import type { Risk } from '#kernel/risk-source';
import type { Caller } from './caller.ts';
import type { AnsweredFile, FileBody, SentFile } from './file-body.ts';

/**
 * Who makes a change, as history and ledger record it: `api_key:…`, `operator:…`, `buyer`, `service` or `sandbox`.
 * The first operator of a platform is added by `installation`.
 */
export type Actor = string;

/** The context in which an operation runs. */
export interface Context {
  /** The transaction of this call, or the database if the operation needs no transaction. */
  db: Db;
  platformId: number;
  caller: Caller;
  actor: Actor;
  /** Unix seconds by the platform's clock: the instant of every change that this call makes. */
  now: number;
  /** The IANA name of the platform's time zone: days begin and end in it. */
  timeZone: string;
  clocks: PlatformClocks;
  vault: PlatformVault;
  files: FileStore;
  outbound: Pick<OutboundHttp, 'vet'>;
  registries: CompanyRegistries;
  risk: Risk;
  isSandbox: boolean;
  /** The service's base URL for links to it, without a trailing slash. */
  baseUrl: string;
  /** Aborts when the process stops, and for an operation with `mayWait` when the client closes its connection: then a waiting call ends. */
  stopping: AbortSignal;
  /** Throws PRECONDITION_FAILED if the caller's `If-Match` names another version than the stored one. */
  assertVersion(version: number): void;
}

/** The part of a Context that a change of status needs: the transaction, the platform, the actor and the instant. */
export type ChangeContext = Pick<Context, 'db' | 'platformId' | 'actor' | 'now'>;

export interface OperationResult<Body> {
  body: Body;
  /** The version of a single resource. */
  version?: number;
  /** The body shows data that its version does not cover, such as expanded resources or days past due. */
  isBeyondVersion?: boolean;
  /** A person must decide first, so the status is 202 instead of the operation's. */
  isUnderReview?: boolean;
  /** See `answersFile`. */
  file?: AnsweredFile;
}

/**
 * How an operation uses the database. `read` writes nothing; `statement` writes in one statement, which is atomic and can be gathered with
 * others; neither opens a transaction. `transaction` runs in one. `own` opens its own transactions: one that it shares with other calls, or
 * several in sequence. With an Idempotency-Key the operation runs in the transaction that stores the key.
 */
export type Effect = 'read' | 'statement' | 'transaction' | 'own';

/** A rate limit that some operations share, in addition to the limit of all requests. */
export type OwnRateLimit = 'search';

/** When an operation was deprecated and when it ends, in unix seconds. */
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
  /** Always set for an operation with a `fileBody`. */
  file?: SentFile | undefined;
  /** See `acceptsStoredFormats`. */
  formatIssues?: readonly Issue[];
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
  /** `any` admits a key with any scope. */
  scope: Scope | 'any';
  effect: Effect;
  /** A lower limit for an operation that costs more than others. */
  rateLimit?: OwnRateLimit;
  /** With the query parameter `wait`, in seconds, the call waits until it has something to answer. */
  mayWait?: true;
  /** The answer contains a secret. It is never compressed, because its length would help to guess the secret. */
  hasSecret?: true;
  deprecated?: Deprecation;
  /** Its path answers 404 in production. */
  isSandboxOnly?: boolean;
  params?: P;
  query?: Q;
  body?: B;
  /**
   * A value in the body without the format of its country is accepted if it equals the stored one. `run` receives the issues and passes
   * them to `assertFormatsOfNew`.
   */
  acceptsStoredFormats?: true;
  /** Replaces `body`: the request body is the bytes of a file. `prepare` checks the content with `assertWholeFile`. */
  fileBody?: FileBody;
  /** The answer is the bytes of the file in `OperationResult.file`, of one of these types, and no `body`. Only with GET. */
  answersFile?: readonly AnsweredFile['type'][];
  /** The body may be omitted. */
  isBodyOptional?: boolean;
  /** Takes `If-Match`. */
  isConditional?: boolean;
  /** Answers one resource with its version, which becomes the `ETag`. */
  isVersioned?: boolean;
  status: 200 | 201 | 202;
  /** Set if a person may have to decide. The answer is then the same resource with status 202, as in `example`. */
  underReview?: { example: Static<R> };
  response: R;
  /** Refusals in addition to those of every operation (400, 401, 403 for the scope, 429, 503). */
  problems: readonly (Reason | Extract<Code, 'NOT_FOUND'>)[];
  /** A request that works on the demo data. openapi.json shows it, and a test sends it. */
  example?: { params?: Record<string, string>; query?: Record<string, string>; body?: unknown };
  /**
   * Work before any transaction that queries external systems or takes long; `db` is the database itself. `run` gets the result and checks
   * again what may have changed since.
   */
  prepare?(context: Context, input: Input<P, Q, B>): Promise<Prepared>;
  run(context: Context, input: Input<P, Q, B>, prepared: Prepared): Promise<OperationResult<Static<R>>>;
  /**
   * Work after the transaction of `run`, in separate transactions, while the caller waits. It gets the body that `run` returned, and its
   * result replaces that body. Only with the effect `transaction`. If a call with an Idempotency-Key dies here, the next call with that key
   * runs it again: it must do only the remaining work.
   */
  finish?(context: Context, input: Input<P, Q, B>, answered: Static<R>): Promise<OperationResult<Static<R>>>;
}

export const TAGS = [
  'Platform',
  'Merchants',
  'Buyers',
  'Contacts',
  'Mandates',
  'Facilities',
  'Orders',
  'Invoices',
  'Payouts',
  'Ledger',
  'Registry',
  'Webhooks',
  'Sandbox',
  'Meta',
] as const;
export type Tag = (typeof TAGS)[number];

/** Defines an operation; infers the types of `run` from its schemas. */
export function operation<
  R extends TSchema,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
  Prepared = unknown,
>(definition: Operation<P, Q, B, R, Prepared>): Operation<P, Q, B, R, Prepared> {
  return definition;
}

/** An operation with any schemas. */
// biome-ignore lint/suspicious/noExplicitAny: a list of operations forgets their schemas' types; the input reader validates at run time.
export type AnyOperation = Operation<any, any, any, any, any>;

/** The status of an answer to a request that a person must decide first. */
export const UNDER_REVIEW_STATUS = 202;

/** Every status of a success. */
export function statusesOf({ status, underReview }: AnyOperation): number[] {
  return underReview ? [status, UNDER_REVIEW_STATUS] : [status];
}
