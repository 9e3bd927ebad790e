import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { runHere, secondOperator } from '#test/command';
import { endPrograms, type RunningProgram, startProgram } from '#test/program';
import { get, post } from '#test/program-requests';

let program: RunningProgram;
let ben: Record<string, string>;
const run = (...args: string[]) => runHere(['review', ...args], program.env);
/** The same command, run by a second operator. */
const runAsBen = (...args: string[]) => runHere(['review', ...args], ben);

beforeAll(async () => {
  program = await startProgram();
  ben = await secondOperator(program.env);
});
afterAll(async () => {
  await program?.stop();
  await endPrograms();
});

const DAY = 86_400;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const WHY = ['--reason', 'Called the owner.'];
const facility = async (buyer: string) => (await get(program, `/v1/buyers/${buyer}/facility`)).body;

/** Creates a review of a buyer that requests 700.00. */
async function apply(buyer: string): Promise<string> {
  await post(program, '/v1/buyers', buyerBody({ external_id: buyer }));
  const { status } = await post(program, `/v1/buyers/${buyer}/facility`, { requested_amount: 70_000 });
  expect(status).toBe(202);
  const { stdout } = await run('list', '--buyer', buyer);
  return /[\da-f-]{36}/.exec(stdout)?.[0] as string;
}

describe('review list', () => {
  it('shows what waits for a person', async () => {
    const review = await apply('a-in-review');
    const { code, stdout, stderr } = await run('list', '--buyer', 'a-in-review');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [head = '', row = '', ...rest] = stdout.trimEnd().split('\n');
    expect(head.split(/ +/).slice(0, 4)).toEqual(['review', 'status', 'subject', 'buyer']);
    expect(row.split(/ +/).slice(0, 7)).toEqual([
      review,
      'OPEN',
      'FACILITY_CREATION',
      'a-in-review',
      '-',
      'EUR',
      '700.00',
    ]);
    expect(rest).toEqual([]);
  });
});

describe('review show', () => {
  it('prints the reasons, the policy’s input and the history', async () => {
    const review = await apply('b-in-review');
    const { stdout } = await run('show', '--review', review);
    expect(stdout).toMatch(/^buyer +b-in-review$/m);
    expect(stdout).toContain('SANDBOX_SCRIPT: An outcome script of the sandbox decided');
    expect(stdout).toMatch(/^ {2}requested_amount +700$/m);
    expect(stdout).toMatch(/ open +OPEN +/);
  });

  it('refuses an unknown review', async () => {
    const id = UNKNOWN;
    expect(await run('show', '--review', id)).toMatchObject({
      code: 1,
      stderr: `There is no review ${id} on demo: see tradeline review list.\n`,
    });
  });
});

describe('review decide', () => {
  it('decides by the clock of the platform', async () => {
    const review = await apply('c-in-review');
    const { body } = await post(program, '/v1/sandbox/clock', { advance_seconds: 3 * DAY });
    const decided = await run(
      'decide',
      '--review',
      review,
      '--outcome',
      'accept',
      '--limit',
      '600.00',
      ...WHY,
    );
    expect(decided).toMatchObject({
      code: 0,
      stdout: `Review ${review} (FACILITY_CREATION of c-in-review): accepted, 600.00 EUR.\n`,
    });
    const granted = await facility('c-in-review');
    expect(granted).toMatchObject({ status: 'ACTIVE', total_amount: 60_000 });
    expect(granted.reviewed_at - body.now).toBeGreaterThanOrEqual(0);
    expect(granted.reviewed_at - body.now).toBeLessThan(60);
  });

  it('gives the reason of a refusal', async () => {
    const review = await apply('d-in-review');
    const beyond = await run(
      'decide',
      '--review',
      review,
      '--outcome',
      'accept',
      '--limit',
      '700.01',
      ...WHY,
    );
    expect(beyond).toMatchObject({
      code: 1,
      stderr: 'This goes beyond what the policy proposed and needs a second person.\n',
    });
    await run('decide', '--review', review, '--outcome', 'reject', ...WHY);
    expect((await facility('d-in-review')).status).toBe('REJECTED');
    const again = await run('decide', '--review', review, '--outcome', 'accept', ...WHY);
    expect(again.stderr).toBe('Credit review in status DECIDED does not allow this.\n');
  });

  it.each([
    [['--outcome', 'maybe'], '--outcome must be accept or reject.'],
    [['--outcome', 'accept'], '--review is required: the id of a review: see tradeline review list.'],
    [
      ['--outcome', 'accept', '--review', '7'],
      '--review must be the id of a review: see tradeline review list.',
    ],
    [
      ['--outcome', 'accept', '--limit', '70000', '--review', UNKNOWN, ...WHY],
      '--limit must be an amount of EUR with 2 decimals, such as 25,000.00.',
    ],
  ])('%j is refused', async (args, sentence) => {
    expect(await run('decide', ...args)).toMatchObject({ code: 2, stderr: `${sentence}\n` });
  });

  it('needs a reason', async () => {
    const options = ['decide', '--review', '00000000-0000-4000-8000-000000000000', '--outcome', 'accept'];
    expect((await run(...options)).stderr).toMatch(/^--reason is required/);
    expect((await run(...options, '--reason', ' ')).stderr).toMatch(/^--reason must be/);
  });
});

describe('review override, approve and refuse', () => {
  it('grants more than the policy only with two operators', async () => {
    const review = await apply('e-in-review');
    const options = ['override', '--review', review, '--limit', '9,000.00'];
    expect((await run(...options, ...WHY)).stdout).toBe(
      `Review ${review} (FACILITY_CREATION of e-in-review): 9,000.00 EUR wait for the approval of a second operator.\n`,
    );
    expect((await runAsBen('refuse', '--review', review, ...WHY)).stdout).toContain('is OPEN.');
    await run(...options, ...WHY);
    expect(await run('approve', '--review', review, ...WHY)).toMatchObject({
      code: 1,
      stderr: 'The person who proposed an override cannot approve it.\n',
    });
    expect((await runAsBen('approve', '--review', review, ...WHY)).stdout).toContain(
      'accepted, 9,000.00 EUR',
    );
    expect(await facility('e-in-review')).toMatchObject({ status: 'ACTIVE', total_amount: 900_000 });
  });

  it('goes against a refusal', async () => {
    await post(program, '/v1/buyers', buyerBody({ external_id: 'f-rejected' }));
    await post(program, '/v1/buyers/f-rejected/facility', {});
    const proposed = await run('override', '--buyer', 'f-rejected', '--limit', '300.00', ...WHY);
    const review = /[\da-f-]{36}/.exec(proposed.stdout)?.[0] as string;
    await runAsBen('approve', '--review', review, ...WHY);
    expect(await facility('f-rejected')).toMatchObject({ status: 'ACTIVE', total_amount: 30_000 });
    expect((await run('override', '--buyer', 'f-rejected', '--limit', '0.01', ...WHY)).stderr).toBe(
      'The last decision about f-rejected on demo was not a rejection by the policy.\n',
    );
  });

  it('needs a review or a buyer, and not both', async () => {
    for (const which of [[], ['--review', 'a', '--buyer', 'b']])
      expect((await run('override', '--limit', '0.01', ...which, ...WHY)).stderr).toMatch(
        /^Give --review, or --buyer for/,
      );
  });
});

it('review prints its usage', async () => {
  expect(await run()).toMatchObject({
    code: 2,
    stderr: 'Name a subcommand: tradeline review list, show, decide, override, approve or refuse.\n',
  });
});
