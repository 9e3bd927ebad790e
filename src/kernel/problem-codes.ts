/**
 * The codes of problems, one per status, and those of single issues. Answers, openapi.json and the docs are made from these
 * tables.
 */

/** When a code or reason is answered, and what the caller can do if that is always the same. */
export interface Explained {
  when: string;
  remedy?: string;
}

export const CODES = {
  BAD_REQUEST: {
    status: 400,
    error: 'Bad request',
    when: 'The request itself is invalid; `issues` lists everything that is wrong with it.',
  },
  UNAUTHORIZED: {
    status: 401,
    error: 'Unauthorized',
    when: 'The API key is missing or malformed, which `reason` distinguishes, or it is unknown, revoked, expired, or of the other environment, which `reason` does not distinguish.',
    remedy:
      'Check the key with the operator of the service: it is unknown here, revoked, expired, or belongs to the other environment.',
  },
  FORBIDDEN: { status: 403, error: 'Forbidden', when: 'The API key is valid but may not do this.' },
  NOT_FOUND: {
    status: 404,
    error: 'No entity found',
    when: 'The addressed thing, or the path, does not exist: `details.nearest_path` is the path that was probably meant. If the body names the thing, `details.field` and `details.value` identify it.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    error: 'Method not allowed',
    when: 'The path does not support this method; `Allow` and `details.allowed` list the methods that it supports.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    error: 'Request timeout',
    when: 'The request did not arrive completely in time: headers within 5 s, all of it within 15 s, a file within 120 s.',
  },
  CONFLICT: { status: 409, error: 'Conflict', when: 'The state of the resource does not allow the request.' },
  PRECONDITION_FAILED: {
    status: 412,
    error: 'Precondition failed',
    when: '`If-Match` does not match the stored version: read the resource again, then repeat the request.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    error: 'Payload too large',
    when: 'The body is over 256 KiB, or a file over 20 MiB.',
    remedy:
      'Send fewer line items, or less custom_data: a body has at most 262144 bytes. A file has at most 20971520 bytes.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    error: 'Unsupported media type',
    when: 'The body is not `application/json` in UTF-8 without content coding, or the media type of the file is not one that the operation accepts.',
    remedy:
      'Send the body as JSON in UTF-8, with Content-Type: application/json and without Content-Encoding; send a file with the Content-Type of its content.',
  },
  UNPROCESSABLE_ENTITY: {
    status: 422,
    error: 'Unprocessable entity',
    when: 'The request is valid, but a business rule or the state of another resource forbids it.',
  },
  FAILED_DEPENDENCY: {
    status: 424,
    error: 'Failed dependency',
    when: 'An external service that the request needs gives no answer; it may work later.',
  },
  TOO_MANY_REQUESTS: {
    status: 429,
    error: 'Too many requests',
    when: 'The API key has reached a rate limit, or too many calls of the platform are waiting for events; repeat after `Retry-After` seconds.',
  },
  INTERNAL_ERROR: {
    status: 500,
    error: 'Internal error',
    when: 'A defect of the service; `details.request_id` finds it in the log.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    error: 'Service unavailable',
    when: 'The database is unavailable, more requests have arrived than the service can answer, or the platform is being moved; repeat after `Retry-After` seconds.',
  },
} as const satisfies Record<string, Explained & { status: number; error: string }>;

export type Code = keyof typeof CODES;

export const ISSUE_CODES = {
  INVALID_TYPE: 'The value has the wrong JSON type.',
  INVALID_VALUE: 'The value is well-formed but cannot be used.',
  INVALID_ENUM: 'The value is not one of the allowed values.',
  INVALID_FORMAT: 'The text does not follow the format.',
  TOO_SMALL: 'The number is below the minimum.',
  TOO_BIG: 'The number is above the maximum.',
  TOO_SHORT: 'The text or list is shorter than the minimum; a text of only spaces is empty.',
  TOO_LONG: 'The text or list is longer than the maximum.',
  REQUIRED: 'The field is missing.',
  UNRECOGNIZED_KEYS: 'The field or parameter does not exist.',
  AMOUNT_MISMATCH: 'gross is not net + tax.',
  IN_THE_FUTURE: 'The instant is in the future.',
  INVALID_JSON: 'The body is not a single JSON value, or an object has the same key twice.',
} as const;

export type IssueCode = keyof typeof ISSUE_CODES;
