import { readSettings } from '#config';
import { type Installation, openInstallation } from '../app.ts';

/** Works on the installation beside a running server, or alone where there is none. */
export async function withInstallation(work: (installation: Installation) => Promise<void>): Promise<void> {
  const installation = await openInstallation(readSettings(), { say: () => {}, mayAttach: true });
  try {
    await work(installation);
  } finally {
    await installation.close();
  }
}
