import { defineConfig } from 'vitest/config';
import { ClosingLine } from './test/support/closing-line.ts';
import { testsOnWorlds } from './test/support/pure-tests.ts';
import { UnderWay } from './test/support/under-way.ts';

/** The tests that work on a database, on the cluster of DATABASE_URL: see scripts/test-citus.ts. */
export default defineConfig({
  test: {
    include: testsOnWorlds(),
    exclude: [
      // A platform moves between databases of one machine each.
      'test/commands/platform-relocation*',
      // What the plans of one server read.
      'test/http/lists-read-what-they-show.test.ts',
      // What the command says without a cluster.
      'test/commands/distribute.test.ts',
    ],
    globalSetup: ['test/support/citus.ts'],
    setupFiles: ['test/support/test-file.ts'],
    deps: { interopDefault: false },
    pool: 'forks',
    maxWorkers: '100%',
    isolate: false,
    unstubEnvs: true,
    reporters: ['default', new UnderWay(), new ClosingLine()],
  },
});
