import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ClientCheck, environmentOf, ROUND_TRIPS } from './check.ts';
import { command } from './command.ts';

const GENERATOR_VERSION = '2.8.2';
const GENERATOR = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v${GENERATOR_VERSION}`;
const MODULE = `module example.com/client

go 1.24.0

require github.com/oapi-codegen/runtime v1.8.0
`;
// Without skip-prune, schemas that only events use are left out.
const CONFIGURATION = `package: tradeline
output: tradeline/client.gen.go
generate: {models: true, client: true}
output-options: {skip-prune: true}
`;

const generatorIn = (cache: string) => join(cache, 'go', `oapi-codegen-${GENERATOR_VERSION}`);

export const go: ClientCheck = {
  name: 'Go',

  async prepare(cache) {
    const version = await command('go', ['env', 'GOVERSION']);
    const folder = generatorIn(cache);
    if (!existsSync(join(folder, 'oapi-codegen')))
      await command('go', ['install', GENERATOR], { env: { GOBIN: folder } });
    return `oapi-codegen ${GENERATOR_VERSION}, ${version}`;
  },

  async generate({ openapi, folder }, cache) {
    mkdirSync(join(folder, 'tradeline'));
    writeFileSync(join(folder, 'config.yaml'), CONFIGURATION);
    writeFileSync(join(folder, 'go.mod'), MODULE);
    copyFileSync(new URL('main.go', ROUND_TRIPS), join(folder, 'main.go'));
    await command(join(generatorIn(cache), 'oapi-codegen'), ['-config', 'config.yaml', openapi], {
      cwd: folder,
    });
  },

  async compile({ folder }) {
    await command('go', ['mod', 'tidy'], { cwd: folder });
    await command('go', ['vet', './tradeline'], { cwd: folder });
    await command('go', ['build', '-o', 'round-trip', '.'], { cwd: folder });
  },

  roundTrip({ folder }, server) {
    return command(join(folder, 'round-trip'), [], { env: environmentOf(server) });
  },
};
