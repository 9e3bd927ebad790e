// Migrations run in the order of their names: two of one number change their order with a name.
import { type Check, innocent } from './check.ts';

const NUMBERED = /^migrations\/(\d{4})_[a-z0-9_]+\.sql$/;

export const migrationsAreNumbered: Check = {
  name: 'migrations-are-numbered',
  run(tree) {
    const files = tree.paths.filter((path) => path.startsWith('migrations/'));
    return files
      .filter((path, index) => Number(NUMBERED.exec(path)?.[1]) !== index + 1)
      .map((path) => ({
        path,
        line: 1,
        sentence: 'Number migrations 0001, 0002, … without gaps and repetitions.',
      }));
  },
  examples: [
    innocent('migrations/0001_start.sql', ''),
    { files: { 'migrations/0001_start.sql': '', 'migrations/0002_orders.sql': '' }, at: [] },
    {
      files: { 'migrations/0001_orders.sql': '', 'migrations/0001_start.sql': '' },
      at: ['migrations/0001_start.sql:1'],
    },
    { files: { 'migrations/0002_orders.sql': '' }, at: ['migrations/0002_orders.sql:1'] },
  ],
};
