import { readSettings } from '#config';
import type { Installation } from '../app.ts';

/** Works on the installation beside a running server, or alone where there is none. */
export async function withInstallation(work: (installation: Installation) => Promise<void>): Promise<void> {
  const settings = readSettings();
  // Loaded last: what is wrong with an option is said at once.
  const { openInstallation } = await import('../app.ts');
  const installation = await openInstallation(settings, { say: () => {}, mayAttach: true });
  try {
    await work(installation);
  } finally {
    await installation.close();
  }
}
