import { defineConfig } from 'vitest/config';
import { ClosingLine } from './test/support/closing-line.ts';
import { pureTests } from './test/support/pure-tests.ts';
import { UnderWay } from './test/support/under-way.ts';

/** The pure tests alone, without a database: part of `npm run test:fast`. */
export default defineConfig({
  test: {
    include: pureTests(),
    setupFiles: ['test/support/pure-test-file.ts'],
    pool: 'forks',
    maxWorkers: '100%',
    isolate: false,
    unstubEnvs: true,
    reporters: [['default', { summary: false }], new UnderWay(), new ClosingLine()],
  },
});
