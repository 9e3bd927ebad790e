/** `npm run test:fast`: runs types, lint, dependency rules and the pure tests in parallel. Prints what failed. */
import { execFile } from 'node:child_process';

const CHECKS: [name: string, command: string, ...args: string[]][] = [
  ['types', 'npm', 'run', '--silent', 'check:types'],
  ['lint', 'npm', 'run', '--silent', 'check:lint'],
  ['dependency rules', 'npm', 'run', '--silent', 'check:dependencies'],
  ['pure tests', 'vitest', 'run', '--config', 'vitest.fast.config.ts'],
];

const startedAtMs = performance.now();
const seconds = () => ((performance.now() - startedAtMs) / 1_000).toFixed(1);

await Promise.all(
  CHECKS.map(
    ([name, command, ...args]) =>
      new Promise<void>((resolve) => {
        execFile(command, args, { maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
          const lines = stdout.trimEnd().split('\n');
          console.log(`${error ? 'FAILED' : 'passed'} ${name} after ${seconds()} s: ${lines.at(-1)}`);
          if (error) {
            process.exitCode = 1;
            console.log(`${stdout}\n${stderr}`);
          }
          resolve();
        });
      }),
  ),
);
