/** Headers and parameters that several operations share, each described once. */
import type { JsonSchema } from './schemas.ts';

export const HEADERS: Record<string, JsonSchema> = {
  'Request-Id': {
    description: 'Identifies this request in the log of the service. Quote it when you ask for help.',
    required: true,
    schema: { type: 'string' },
    example: 'req_8c1f5f0e-5f3a-4f0b-9d0c-1f2a3b4c5d6e',
  },
  ETag: {
    description:
      'The version of the resource, for `If-Match` and `If-None-Match`. Opaque: send it back unchanged.',
    required: true,
    schema: { type: 'string' },
    example: '"3"',
  },
  'Content-Disposition': {
    description: 'The name under which a browser saves the file (RFC 6266). It never displays the file.',
    required: true,
    schema: { type: 'string' },
    example: "attachment; filename*=UTF-8''invoice.pdf",
  },
  Location: {
    description: 'The path of the created resource.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
    example: '/v1/buyers/example-buyer',
  },
  'Idempotency-Replayed': {
    description:
      '`true` if this is the stored answer of an earlier request with this `Idempotency-Key`: nothing was done again.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    required: true,
    schema: { type: 'string' },
    example: 'Bearer',
  },
  'RateLimit-Limit': {
    description:
      'Requests that this API key may send at once. If the operation has its own limit, requests for that operation. Absent if no limit is set.',
    schema: { type: 'integer', format: 'int64' },
    example: 200,
  },
  'RateLimit-Remaining': {
    description: 'Requests left at this moment. Absent if no limit is set.',
    schema: { type: 'integer', format: 'int64' },
    example: 199,
  },
  'RateLimit-Reset': {
    description: 'Seconds until the full limit is available again. Absent if no limit is set.',
    schema: { type: 'integer', format: 'int64' },
    example: 1,
  },
  'Retry-After': {
    description: 'Seconds after which the same request may be sent again.',
    required: true,
    schema: { type: 'integer', format: 'int64' },
    example: 1,
  },
};

/** For answers that have `Retry-After` for only one of their reasons. */
const RETRY_AFTER_IN_PROGRESS: JsonSchema = {
  description: 'Seconds after which to send the request again. Sent with `IDEMPOTENCY_IN_PROGRESS`.',
  schema: { type: 'integer', format: 'int64' },
  example: 1,
};
export const RETRY_AFTER_IN_PROGRESS_REFERENCE = { $ref: '#/components/headers/RetryAfterInProgress' };

/** The headers of answers of a deprecated operation. */
export const DEPRECATION_HEADERS: Record<string, JsonSchema> = {
  Deprecation: {
    description: 'When the operation was deprecated, in the form of RFC 9745: `@` and unix seconds.',
    required: true,
    schema: { type: 'string' },
    example: '@1767225600',
  },
  Sunset: {
    description: 'When the operation stops working, in the form of RFC 8594.',
    required: true,
    schema: { type: 'string' },
    example: 'Fri, 01 Jan 2027 00:00:00 GMT',
  },
};

export const PARAMETERS: Record<string, JsonSchema> = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A unique text for each operation that you perform, such as a UUID. The same request with the same key gets the same answer and is ' +
      'performed once. Keys are kept for 72 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` that you have read. If the stored version has changed since, nothing changes and the answer is 412.',
    schema: { type: 'string' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of your copy. If it is still valid, the answer is 304 without a body.',
    schema: { type: 'string' },
  },
};

/** The component's name is the header's, without hyphens. */
export function headerComponents(): Record<string, JsonSchema> {
  const shared = Object.entries(HEADERS).map(([name, header]) => [componentName(name), header]);
  return { ...Object.fromEntries(shared), RetryAfterInProgress: RETRY_AFTER_IN_PROGRESS };
}

export function headerReferences(names: readonly string[]): Record<string, JsonSchema> {
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${componentName(name)}` }]),
  );
}

const componentName = (header: string) => header.replaceAll('-', '');
