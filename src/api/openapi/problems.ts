/** Responses of refused requests: one shared response per code, and a separate one if an operation lists reasons. */
import { errorBody } from '#http/problem-reply';
import { Problem, type ProblemDetails, refusal } from '#kernel/problem';
import { CODES, type Code } from '#kernel/problem-codes';
import { REASONS, type Reason } from '#kernel/problem-reasons';
import { headerReferences, RETRY_AFTER_IN_PROGRESS_REFERENCE } from './headers.ts';
import type { JsonSchema } from './schemas.ts';

/** The page that explains reasons, relative to both /openapi.json and /docs. */
export const ERRORS_PAGE = 'docs/errors';

export const RATE_LIMIT_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

const ERROR = { $ref: '#/components/schemas/Error' };

/** Examples of the facts that a refusal has in addition to its link. */
const DETAILS: Partial<Record<Reason, ProblemDetails>> = {
  INSUFFICIENT_SCOPE: { scope: 'orders:write' },
  MERCHANT_NOT_ALLOWED: { merchant_external_id: 'roastery-north' },
  IMMUTABLE_FIELD: { field: 'body.buyer_external_id' },
  INVALID_STATUS_TRANSITION: { status: 'DISABLED', trigger: 'test', allowed: ['replace', 'unsubscribe'] },
  CURRENCY_NOT_ENABLED: { currency: 'JPY' },
  REFERENCED_ENTITY_NOT_FOUND: {
    field: 'body.buyer_external_id',
    value: 'cafe-morgenrott',
    remedy: 'No buyer has this external_id: register it first with POST /v1/buyers.',
  },
  REGISTRY_UNAVAILABLE: { registries: [{ registry: 'GLEIF', kind: 'TIMEOUT' }] },
  MERCHANT_NOT_ENROLLED: { merchant_external_id: 'roastery-north', status: 'INACTIVE' },
  NO_ACTIVE_FACILITY: { status: 'PENDING' },
  FACILITY_EXPIRED: { expires_at: 1_763_629_199 },
  FACILITY_EXCEEDED_AVAILABLE_AMOUNT: { requested: 11_900, available: 8_100, currency: 'EUR' },
  FACILITY_CURRENCY_CONFLICT: { facility_currency: 'GBP', currency: 'EUR' },
  BUYER_OVERDUE: { overdue_amount: 7_500, currency: 'EUR', days_past_due: 45 },
  PAYMENT_TERM_NOT_AVAILABLE: { payment_term: 'DEFER_120D', unavailable_reason: 'PRICE_CLASS' },
  OVERRIDE_REQUIRED: { limit_max: 2_500_000 },
  RISK_DECISION_ERROR: { cause: 'TIMEOUT' },
};

/** Every answer of a refused request, defined once and referenced. */
export interface RefusalBook {
  /** The answers of one operation, by status; each code with its reasons, if it has any. */
  printAll(problems: readonly (Reason | Code)[]): Record<string, JsonSchema>;
  responses(): Record<string, JsonSchema>;
  /** One example of each reason that occurs. */
  examples(): Record<string, JsonSchema>;
}

/** The answer to `If-None-Match` while the client's copy is valid. */
export const NOT_MODIFIED: JsonSchema = {
  description: 'The resource is the one that `If-None-Match` names.',
  headers: headerReferences(['Request-Id', 'ETag', ...RATE_LIMIT_HEADERS]),
};

/** More reasons than this make a long name, and occur in one operation only. */
const REASONS_SHARED_MAX = 2;

export function createRefusalBook(): RefusalBook {
  const responses = new Map<string, JsonSchema>();
  const examples = new Map<string, JsonSchema>();

  const print = (code: Code, named: readonly (Reason | Code)[]): JsonSchema => {
    const reasons = [...new Set(named.filter(isReason))].sort();
    for (const reason of reasons) examples.set(reason, exampleOfReason(reason));
    const mayLackReason = !named.every(isReason);
    const printed = reasons.length === 0 ? answer(code) : answerWithReasons(code, reasons, mayLackReason);
    if (reasons.length > REASONS_SHARED_MAX) return printed;
    const name = [code, ...reasons].map(pascalCase).join('');
    responses.set(name, printed);
    return { $ref: `#/components/responses/${name}` };
  };

  return {
    printAll(problems) {
      const byCode = Map.groupBy(problems, (problem) =>
        isReason(problem) ? REASONS[problem].code : problem,
      );
      const answers = [...byCode].map(([code, named]) => [CODES[code].status, print(code, named)] as const);
      return Object.fromEntries(answers.sort(([one], [other]) => one - other));
    },
    responses: () => sortedByName(responses),
    examples: () => sortedByName(examples),
  };
}

const sortedByName = (entries: Map<string, JsonSchema>) =>
  Object.fromEntries([...entries].sort(([one], [other]) => (one < other ? -1 : 1)));

function answer(code: Code): JsonSchema {
  return {
    description: CODES[code].when,
    headers: headerReferences(headersOf(code)),
    content: { 'application/json': { schema: ERROR, example: bodyOf(exampleOf(code)) } },
  };
}

function exampleOfReason(reason: Reason): JsonSchema {
  return {
    summary: REASONS[reason].when,
    value: bodyOf(refusal(reason, sentenceOf(reason), DETAILS[reason])),
  };
}

/** `BAD_REQUEST` → `BadRequest`. */
function pascalCase(code: string): string {
  return code
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('');
}

/** With `mayLackReason`, the code is also answered without a reason. */
function answerWithReasons(code: Code, reasons: readonly Reason[], mayLackReason: boolean): JsonSchema {
  const lines = reasons.map(
    (reason) => `- [\`${reason}\`](${ERRORS_PAGE}#${reason}): ${REASONS[reason].when}`,
  );
  const examples: [string, JsonSchema][] = reasons.map((reason) => [
    reason,
    { $ref: `#/components/examples/${reason}` },
  ]);
  if (mayLackReason) examples.unshift([code, { value: bodyOf(exampleOf(code)) }]);
  const lead = mayLackReason ? CODES[code].when : `${CODES[code].error}.`;
  return {
    description: `${lead}\n\n${lines.join('\n')}`,
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

/** The `error` of an answer has no full stop. That of a 401 is always the same. */
const sentenceOf = (reason: Reason) =>
  REASONS[reason].code === 'UNAUTHORIZED'
    ? CODES.UNAUTHORIZED.error
    : REASONS[reason].when.replace(/\.$/, '');

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

/** A 401 precedes all limits. Answers to requests that must be sent again later have Retry-After. */
function headersOf(code: Code): string[] {
  if (code === 'UNAUTHORIZED') return ['Request-Id', 'WWW-Authenticate'];
  const isLater = code === 'TOO_MANY_REQUESTS' || code === 'SERVICE_UNAVAILABLE';
  return ['Request-Id', ...(isLater ? ['Retry-After'] : []), ...RATE_LIMIT_HEADERS];
}
