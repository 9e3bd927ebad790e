/** `tradeline migrate` */
import { parseArgs } from 'node:util';
import { readSettings } from '#config';
import { commandWithoutVerbs } from './command.ts';

export const migrateCommand = commandWithoutVerbs(async (args) => {
  parseArgs({ args });
  const settings = readSettings();
  const { openInstallation } = await import('../app.ts');
  const installation = await openInstallation(settings, { report: console.log, mayAttach: true });
  await installation.close();
  console.log('The database is up to date.');
});
