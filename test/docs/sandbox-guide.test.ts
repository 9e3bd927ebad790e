/** Runs the commands of docs/guides/sandbox.md as printed, on the demo. */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endPrograms, type RunningProgram, startProgram } from '#test/program';

const guide = readFileSync(new URL('../../docs/guides/sandbox.md', import.meta.url), 'utf8');
const blocks = [...guide.matchAll(/```bash\n(.*?)```/gs)].map(([, lines]) => lines as string);
const hasTools = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0);

describe('docs/guides/sandbox.md', () => {
  let program: RunningProgram;
  beforeAll(async () => {
    program = await startProgram();
  });
  afterAll(endPrograms);

  it('has commands that work as described', async ({ skip }) => {
    if (!hasTools) skip('no bash or no curl on this machine');
    const { stdout } = await promisify(execFile)('bash', ['-c', blocks.join('')], {
      env: { ...process.env, BASE: program.baseUrl, KEY: program.apiKey },
    });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const said = answers.map(({ code, status, transitions, now, items, external_id }) => {
      if (code) return code;
      if (transitions) return transitions.map(({ trigger }: { trigger: string }) => trigger).join(' ');
      if (items) return items.map(({ cause }: { cause: string }) => cause).join(' ');
      return status ?? external_id ?? typeof now;
    });
    expect(said).toEqual([
      'number',
      expect.any(String),
      'hotel-review-then-accept',
      'PENDING',
      expect.stringContaining('grant'),
      'ACTIVE',
      'PENDING_CONFIRMATION',
      expect.stringContaining('confirm expire'),
      'EXPIRED',
      expect.stringContaining('renew renew'),
      'ACTIVE',
      'RENEWED ORDER_FREED ORDER_RESERVED LIMIT_GRANTED',
      'FROZEN',
      'ACTIVE',
      'ACTIVE',
      'EXPIRED',
      'CONFLICT',
    ]);
    expect(answers.at(-2)).toMatchObject({ total_amount: 250_000, available_amount: 0 });
    expect(answers.at(-1).details.allowed).toEqual([]);
  });
});
