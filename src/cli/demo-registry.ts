/** The invented companies that a sandbox comes with, so that a search finds something before any register is imported. */
import { fileURLToPath } from 'node:url';
import { ImportUnderWay, importRegistry } from '#modules/registry';
import type { Installation } from '../app.ts';

const FILE = fileURLToPath(new URL('../../registry/demo-companies.csv', import.meta.url));

/** Reads registry/demo-companies.csv, or goes on with it after a kill; does nothing where that has been done before. */
export async function loadDemoRegistry({ db, clock }: Pick<Installation, 'db' | 'clock'>): Promise<void> {
  const request = { path: FILE, format: 'csv', refusedPath: null, isRestarted: false } as const;
  try {
    await importRegistry(db, clock, {
      ...request,
      onProgress: () => {},
      signal: new AbortController().signal,
    });
  } catch (error) {
    // Another server, started at the same time on the same database, does it. What it has committed by now is more than
    // the beginning of the file, where the companies of the demo story stand.
    if (!(error instanceof ImportUnderWay)) throw error;
  }
}
