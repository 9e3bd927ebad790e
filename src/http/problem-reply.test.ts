import { describe, expect, it } from 'vitest';
import { Problem, refusal } from '#kernel/problem';
import { isDefect, problemOf } from './problem-reply.ts';

const withCode = (code: string) => Object.assign(new Error('no connection'), { code });

describe('Whether an error is logged as a defect', () => {
  it.each<[what: string, status: number, isLogged: boolean, error: unknown]>([
    ['which the code does not expect', 500, true, new TypeError('x is not a function')],
    ['of a database that is away', 503, true, withCode('ECONNREFUSED')],
    [
      'that refuses a write on purpose while its platform relocates',
      503,
      false,
      new Problem('SERVICE_UNAVAILABLE'),
    ],
    ['that refuses what the caller sent', 409, false, refusal('EXTERNAL_ID_ALREADY_EXISTS', 'Taken')],
  ])('one %s, a %i: %s', (_, status, isLogged, error) => {
    const problem = problemOf(error);
    expect([problem.status, isDefect(error, problem)]).toEqual([status, isLogged]);
  });
});
