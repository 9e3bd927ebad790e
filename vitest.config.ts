import { defineConfig } from 'vitest/config';
import { ClosingLine } from './test/support/closing-line.ts';
import { UnderWay } from './test/support/under-way.ts';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/postgres.ts'],
    // Among others the time limits, which grow with how slow the machine is.
    // A package means the same as in the program: Node does not unwrap `default`.
    deps: { interopDefault: false },
    setupFiles: ['test/support/test-file.ts'],
    pool: 'forks',
    // A core is not kept free, and a worker keeps its modules from file to file: nothing here is mocked, and what modules
    // hold, a long-lived server holds as well. Twice as fast on two cores (decision 14).
    maxWorkers: '100%',
    isolate: false,
    unstubEnvs: true,
    reporters: ['default', new UnderWay(), new ClosingLine()],
  },
});
