/** The answers of a request that is refused: one shared response a code, and one of its own where reasons are told apart. */
import { errorBody } from '#http/problem-reply';
import {
  CODES,
  type Code,
  Problem,
  type ProblemDetails,
  REASONS,
  type Reason,
  refusal,
} from '#kernel/problem';
import { headerReferences, RETRY_AFTER_IN_PROGRESS_REFERENCE } from './headers.ts';
import type { JsonSchema } from './schemas.ts';

/** Where reasons are explained, relative to /openapi.json and to /docs alike. */
export const ERRORS_PAGE = 'docs/errors';

export const RATE_LIMIT_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

const ERROR = { $ref: '#/components/schemas/Error' };

/** The facts a refusal carries beside its link, as a reader meets them. */
const DETAILS: Partial<Record<Reason, ProblemDetails>> = {
  MERCHANT_NOT_ALLOWED: { merchant_external_id: 'roastery-north' },
  IMMUTABLE_FIELD: { field: 'body.buyer_external_id' },
  INVALID_STATUS_TRANSITION: { status: 'DISABLED', trigger: 'test', allowed: ['replace', 'unsubscribe'] },
  CURRENCY_NOT_ENABLED: { currency: 'JPY' },
  REFERENCED_ENTITY_NOT_FOUND: { field: 'body.buyer_external_id' },
  REGISTRY_UNAVAILABLE: { registries: [{ registry: 'GLEIF', kind: 'TIMEOUT' }] },
  NO_ACTIVE_FACILITY: { status: 'PENDING' },
  FACILITY_EXPIRED: { expires_at: 1_763_629_199 },
  FACILITY_EXCEEDED_AVAILABLE_AMOUNT: { requested: 11_900, available: 8_100, currency: 'EUR' },
  FACILITY_CURRENCY_CONFLICT: { facility_currency: 'GBP', currency: 'EUR' },
  BUYER_OVERDUE: { overdue_amount: 7_500, currency: 'EUR', days_past_due: 45 },
  PAYMENT_TERM_NOT_AVAILABLE: { payment_term: 'DEFER_120D', unavailable_reason: 'PRICE_CLASS' },
  OVERRIDE_REQUIRED: { limit_max: 2_500_000 },
  RISK_DECISION_ERROR: { cause: 'TIMEOUT' },
};

/** The answers of one operation, by status; each code comes with its reasons, or with none where it has no reasons. */
export function refusalsOf(
  problems: readonly (Reason | Code)[],
  detailsOf: Partial<Record<Reason, ProblemDetails>>,
): Record<string, JsonSchema> {
  const byCode = Map.groupBy(problems, (problem) => (isReason(problem) ? REASONS[problem].code : problem));
  const answers = [...byCode].map(([code, named]) => {
    const reasons = named.filter(isReason);
    const { status } = CODES[code];
    return [
      String(status),
      reasons.length === 0
        ? { $ref: `#/components/responses/${responseName(code)}` }
        : answerWithReasons(code, reasons, { ...DETAILS, ...detailsOf }),
    ] as const;
  });
  return Object.fromEntries(answers.sort(([one], [other]) => Number(one) - Number(other)));
}

/** The answer to `If-None-Match` while the client's copy is good. */
export const NOT_MODIFIED: JsonSchema = {
  description: 'The resource is the one that `If-None-Match` names.',
  headers: headerReferences(['Request-Id', 'ETag', ...RATE_LIMIT_HEADERS]),
};

/** One response for each code that any operation answers without a reason. */
export function problemResponses(codes: readonly Code[]): Record<string, JsonSchema> {
  return Object.fromEntries(
    [...codes].sort().map((code) => [
      responseName(code),
      {
        description: CODES[code].when,
        headers: headerReferences(headersOf(code)),
        content: { 'application/json': { schema: ERROR, example: bodyOf(exampleOf(code)) } },
      },
    ]),
  );
}

/** `BAD_REQUEST` → `BadRequest`. */
function responseName(code: Code): string {
  return code
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('');
}

function answerWithReasons(
  code: Code,
  reasons: Reason[],
  detailsOf: Partial<Record<Reason, ProblemDetails>>,
): JsonSchema {
  const lines = reasons.map(
    (reason) => `- [\`${reason}\`](${ERRORS_PAGE}#${reason}): ${REASONS[reason].when}`,
  );
  const examples = reasons.map((reason) => [
    reason,
    {
      summary: REASONS[reason].when,
      value: bodyOf(refusal(reason, sentenceOf(reason), detailsOf[reason])),
    },
  ]);
  return {
    description: `${CODES[code].error}.\n\n${lines.join('\n')}`,
    headers: {
      ...headerReferences(headersOf(code)),
      ...(reasons.includes('IDEMPOTENCY_IN_PROGRESS') && {
        'Retry-After': RETRY_AFTER_IN_PROGRESS_REFERENCE,
      }),
    },
    content: { 'application/json': { schema: ERROR, examples: Object.fromEntries(examples) } },
    'x-reasons': reasons,
  };
}

const isReason = (problem: Reason | Code): problem is Reason => problem in REASONS;

/** The `error` of an answer has no full stop. */
const sentenceOf = (reason: Reason) => REASONS[reason].when.replace(/\.$/, '');

const bodyOf = (problem: Problem) =>
  errorBody(problem, 'req_8c1f5f0e-5f3a-4f0b-9d0c-1f2a3b4c5d6e', `/${ERRORS_PAGE}`);

function exampleOf(code: Code): Problem {
  if (code !== 'BAD_REQUEST') return new Problem(code);
  return new Problem(code, {
    error: '2 validation issues',
    issues: [
      { code: 'REQUIRED', path: 'body.amount.net', message: 'is required' },
      { code: 'UNRECOGNIZED_KEYS', path: 'body.total', message: 'is not a known field' },
    ],
  });
}

/** 401 comes before any limit is counted; what must be sent again later says when. */
function headersOf(code: Code): string[] {
  if (code === 'UNAUTHORIZED') return ['Request-Id', 'WWW-Authenticate'];
  const isLater = code === 'TOO_MANY_REQUESTS' || code === 'SERVICE_UNAVAILABLE';
  return ['Request-Id', ...(isLater ? ['Retry-After'] : []), ...RATE_LIMIT_HEADERS];
}
