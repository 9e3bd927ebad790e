/** Answers a request with a Problem: status, body, headers. */
import { type Static, Type } from 'typebox';
import { isDatabaseAway } from '#infra/database/database';
import { closed, named, oneOf } from '#kernel/fields';
import { invalidRequest, Problem } from '#kernel/problem';
import { CODES, ISSUE_CODES } from '#kernel/problem-codes';
import { REASONS } from '#kernel/problem-reasons';

type Keys<T> = (keyof T & string)[];

export const IssueSchema = closed(
  {
    code: named('IssueCode', oneOf(Object.keys(ISSUE_CODES) as Keys<typeof ISSUE_CODES>)),
    path: Type.String({ description: 'The path of the issue: body.line_items.0.price' }),
    message: Type.String(),
  },
  'Issue',
);

export const ErrorSchema = Type.Object(
  {
    error: Type.String({ description: 'A sentence for a person' }),
    code: named('ErrorCode', oneOf(Object.keys(CODES) as Keys<typeof CODES>)),
    reason: Type.Optional(named('ErrorReason', oneOf(Object.keys(REASONS) as Keys<typeof REASONS>))),
    issues: Type.Optional(Type.Array(IssueSchema)),
    details: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'Facts for a program; `docs` links to the explanation, `remedy` is a sentence on what to do',
      }),
    ),
  },
  { additionalProperties: false, title: 'Error' },
);
export type ErrorBody = Static<typeof ErrorSchema>;

/** Seconds after which a client may try again while the database is away. */
const DATABASE_RETRY_AFTER_SECONDS = 1;

/**
 * Whether the error behind the problem is logged as an error of the service or its database. Deliberate refusals are not, such as those
 * during overload or while a platform relocates.
 */
export const isDefect = (error: unknown, { status }: Problem): boolean =>
  status >= 500 && !(error instanceof Problem);

/** Turns a thrown value into the problem to answer. An unexpected error becomes a 500 without detail. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isDatabaseAway(error))
    return new Problem('SERVICE_UNAVAILABLE', { retryAfterSeconds: DATABASE_RETRY_AFTER_SECONDS });
  switch ((error as { code?: string } | null)?.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem('PAYLOAD_TOO_LARGE');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem('UNSUPPORTED_MEDIA_TYPE');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return invalidRequest([
        { code: 'INVALID_VALUE', path: 'headers.content-length', message: 'must be the length of the body' },
      ]);
    case 'FST_ERR_BAD_URL':
      return invalidRequest([
        { code: 'INVALID_FORMAT', path: 'params', message: 'the path is not valid percent-encoded UTF-8' },
      ]);
    default:
      return new Problem('INTERNAL_ERROR');
  }
}

/** @param docsUrl The page that explains each code and reason, at an anchor of its name. */
export function errorBody(problem: Problem, requestId: string, docsUrl: string): ErrorBody {
  const { remedy } = problem;
  const details = {
    ...problem.details,
    ...(problem.code === 'INTERNAL_ERROR' && { request_id: requestId }),
    ...(remedy !== undefined && { remedy }),
    docs: `${docsUrl}#${problem.reason ?? problem.code}`,
  };
  return {
    error: problem.message,
    code: problem.code,
    ...(problem.reason && { reason: problem.reason }),
    ...(problem.issues && { issues: problem.issues }),
    details,
  };
}
