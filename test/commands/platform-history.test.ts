import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHere } from '#test/command';
import { type CommandResult, endPrograms, type RunningProgram, startProgram } from '#test/program';

const WHY = ['--reason', 'It is time.'];

let program: RunningProgram;
const run = (...args: string[]) => runHere(args, program.env);

beforeAll(async () => {
  program = await startProgram({ args: ['--empty'] });
});
afterAll(async () => {
  await program?.stop();
  await endPrograms();
});

describe('platform history and show', () => {
  const cellsOf = ({ stdout }: CommandResult) =>
    stdout
      .trimEnd()
      .split('\n')
      .map((row) => row.split(/ {2,}/));
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const cast = ['platform', 'create', '--code', 'cast', '--name', 'Cast', '--country', 'DE', '--currency'];

  it('print who set what from what to what, and why, as of any day', async () => {
    const { stdout } = await run(...cast, 'EUR', '--support-email', 'a@cast.example');
    expect(stdout).toMatch(/^Platform cast created/);
    const email = ['--email', 'ada@operators.example', '--role', 'ADMIN', ...WHY];
    const machine = { ...program.env };
    delete machine.TRADELINE_OPERATOR_KEY;
    const { stdout: shown } = await runHere(
      ['operator', 'add', 'ada', '--platform', 'cast', ...email],
      machine,
    );
    const env = { ...program.env, TRADELINE_OPERATOR_KEY: /tl_op_test_\w+/.exec(shown)?.[0] as string };
    const change = (...args: string[]) => runHere(['platform', 'update', 'cast', ...args, ...WHY], env);
    await change(
      '--name',
      'The Cast',
      '--support-email',
      'b@cast.example',
      '--support-email',
      'c@cast.example',
    );
    expect((await change('--max-payment-term', '60')).stderr).toBe('');

    const history = cellsOf(await run('platform', 'history', 'cast'));
    expect(history[0]).toEqual([
      'version',
      'valid_from',
      'setting',
      'before',
      'after',
      'set_by',
      'approved_by',
      'reason',
    ]);
    const rows = history.slice(1).map((row) => row.toSpliced(1, 1));
    expect(rows.find(([version, setting]) => version === '1' && setting === 'support_emails')).toEqual([
      '1',
      'support_emails',
      '-',
      'a@cast.example',
      'installation',
      '-',
      '-',
    ]);
    const by = ['operator:ada', '-', 'It is time.'];
    expect(rows.filter(([version]) => version !== '1')).toEqual([
      ['2', 'name', 'Cast', 'The Cast', ...by],
      ['2', 'support_emails', 'a@cast.example', 'b@cast.example, c@cast.example', ...by],
      ['3', 'max_payment_term', '120', '60', ...by],
    ]);
    expect(cellsOf(await run('platform', 'show', 'cast', '--at', day(0)))).toEqual(
      expect.arrayContaining([
        ['name', 'The Cast'],
        ['max_payment_term', '60'],
        ['support_emails', 'b@cast.example, c@cast.example'],
        ['has_erp_configuration', 'off'],
      ]),
    );
    expect((await run('platform', 'show', 'cast', '--at', day(-2))).stderr).toBe(
      'The settings of cast on that day are not known: see tradeline platform history cast.\n',
    );
    expect((await run('platform', 'show', 'cast', '--at', day(2))).stderr).toBe(
      '--at must be a day that has begun.\n',
    );
  });

  it('the audit log has the values too, of an address only what its owner recognizes', async () => {
    const { stdout } = await run('audit', 'list', '--platform', 'cast', '--json');
    const changed = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .find(({ action }) => action === 'PLATFORM_SETTINGS_CHANGED');
    expect(changed).toMatchObject({
      reason: 'It is time.',
      details: {
        before: { name: 'Cast', support_emails: ['a•••@c•••.example'] },
        after: { name: 'The Cast', support_emails: ['b•••@c•••.example', 'c•••@c•••.example'] },
      },
    });
    expect(stdout).not.toContain('@cast.example');
  });
});
