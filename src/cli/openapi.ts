/** `tradeline openapi`: prints the API description (openapi.json). */
import { readOptions } from './arguments.ts';
import { commandWithoutVerbs } from './command.ts';

export const openapiCommand = commandWithoutVerbs(async (args) => {
  readOptions({ args });
  const [{ describeApi }, { v1 }] = await Promise.all([import('#api/openapi'), import('#api/v1')]);
  process.stdout.write(`${JSON.stringify(describeApi(v1), null, 2)}\n`);
});
