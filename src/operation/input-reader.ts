import { type Issue, invalidRequest } from '#kernel/problem';
import { type ValuePath, voidDecimalAmounts } from './decimal-amounts.ts';
import type { SentFile } from './file-body.ts';
import { idempotencyKeyIssues } from './idempotency.ts';
import type { AnyOperation } from './operation.ts';
import {
  compileQueryReader,
  compileValidator,
  ISSUES_MAX,
  isOfCountryFormat,
  type Validator,
} from './validation.ts';

/** The input of a call, before validation. */
export interface RawInput {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  /** The paths of integers in the body that the text writes with a fraction or an exponent. */
  decimals?: readonly ValuePath[] | undefined;
  idempotencyKey?: string | string[] | undefined;
  /** For an operation with a `fileBody`. */
  file?: SentFile | undefined;
}

/** Returns the validated input; throws BAD_REQUEST with every issue of params, query, headers and body. */
export type InputReader = (input: RawInput) => ValidInput;

export interface ValidInput {
  params: unknown;
  query: unknown;
  body: unknown;
  file: SentFile | undefined;
  /** Only for an operation that accepts stored formats, and only if there is no other issue. */
  formatIssues: readonly Issue[];
}

/** Compiles the operation's schemas once. */
export function compileInputReader(operation: AnyOperation): InputReader {
  const validateParams = operation.params && compileValidator(operation.params, 'params');
  const readQuery = operation.query && compileQueryReader(operation.query);
  const validateQuery = operation.query && compileValidator(operation.query, 'query');
  const validateBody = operation.body && compileValidator(operation.body, 'body');

  return (input) => {
    const issues: Issue[] = [];
    const { params } = input;
    const query = readQuery ? readQuery(input.query ?? {}) : input.query;
    const body = input.body === undefined && operation.isBodyOptional ? {} : input.body;
    if (validateParams) issues.push(...validateParams(params));
    issues.push(...(validateQuery ? validateQuery(query) : unknownParameters(query)));
    issues.push(...idempotencyKeyIssues(input.idempotencyKey));
    if (operation.body && input.decimals) voidDecimalAmounts(operation.body, body, input.decimals);
    issues.push(...(operation.fileBody ? fileIssues(input.file) : bodyIssues(body, validateBody)));
    const mayBeStored = operation.acceptsStoredFormats === true && issues.every(isOfCountryFormat);
    if (issues.length > 0 && !mayBeStored) throw invalidRequest(issues);
    return { params, query, body, file: input.file, formatIssues: issues };
  };
}

function fileIssues(file: SentFile | undefined): Issue[] {
  return file && file.bytes.length > 0 ? [] : [{ code: 'REQUIRED', path: 'body', message: 'is required' }];
}

function unknownParameters(query: Record<string, unknown> = {}): Issue[] {
  const names = Object.keys(query).slice(0, ISSUES_MAX);
  return names.map((name) => ({
    code: 'UNRECOGNIZED_KEYS',
    path: `query.${name}`,
    message: 'is not a known parameter',
  }));
}

function bodyIssues(body: unknown, validate: Validator | undefined): Issue[] {
  if (validate)
    return body === undefined ? [{ code: 'REQUIRED', path: 'body', message: 'is required' }] : validate(body);
  // Clients that always send a body send `{}` to operations without one.
  const isEmpty =
    body === undefined ||
    (typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0);
  return isEmpty
    ? []
    : [{ code: 'UNRECOGNIZED_KEYS', path: 'body', message: 'this operation takes no body' }];
}
