import { readSettings } from '#config';
import { openInstallation } from '../app.ts';

export async function run(): Promise<void> {
  const installation = await openInstallation(readSettings(), { say: console.log, mayAttach: true });
  await installation.close();
  console.log('The database is up to date.');
}
