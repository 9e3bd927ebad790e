import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endPrograms, type RunningProgram, runCommand, startProgram } from '#test/program';
import { get } from '#test/program-requests';

const NORTH = ['--merchant', 'roastery-north'];

let program: RunningProgram;
beforeAll(async () => {
  program = await startProgram();
});
afterAll(async () => {
  await program?.stop();
  await endPrograms();
});

const run = (...args: string[]) => runCommand(['merchant', ...args], program.env);
const linesOf = async (...args: string[]) => (await run('list', ...args)).stdout.trimEnd().split('\n');

describe('merchant list', () => {
  it('shows every merchant in a line of a table, or those of a status', async () => {
    const [head, ...rows] = await linesOf();
    expect(head).toMatch(/^merchant +status +name +country +created +updated$/);
    expect(rows).toHaveLength(3);
    expect(rows).toContainEqual(expect.stringMatching(/^roastery-north +ENROLLED +Nordlicht +DE /));
    expect(await linesOf('--status', 'PENDING,INACTIVE')).toEqual(['There is no such merchant.']);
  });

  it('refuses a status that no merchant has', async () => {
    expect(await run('list', '--status', 'GONE')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^--status must be one of ENROLLED, PENDING, INACTIVE\.\n/),
    });
  });
});

describe('merchant deactivate and activate', () => {
  it('change the status, which the API shows', async () => {
    const statusOf = async () => (await get(program, '/v1/merchants/roastery-north')).body.status;
    const reason = ['--reason', 'The contract has ended.'];
    expect(await run('deactivate', ...NORTH, ...reason)).toMatchObject({
      ...{ code: 0, stdout: 'The merchant roastery-north is INACTIVE.\n' },
    });
    expect(await statusOf()).toBe('INACTIVE');
    expect((await linesOf('--status', 'INACTIVE'))[1]).toMatch(/^roastery-north +INACTIVE /);
    expect(await run('deactivate', ...NORTH, ...reason)).toMatchObject({
      code: 1,
      stderr: 'Merchant in status INACTIVE does not allow this.\n',
    });
    expect((await run('activate', ...NORTH, ...reason)).stdout).toBe(
      'The merchant roastery-north is ENROLLED.\n',
    );
    expect(await statusOf()).toBe('ENROLLED');
  });

  it.each([
    [['activate', ...NORTH], '--reason is required: '],
    [['activate', '--reason', 'x'], '--merchant is required: '],
    [['activate', '--merchant', 'nobody', '--reason', 'x'], 'There is no merchant nobody on demo.'],
    [['remove'], 'Name a subcommand: tradeline merchant list, activate or deactivate.'],
  ])('with %j is refused with one sentence', async (args, sentence) => {
    const { code, stderr } = await run(...args);
    expect({ code, sentence: stderr.slice(0, sentence.length) }).toEqual({
      ...{ code: expect.toBeOneOf([1, 2]), sentence },
    });
  });
});
