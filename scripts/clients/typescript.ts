import { copyFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { type ClientCheck, environmentOf, ROUND_TRIPS } from './check.ts';
import { command } from './command.ts';

const { version: generatorVersion } = createRequire(import.meta.url)('openapi-typescript/package.json');

/** Types from openapi-typescript, used by a typed fetch. Everything it needs is a dependency of this repository. */
export const typescript: ClientCheck = {
  name: 'TypeScript',

  async prepare() {
    return `openapi-typescript ${generatorVersion}, TypeScript ${ts.version}`;
  },

  async generate({ openapi, folder }) {
    writeFileSync(join(folder, 'api.ts'), astToString(await openapiTypescript(pathToFileURL(openapi))));
    copyFileSync(new URL('round-trip.mts', ROUND_TRIPS), join(folder, 'round-trip.mts'));
  },

  async compile({ folder, root }) {
    const options = ['--strict', '--noEmit', '--allowImportingTsExtensions', '--target', 'esnext'];
    const nodeTypes = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
    const modules = ['--module', 'nodenext', '--erasableSyntaxOnly', '--verbatimModuleSyntax'];
    const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript')), 'tsc.js');
    const args = [compiler, ...options, ...modules, ...nodeTypes, 'round-trip.mts'];
    await command(process.execPath, args, { cwd: folder });
  },

  roundTrip({ folder }, server) {
    return command(process.execPath, ['round-trip.mts'], { cwd: folder, env: environmentOf(server) });
  },
};
