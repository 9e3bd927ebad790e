/**
 * Every way a request can fail: a code, often a reason, and what a person and a program need to know. The HTTP layer answers
 * from it.
 */
import { CODES, type Code, type Explained, type IssueCode } from './problem-codes.ts';
import { REASONS, type Reason } from './problem-reasons.ts';

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

  /** What the caller can do: the remedy of this case, otherwise of its reason, otherwise of its code. */
  get remedy(): string | undefined {
    const { remedy }: Explained = this.reason ? REASONS[this.reason] : CODES[this.code];
    return (this.details?.remedy as string | undefined) ?? remedy;
  }
}

/** A 403, 409, 422 or 424, as the reason's row in the table says. `error` is the sentence for the caller. */
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

/** What `work` returns, or the problem that it throws. For batches in which single items may be refused. */
export function orProblem<T>(work: () => T): T | Problem {
  try {
    return work();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}
