/** `tradeline migrate` */
import { readOptions } from './arguments.ts';
import { commandWithoutVerbs } from './command.ts';
import { describeData, readCommandSettings } from './data-of-command.ts';

export const migrateCommand = commandWithoutVerbs(async (args) => {
  readOptions({ args });
  const settings = readCommandSettings();
  const { openInstallation } = await import('../app.ts');
  const installation = await openInstallation(settings, { report: console.log, mayAttach: true });
  await installation.close();
  console.log(`Up to date: ${describeData(settings)}.`);
});
