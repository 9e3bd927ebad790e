/** The form of every refusal, regardless of its cause. */
import { Ajv } from 'ajv';
import { expect } from 'vitest';
import { ErrorSchema } from '#http/problem-reply';
import { CODES, type Code } from '#kernel/problem-codes';
import { REASONS, type Reason } from '#kernel/problem-reasons';

const fits = new Ajv({ allErrors: true, strict: false }).compile(ErrorSchema);

export interface Answered {
  status: number;
  headers: Headers;
  text: string;
}

/** The body of a 404 for the addressed thing. */
export const NOT_FOUND = {
  error: 'No entity found',
  code: 'NOT_FOUND',
  details: { docs: expect.stringMatching(/^http.+\/docs\/errors#NOT_FOUND$/) },
};

/** The body of a 404 for an entity that a field of the request names. */
export const notFoundNamed = (field: string, value: string) => ({
  ...NOT_FOUND,
  details: { ...NOT_FOUND.details, field, value, remedy: expect.stringMatching(/\.$/) },
});

/** Expects the documented form of every 4xx and 5xx answer, and returns the body. */
export function expectProblem(answer: Answered, code?: Code, reason?: Reason) {
  const faults = faultsOfProblem(answer);
  if (faults !== '') expect.fail(`${answer.status} ${answer.text.slice(0, 500)}: ${faults}`);
  const body = JSON.parse(answer.text);
  if (code !== undefined) expect(body).toMatchObject({ code, ...(reason !== undefined && { reason }) });
  return body;
}

/** The faults in the form of a refusal; '' if there are none. */
export function faultsOfProblem({ status, headers, text }: Answered): string {
  if (!/^req_[\da-f-]{36}$/.test(headers.get('request-id') ?? '')) return 'has no Request-Id';
  if (headers.get('content-type') !== 'application/json; charset=utf-8') return 'is not of the type JSON';
  let body: { code: Code; reason?: Reason; issues?: { path: string }[]; error: string };
  try {
    body = JSON.parse(text);
  } catch {
    return 'is not JSON';
  }
  if (!fits(body)) return JSON.stringify(fits.errors);
  if (CODES[body.code].status !== status) return `has the code of a ${CODES[body.code].status}`;
  if (body.reason && REASONS[body.reason].code !== body.code) return `has a reason of another code`;
  const count = Number(/^(\d+) validation issues?$/.exec(body.error)?.[1] ?? 0);
  if (count !== (body.issues?.length ?? 0)) return 'miscounts its issues';
  if (body.issues?.some(({ path }) => !/^(body|params|query|headers)(\.|$)/.test(path)))
    return 'has an issue without a place';
  if (/\bat \S+ \(|node_modules|postgres|select |insert |\bpg_|\/src\//i.test(body.error))
    return 'tells of the inside';
  return '';
}
