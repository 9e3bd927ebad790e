import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DescriptionCheck } from './check.ts';
import { command } from './command.ts';
import { pythonWith } from './python.ts';

/** A validator that is an npm package. It is installed in the cache because it has many dependencies. */
function npmValidator(
  packageName: string,
  version: string,
  binary: string,
  args: string[],
): DescriptionCheck {
  const prefixIn = (cache: string) => join(cache, 'npm', `${binary}-${version}`);
  const binaryIn = (cache: string) => join(prefixIn(cache), 'node_modules', '.bin', binary);
  return {
    name: binary,
    async prepare(cache) {
      const options = ['--no-fund', '--no-audit', '--loglevel', 'error', '--prefix', prefixIn(cache)];
      if (!existsSync(binaryIn(cache)))
        await command('npm', ['install', ...options, `${packageName}@${version}`]);
      return version;
    },
    async validate({ openapi, folder }, cache) {
      writeFileSync(join(folder, 'ruleset.yaml'), 'extends: spectral:oas\n');
      await command(binaryIn(cache), ['lint', openapi, ...args], { cwd: folder });
    },
  };
}

const SPEC_VALIDATOR = 'openapi-spec-validator==0.9.0';

export const validators: DescriptionCheck[] = [
  npmValidator('@redocly/cli', '2.77.0', 'redocly', []),
  npmValidator('@stoplight/spectral-cli', '6.16.3', 'spectral', ['--ruleset', 'ruleset.yaml']),
  {
    name: 'openapi-spec-validator',
    async prepare(cache) {
      await pythonWith(cache, SPEC_VALIDATOR);
      return SPEC_VALIDATOR.split('==')[1] as string;
    },
    async validate({ openapi }, cache) {
      const executable = join(cache, 'python', 'bin', 'python');
      await command(executable, ['-m', 'openapi_spec_validator', openapi]);
    },
  },
];
