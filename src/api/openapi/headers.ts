/** Headers and the parameters that several operations share, each described once. */
import type { JsonSchema } from './schemas.ts';

export const HEADERS: Record<string, JsonSchema> = {
  'Request-Id': {
    description: 'Names this request in the log of the service. Quote it when you ask for help.',
    required: true,
    schema: { type: 'string' },
    example: 'req_8c1f5f0e-5f3a-4f0b-9d0c-1f2a3b4c5d6e',
  },
  ETag: {
    description:
      'The version of the resource, for `If-Match` and `If-None-Match`. Opaque: send it back as it is.',
    required: true,
    schema: { type: 'string' },
    example: '"3"',
  },
  'Content-Disposition': {
    description: 'A browser saves the file under this name (RFC 6266), and never shows it.',
    required: true,
    schema: { type: 'string' },
    example: "attachment; filename*=UTF-8''invoice.pdf",
  },
  Location: {
    description: 'Where the created resource is found.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
    example: '/v1/buyers/example-buyer',
  },
  'Idempotency-Replayed': {
    description:
      '`true` on an answer that was stored for this `Idempotency-Key` before: nothing was done again.',
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
      'Requests that this API key may send at once; where an operation has a limit of its own, requests for it. Absent where no limit is set.',
    schema: { type: 'integer', format: 'int64' },
    example: 200,
  },
  'RateLimit-Remaining': {
    description: 'Requests left at this moment. Absent where no limit is set.',
    schema: { type: 'integer', format: 'int64' },
    example: 199,
  },
  'RateLimit-Reset': {
    description: 'Seconds until all of them are there again. Absent where no limit is set.',
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

/** Of answers that carry `Retry-After` for one of their reasons only. */
const RETRY_AFTER_IN_PROGRESS: JsonSchema = {
  description: 'Seconds after which to send the request again. Sent with `IDEMPOTENCY_IN_PROGRESS`.',
  schema: { type: 'integer', format: 'int64' },
  example: 1,
};
export const RETRY_AFTER_IN_PROGRESS_REFERENCE = { $ref: '#/components/headers/RetryAfterInProgress' };

/** Of the answers of a deprecated operation. */
export const DEPRECATION_HEADERS: Record<string, JsonSchema> = {
  Deprecation: {
    description: 'Since when the operation is deprecated, as in RFC 9745: `@` and unix seconds.',
    required: true,
    schema: { type: 'string' },
    example: '@1767225600',
  },
  Sunset: {
    description: 'When the operation stops working, as in RFC 8594.',
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
      'Any text that is new for each thing you do, such as a UUID. The same request with the same key answers the same and is ' +
      'done once; keys are kept for 72 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` you have read. Where the stored version is another one by now, nothing changes and the answer is 412.',
    schema: { type: 'string' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description:
      'The `ETag` of the copy that you have. If it is still good, the answer is 304 without a body.',
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
