/**
 * Every way a request can fail, in one table. The HTTP layer answers from it; openapi.json and the docs are printed
 * from it. `code` is coarse, one per status; `reason` is a closed list, so that a client can branch on it.
 */

export const CODES = {
  BAD_REQUEST: {
    status: 400,
    error: 'Bad request',
    when: 'The request alone is wrong; `issues` lists everything that is wrong with it.',
  },
  UNAUTHORIZED: {
    status: 401,
    error: 'Unauthorized',
    when: 'The API key is missing or malformed, which `reason` tells, or unknown, revoked, expired, or of the other environment, which are one answer.',
    remedy:
      'Check the key with the operator of the service: it is unknown here, revoked, expired, or of the other environment.',
  },
  FORBIDDEN: { status: 403, error: 'Forbidden', when: 'The API key is valid but may not do this.' },
  NOT_FOUND: {
    status: 404,
    error: 'No entity found',
    when: 'The addressed thing, or the path, does not exist: `details.nearest_path` is the path that was probably meant. Where the body names the thing, `details.field` and `details.value` tell which.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    error: 'Method not allowed',
    when: 'The path exists, but not with this method; `Allow` and `details.allowed` list the ones it has.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    error: 'Request timeout',
    when: 'The request did not arrive whole in time: headers within 5 s, all of it within 15 s.',
  },
  CONFLICT: { status: 409, error: 'Conflict', when: 'The addressed thing is in the wrong state for this.' },
  PRECONDITION_FAILED: {
    status: 412,
    error: 'Precondition failed',
    when: '`If-Match` names another version than the stored one: read again, then repeat.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    error: 'Payload too large',
    when: 'The body is over 256 KiB.',
    remedy: 'Send fewer line items, or less custom_data: a body has at most 262144 bytes.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    error: 'Unsupported media type',
    when: 'The body is not sent as `application/json` in UTF-8 without content coding.',
    remedy:
      'Send the body as JSON in UTF-8, with Content-Type: application/json and without Content-Encoding.',
  },
  UNPROCESSABLE_ENTITY: {
    status: 422,
    error: 'Unprocessable entity',
    when: 'The request and the addressed thing are fine, but a business rule or another resource forbids it.',
  },
  FAILED_DEPENDENCY: {
    status: 424,
    error: 'Failed dependency',
    when: 'Somebody else, whom this needs to ask, gives no answer; it may work later.',
  },
  TOO_MANY_REQUESTS: {
    status: 429,
    error: 'Too many requests',
    when: 'A rate limit of this API key is reached; repeat after `Retry-After` seconds.',
  },
  INTERNAL_ERROR: {
    status: 500,
    error: 'Internal error',
    when: 'A defect of the service; `details.request_id` finds it in the log.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    error: 'Service unavailable',
    when: 'The database is away; repeat after `Retry-After` seconds.',
  },
} as const satisfies Record<string, Explained & { status: number; error: string }>;

export type Code = keyof typeof CODES;

export const REASONS = {
  API_KEY_MISSING: {
    code: 'UNAUTHORIZED',
    when: 'The request has no `Authorization` header, or an empty one.',
    remedy: 'Send the header Authorization: Bearer <API_KEY>.',
  },
  API_KEY_MALFORMED: {
    code: 'UNAUTHORIZED',
    when: 'The `Authorization` header is not `Bearer` and an API key: the scheme is another, or the key is cut short or mistyped, which its checksum tells.',
    remedy:
      'Send the header Authorization: Bearer <API_KEY>, with the whole key as it was shown: tl_test_… in a sandbox, tl_live_… in production.',
  },
  INSUFFICIENT_SCOPE: { code: 'FORBIDDEN', when: 'The API key lacks the scope in `details.scope`.' },
  MERCHANT_NOT_ALLOWED: {
    code: 'FORBIDDEN',
    when: 'The API key is restricted to one merchant and this concerns another or the whole platform, or the platform has a single merchant already.',
  },
  EXTERNAL_ID_ALREADY_EXISTS: {
    code: 'CONFLICT',
    when: 'Another resource of this kind already has this external_id.',
  },
  IMMUTABLE_FIELD: { code: 'CONFLICT', when: 'The field in `details.field` cannot change after creation.' },
  INVALID_STATUS_TRANSITION: {
    code: 'CONFLICT',
    when: 'The status in `details.status` has no such move; `details.allowed` lists the ones it has.',
  },
  ACTIVE_FACILITY_EXISTS: {
    code: 'CONFLICT',
    when: 'The buyer has a facility already, or one under review; `details.status` is its status.',
  },
  PENDING_RENEWAL: { code: 'CONFLICT', when: 'A renewal of the facility is under review already.' },
  PENDING_INCREASE: { code: 'CONFLICT', when: 'An increase of the facility is under review already.' },
  ORDER_HAS_INVOICE: {
    code: 'CONFLICT',
    when: 'The order has an invoice that is not cancelled: cancel that one first, or close the order.',
  },
  CLOCK_BACKWARDS: {
    code: 'CONFLICT',
    when: 'The sandbox clock never goes back; `details.now` is the time it shows.',
  },
  WEBHOOK_TYPE_EXISTS: { code: 'CONFLICT', when: 'There is a subscription for this type already.' },
  IDEMPOTENCY_IN_PROGRESS: {
    code: 'CONFLICT',
    when: 'A request with this Idempotency-Key is still running.',
  },
  CURRENCY_NOT_ENABLED: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The platform has not enabled the currency in `details.currency`.',
  },
  BUYER_INCOMPLETE: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The buyer is only invited: its company is not known yet. A PUT completes it, or the hosted checkout.',
  },
  MERCHANT_NOT_ENROLLED: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The merchant may not sell: `details.status` is its status. The operator of the service activates it.',
  },
  LEGAL_FORM_MISMATCH: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The registry has the company with the legal form in `details.registry_legal_form`, not `details.legal_form`; `details.business_id` is the company.',
  },
  NO_ACTIVE_FACILITY: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The buyer has no credit facility that was granted: none, one under review, or a rejected one; `details.decision_id` is the decision about it.',
  },
  FACILITY_EXPIRED: {
    code: 'UNPROCESSABLE_ENTITY',
    when: "The period of the buyer's facility is over; `details.decision_id` is the last decision about it.",
  },
  FACILITY_FROZEN: {
    code: 'UNPROCESSABLE_ENTITY',
    when: "The buyer's facility is frozen: it takes no new orders, and if its period has ended, no renewal.",
  },
  FACILITY_EXCEEDED_AVAILABLE_AMOUNT: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The facility has less left than `details.requested`: `details.available`, in minor units. `details.decision_id` is the decision about its limit.',
  },
  INCREASE_NOT_ABOVE_LIMIT: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The increase asks for no more than the limit there is: `details.total_amount`, in minor units.',
  },
  FACILITY_CURRENCY_CONFLICT: {
    code: 'UNPROCESSABLE_ENTITY',
    when: "The buyer's facility is in `details.facility_currency`, another currency.",
  },
  BUYER_OVERDUE: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The buyer owes more, or for longer, than the limit policy allows; `details` has the figures.',
  },
  PAYMENT_TERM_NOT_AVAILABLE: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The payment term is not offered for this order; `details.unavailable_reason` says why.',
  },
  ORDER_AMOUNT_EXCEEDED: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The invoices of an order would be more than the order: `details.available` is what is left, in minor units.',
  },
  REFERENCED_ENTITY_NOT_FOUND: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The field in `details.field` names something that does not exist, by `details.value`.',
  },
  OVERRIDE_REQUIRED: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'This goes beyond what one person may decide; `details.limit_max` says how far that is, null where not at all.',
  },
  SECOND_PERSON_REQUIRED: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'Who proposed an override cannot approve it: another person must.',
  },
  DECISION_WITHOUT_POLICY: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'A person or a simulator made the decision, so no policy can judge its inputs again; `details.replaces` is the decision before it.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'This Idempotency-Key was used with another request.',
  },
  RISK_DECISION_ERROR: {
    code: 'FAILED_DEPENDENCY',
    when: 'The risk source or the credit policy gave no valid answer, so nothing was decided; `details.cause` says which.',
  },
  REGISTRY_UNAVAILABLE: {
    code: 'FAILED_DEPENDENCY',
    when: 'The company is not known here, and no registry that could know it answers; `details.registries` lists them.',
  },
} as const satisfies Record<string, Explained & { code: Code }>;

