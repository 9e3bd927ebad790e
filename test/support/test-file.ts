/** Runs before each test file: sets its time limits, and makes a test that fails while waiting report the wait. */
import { beforeEach, vi } from 'vitest';
import { endWorkerWithRun } from './children.ts';
import { patience } from './patience.ts';
import { waitsUnderWay } from './until.ts';

vi.setConfig({ testTimeout: patience(30), hookTimeout: patience(60) });

beforeEach(({ task, onTestFailed }) => {
  onTestFailed(() => {
    const waits = waitsUnderWay();
    if (waits.length > 0) console.error(`“${task.name}” still waits\n  ${waits.join('\n  ')}`);
  });
});

endWorkerWithRun();
