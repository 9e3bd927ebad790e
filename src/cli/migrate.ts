/** `tradeline migrate` */
import { parseArgs } from 'node:util';
import { readSettings } from '#config';
import { openInstallation } from '../app.ts';

export async function run(args: string[]): Promise<void> {
  parseArgs({ args });
  const installation = await openInstallation(readSettings(), { say: console.log, mayAttach: true });
  await installation.close();
  console.log('The database is up to date.');
}
