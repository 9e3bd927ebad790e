/** The operator and the audit log of a sandbox that was never set up. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHere, secondOperator } from '#test/command';
import { endPrograms, type RunningProgram, runCommand, startProgram } from '#test/program';

afterAll(endPrograms);

describe('a sandbox', () => {
  let program: RunningProgram;
  beforeAll(async () => {
    program = await startProgram({ args: ['--empty'] });
  });

  it('has one operator after its first start, whose key every start shows until it is replaced', async () => {
    const key = program.env.TRADELINE_OPERATOR_KEY as string;
    expect(program.output()).toContain(key);
    expect(await secondOperator(program.env)).not.toEqual(program.env);
    const rotated = await runCommand(['operator', 'rotate-key'], program.env);
    expect(rotated).toMatchObject({ code: 0, stderr: '' });
    await program.stop();
    const again = await startProgram({ dataDir: program.dataDir });
    expect(again.output()).not.toContain('tl_op_test_');
    expect(again.env.TRADELINE_OPERATOR_KEY).toBeUndefined();
    // This is the first start with the demo.
    const { stdout } = await runHere(['audit', 'list', '--json'], again.env);
    const entries = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(entries.filter(({ action }) => action === 'REGISTRY_IMPORTED')).toMatchObject([
      {
        actor: 'installation',
        subject: 'registry file demo-companies.csv',
        details: {
          sha256: expect.stringMatching(/^[\da-f]{64}$/),
          registries: ['DEMO'],
          records_read: 2_685,
          records_refused: 0,
        },
      },
    ]);
    await again.stop();
  });
});
