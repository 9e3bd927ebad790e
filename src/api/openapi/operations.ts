/** An operation and its route as the operation object of openapi.json. */
import type { TObject } from 'typebox';
import type { Route } from '#http/bind';
import { FILE_TYPES } from '#kernel/file-type';
import type { Code } from '#kernel/problem-codes';
import type { Reason } from '#kernel/problem-reasons';
import { type AnyOperation, type OwnRateLimit, statusesOf } from '#operation/operation';
import { compileQueryReader } from '#operation/validation';
import answers from './answers.json' with { type: 'json' };
import { DEPRECATION_HEADERS, headerReferences } from './headers.ts';
import { RATE_LIMIT_HEADERS, type RefusalBook } from './problems.ts';
import type { JsonSchema, SchemaBook } from './schemas.ts';

/** The name of the only security scheme. */
export const SECURITY_SCHEME = 'ApiKey';

export function printOperation(
  [method, , operation, location]: Route,
  { book, refusals }: { book: SchemaBook; refusals: RefusalBook },
): JsonSchema {
  // An answer with the bytes of a file also has an ETag.
  const isCacheable =
    method === 'GET' && (operation.isVersioned === true || operation.answersFile !== undefined);
  return {
    operationId: operation.id,
    ...(operation.deprecated && { deprecated: true }),
    summary: operation.summary,
    description: descriptionOf(operation),
    tags: [operation.tag],
    ...(operation.scope !== 'any' && { 'x-required-scope': operation.scope }),
    ...listed('parameters', [
      ...printParameters('path', operation, book),
      ...printParameters('query', operation, book),
      ...(method === 'POST' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
      ...(operation.isConditional ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
      ...(isCacheable ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
    ]),
    ...(operation.body && { requestBody: printBody(operation, book) }),
    ...(operation.fileBody && { requestBody: { required: true, content: bytesOf(FILE_TYPES) } }),
    responses: {
      ...Object.fromEntries(
        statusesOf(operation).map((status) => [
          status,
          printSuccess(method, operation, status, location, book),
        ]),
      ),
      ...(isCacheable && { 304: { $ref: '#/components/responses/NotModified' } }),
      ...refusals.printAll(problemsOf(method, operation)),
    },
  };
}

/** The default settings, which an operator can change. */
const RATE_LIMITS: Record<OwnRateLimit, string> = {
  search: 'Rate limit of its own: 5 requests a second, unless this service is set up otherwise.',
};

function descriptionOf({ description, scope, rateLimit, isSandboxOnly }: AnyOperation): string {
  const paragraphs = [
    description,
    isSandboxOnly &&
      'Only in a sandbox: on a production address this path is answered with 404, like an unknown one.',
    scope === 'any' ? 'Scope: any.' : `Scope: \`${scope}\`.`,
    rateLimit && RATE_LIMITS[rateLimit],
  ];
  return paragraphs.filter(Boolean).join('\n\n');
}

function listed(name: string, items: unknown[]): JsonSchema {
  return items.length === 0 ? {} : { [name]: items };
}

function printParameters(
  location: 'path' | 'query',
  operation: AnyOperation,
  book: SchemaBook,
): JsonSchema[] {
  const schema: TObject | undefined = location === 'path' ? operation.params : operation.query;
  if (!schema) return [];
  const given = location === 'path' ? operation.example?.params : operation.example?.query;
  const examples = compileQueryReader(schema)(given ?? {});
  const required = new Set((schema as { required?: string[] }).required);
  return Object.entries(schema.properties).map(([name, property]) => {
    const { description, ...printed } = book.printInput(property);
    const isList = printed.type === 'array';
    return {
      name,
      in: location,
      ...(required.has(name) && { required: true }),
      ...(description !== undefined && { description }),
      ...(isList && { style: 'form', explode: false }),
      schema: printed,
      ...(name in examples && { example: examples[name] }),
    };
  });
}

function printBody(operation: AnyOperation, book: SchemaBook): JsonSchema {
  const example = operation.example?.body;
  return {
    required: !operation.isBodyOptional,
    content: {
      'application/json': {
        schema: book.printInput(operation.body),
        ...(example !== undefined && { example }),
      },
    },
  };
}

/** JSON Schema does not describe bytes; code generators know this form. */
const bytesOf = (types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));

const SUCCESS: Record<number, string> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted: the outcome follows as an event.',
};

function printSuccess(
  method: string,
  operation: AnyOperation,
  status: number,
  location: string | undefined,
  book: SchemaBook,
): JsonSchema {
  // Recorded from the example request, which is decided immediately.
  const example =
    status === operation.status
      ? (answers as Record<string, unknown>)[operation.id]
      : operation.underReview?.example;
  return {
    description: SUCCESS[status],
    headers: {
      ...headerReferences([
        'Request-Id',
        ...(operation.isVersioned || operation.answersFile ? ['ETag'] : []),
        ...(operation.answersFile ? ['Content-Disposition'] : []),
        ...(location ? ['Location'] : []),
        ...(method === 'POST' ? ['Idempotency-Replayed'] : []),
        ...RATE_LIMIT_HEADERS,
      ]),
      ...(operation.deprecated && DEPRECATION_HEADERS),
    },
    content: operation.answersFile
      ? bytesOf(operation.answersFile)
      : {
          'application/json': {
            schema: book.printOutput(operation.response),
            ...(example !== undefined && { example }),
          },
        },
  };
}

/** The refusals of the operation, and those of every operation of its kind. */
function problemsOf(method: string, operation: AnyOperation): (Reason | Code)[] {
  return [
    'BAD_REQUEST',
    ...(['UNAUTHORIZED', 'API_KEY_MISSING', 'API_KEY_MALFORMED'] as const),
    ...(operation.scope === 'any' ? [] : (['INSUFFICIENT_SCOPE'] as const)),
    ...operation.problems,
    ...(method === 'POST' ? (['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED'] as const) : []),
    ...(operation.isConditional ? (['PRECONDITION_FAILED'] as const) : []),
    ...(operation.body || operation.fileBody
      ? (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const)
      : []),
    'TOO_MANY_REQUESTS',
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
  ];
}
