/** The other checks that a change must pass: types, lint and format, dependency rules, and no stale generated file. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, it } from 'vitest';
import { patience } from '#test/patience';

const root = fileURLToPath(new URL('..', import.meta.url));

describe('npm run check', () => {
  it.each(['check:types', 'check:lint', 'check:dependencies', 'check:generated'])(
    '%s finds nothing',
    async (script) => {
      try {
        await promisify(execFile)('npm', ['run', '--silent', script], { cwd: root });
      } catch (error) {
        const { stdout, stderr } = error as { stdout: string; stderr: string };
        throw new Error(`npm run ${script}\n${stdout}${stderr}`);
      }
    },
    patience(120),
  );
});