export type Reason = keyof typeof REASONS;

export const ISSUE_CODES = {
  INVALID_TYPE: 'The value has another JSON type.',
  INVALID_VALUE: 'The value has the right shape but cannot be used.',
  INVALID_ENUM: 'The value is not one of the list.',
  INVALID_FORMAT: 'The text does not follow the format.',
  TOO_SMALL: 'The number is below the minimum.',
  TOO_BIG: 'The number is above the maximum.',
  TOO_SHORT: 'The text or list is shorter than the minimum; a text of spaces is empty.',
  TOO_LONG: 'The text or list is longer than the maximum.',
  REQUIRED: 'The field is missing.',
  UNRECOGNIZED_KEYS: 'The field or parameter does not exist.',
  AMOUNT_MISMATCH: 'gross is not net + tax.',
  IN_THE_FUTURE: 'The instant has not come yet.',
  INVALID_JSON: 'The body is not one JSON value, or has a key twice.',
} as const;

export type IssueCode = keyof typeof ISSUE_CODES;

/** Of a code or reason: when it is answered, and what the caller can do where that is always the same. */
export interface Explained {
  when: string;
  remedy?: string;
}

/** One invalid part of a request. `path` begins with body, params, query or headers: `body.line_items.0.price`. */
export interface Issue {
  code: IssueCode;
  path: string;
  message: string;
}

/** Machine-readable facts for the caller, and `remedy`, a sentence. Never a secret or data of another tenant. */
export type ProblemDetails = Record<string, unknown>;

export class Problem extends Error {
  readonly code: Code;
  readonly reason: Reason | undefined;
  readonly issues: Issue[] | undefined;
  readonly details: ProblemDetails | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: Code,
    more: {
      error?: string;
      reason?: Reason;
      issues?: Issue[];
      details?: ProblemDetails;
      retryAfterSeconds?: number;
    } = {},
  ) {
    super(more.error ?? CODES[code].error);
    this.code = code;
    this.reason = more.reason;
    this.issues = more.issues;
    this.details = more.details;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }

  get status(): number {
    return CODES[this.code].status;
  }

  /** What the caller can do: of this case, else of its reason, else of its code. */
  get remedy(): string | undefined {
    const { remedy }: Explained = this.reason ? REASONS[this.reason] : CODES[this.code];
    return (this.details?.remedy as string | undefined) ?? remedy;
  }
}

/** A 403, 409, 422 or 424, by the reason's row in the table. `error` is the sentence for the caller. */
export function refusal(reason: Reason, error: string, details?: ProblemDetails): Problem {
  return new Problem(REASONS[reason].code, { reason, error, ...(details && { details }) });
}

export function notFound(): Problem {
  return new Problem('NOT_FOUND');
}

/** A 400 with all issues, at least one. */
export function invalidRequest(issues: Issue[]): Problem {
  return new Problem('BAD_REQUEST', {
    error: issues.length === 1 ? '1 validation issue' : `${issues.length} validation issues`,
    issues,
  });
}
