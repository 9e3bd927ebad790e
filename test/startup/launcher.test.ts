import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { isAlive } from '#infra/embedded-postgres/leftovers';
import { endWithWorker } from '#test/children';
import { processesBelow, untilNothingRunsBelow } from '#test/embedded-postgres-processes';
import { endPrograms, startProgram, temporaryFolder } from '#test/program';
import { until } from '#test/until';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const hasPackagedNode = existsSync(join(ROOT, 'node_modules', '.bin', 'node'));

const dataDir = join(temporaryFolder(), 'data');

afterAll(endPrograms);

// macOS has no packaged Node yet, so the launcher can only report it.
describe.skipIf(!hasPackagedNode)('under a Node older than 24', () => {
  it.each([
    [['help'], { code: 0, stdout: expect.stringMatching(/^Usage: tradeline/), stderr: '' }],
    [
      ['nonsense'],
      { code: 2, stdout: '', stderr: 'There is no command "nonsense": see `tradeline help`.\n' },
    ],
    [['key'], { code: 2, stdout: '', stderr: expect.stringMatching(/^Name a subcommand: /) }],
  ])('a command %j runs on the packaged Node, and its exit code comes through', async (args, expected) => {
    const launched = launch(args);
    expect({ code: await launched.exited, ...launched.output }).toEqual(expected);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s reaches the service, which stops well',
    async (signal) => {
      const { launched } = await launchService();
      launched.process.kill(signal);
      expect(await launched.exited).toBe(0);
      expect(launched.output.stdout).toContain('Stopping …');
      expect(processesBelow(dataDir)).toEqual([]);
    },
  );

  it('killed, it takes the service with it, and the next start works at once', async () => {
    const { launched, servicePid } = await launchService();
    expect(servicePid).not.toBe(launched.process.pid);
    launched.process.kill('SIGKILL');
    await until(() => !isAlive(servicePid));
    const again = await startProgram({ dataDir });
    await again.stop();
    await untilNothingRunsBelow(dataDir);
  });
});

describe('under npm', () => {
  // A shell between npm and the launcher: it has more to do afterwards, so it does not replace itself with the launcher.
  const shell = () => {
    const readyFile = join(temporaryFolder(), 'ready.json');
    const child = spawn('/bin/sh', ['-c', '"$0" src/main.ts serve --empty; exit $?', process.execPath], {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        TRADELINE_DATA_DIR: dataDir,
        TRADELINE_READY_FILE: readyFile,
        npm_lifecycle_event: 'start',
      },
      stdio: 'ignore',
    });
    return { child: endWithWorker(child), readyFile };
  };

  it.each(['SIGTERM', 'SIGKILL'] as const)('%s to its shell alone stops the service', async (signal) => {
    const { child, readyFile } = shell();
    await until(() => existsSync(readyFile));
    child.kill(signal);
    await until(() => !existsSync(readyFile));
    await untilNothingRunsBelow(dataDir);
  });
});

/** The launcher in a Node that reports an older version. */
function launch(args: string[], env: Record<string, string> = {}) {
  const pretend = `data:text/javascript,${encodeURIComponent(
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })",
  )}`;
  const child = spawn(process.execPath, ['--import', pretend, join(ROOT, 'bin', 'tradeline.js'), ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithWorker(child);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  const exited = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  return { process: child, output, exited };
}

async function launchService() {
  const readyFile = join(temporaryFolder(), 'ready.json');
  const launched = launch(['serve', '--empty'], {
    PORT: '0',
    TRADELINE_DATA_DIR: dataDir,
    TRADELINE_READY_FILE: readyFile,
  });
  await until(() => existsSync(readyFile));
  return { launched, servicePid: JSON.parse(readFileSync(readyFile, 'utf8')).pid as number };
}
