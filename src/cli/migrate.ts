/** `tradeline migrate` */
import { parseArgs } from 'node:util';
import { readSettings } from '#config';

export async function migrateCommand(args: string[]): Promise<void> {
  parseArgs({ args });
  const settings = readSettings();
  const { openInstallation } = await import('../app.ts');
  const installation = await openInstallation(settings, { report: console.log, mayAttach: true });
  await installation.close();
  console.log('The database is up to date.');
}
