// Migrations run in the order of their names, so the order of two with the same number would depend on the rest of the name.
import { type Check, innocent, offence } from './check.ts';

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

const WORKS_FROM = /^-- works from (\d{4})\n/;
/** Changes to what a process of the previous version may still read, write or rely on. */
const NOT_ADDING =
  /\b(drop (table|column|constraint|view|function|trigger|type|default)|rename|set not null|alter column \w+ (set data )?type|add constraint|create unique index|delete from|truncate|revoke)\b/i;
const UNSET_COLUMN = /\badd column (?![^,;]*\bdefault\b)[^,;]*\bnot null\b/i;

export const workingMigrationsOnlyAdd: Check = {
  name: 'working-migrations-only-add',
  run: (tree) =>
    tree.paths
      .filter((path) => path.startsWith('migrations/'))
      .flatMap((path) => {
        const [, from] = WORKS_FROM.exec(tree.text(path)) ?? [];
        if (from === undefined) return [];
        if (Number(from) >= Number(NUMBERED.exec(path)?.[1]))
          return [
            { path, line: 1, sentence: 'Name an earlier migration: processes know it, and not this one.' },
          ];
        const lines = tree.text(path).split('\n');
        return lines.flatMap((text, index) =>
          !text.startsWith('--') && (NOT_ADDING.test(text) || UNSET_COLUMN.test(text))
            ? [{ path, line: index + 1, sentence: 'Only add: processes of a version before go on after it.' }]
            : [],
        );
      }),
  examples: [
    offence('migrations/0002_a.sql', '-- works from 0001\nalter table orders drop column comment;', 2),
    offence('migrations/0002_a.sql', '-- works from 0001\nalter table orders add column a text not null;', 2),
    offence('migrations/0002_a.sql', '-- works from 0001\n-- Once.\ncreate unique index a on orders (a);', 3),
    offence('migrations/0002_a.sql', '-- works from 0002\ncreate index a on orders (a);'),
    innocent('migrations/0002_a.sql', 'alter table orders drop column comment;'),
    innocent(
      'migrations/0002_a.sql',
      "-- works from 0001\nalter table orders add column a text not null default '';",
    ),
    innocent(
      'migrations/0002_a.sql',
      '-- works from 0001\n-- Drop column: no.\ncreate index a on orders (a);',
    ),
  ],
};
