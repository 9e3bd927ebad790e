import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ClientCheck, environmentOf, ROUND_TRIPS } from './check.ts';
import { command } from './command.ts';

const GENERATOR = 'openapi-python-client==0.29.1';

/** The Python of the cache's virtual environment, with this package in it. */
export async function pythonWith(cache: string, requirement: string): Promise<string> {
  const environment = join(cache, 'python');
  const python = join(environment, 'bin', 'python');
  if (!existsSync(python)) await command('python3', ['-m', 'venv', environment]);
  const args = ['install', '--quiet', '--disable-pip-version-check', requirement];
  await command(python, ['-m', 'pip', ...args]);
  return python;
}

export const python: ClientCheck = {
  name: 'Python',

  async prepare(cache) {
    await command('python3', ['--version']);
    const version = await command(await pythonWith(cache, GENERATOR), ['--version']);
    return `${GENERATOR.replace('==', ' ')}, ${version}`;
  },

  // The generator skips what it cannot generate, with a warning. Its formatter is not run, because it also warns if it is missing.
  async generate({ openapi, folder }, cache) {
    writeFileSync(join(folder, 'config.yaml'), 'post_hooks: []\n');
    const output = ['--output-path', join(folder, 'tradeline'), '--meta', 'none', '--config', 'config.yaml'];
    const generator = join(cache, 'python', 'bin', 'openapi-python-client');
    await command(generator, ['generate', '--fail-on-warning', '--path', openapi, ...output], {
      cwd: folder,
    });
    copyFileSync(new URL('round_trip.py', ROUND_TRIPS), join(folder, 'round_trip.py'));
  },

  async compile({ folder }, cache) {
    const executable = join(cache, 'python', 'bin', 'python');
    await command(executable, ['-m', 'compileall', '-q', '.'], { cwd: folder });
    await command(executable, ['-c', IMPORT_ALL], { cwd: folder });
  },

  roundTrip({ folder }, server, cache) {
    const executable = join(cache, 'python', 'bin', 'python');
    return command(executable, ['round_trip.py'], { cwd: folder, env: environmentOf(server) });
  },
};

const IMPORT_ALL = `
import importlib, pkgutil, tradeline
for module in pkgutil.walk_packages(tradeline.__path__, 'tradeline.'):
    importlib.import_module(module.name)
`;
