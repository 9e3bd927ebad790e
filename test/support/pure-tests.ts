/**
 * Finds the pure test files: those that need no database, network, browser or process. A file is pure if neither it nor its imports below
 * `test/` name one of `REACHING`. Imports of the program itself are not followed, because a test that calls connecting code there passes it
 * a world, an address or a process of the test support. pure-test-file.ts refuses connections while they run, so a wrong guess fails.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const REACHING = [
  /from '(pg|undici|fastify|playwright-core|smtp-server|nodemailer)'/,
  /from 'node:(child_process|net|http|https|tls|dns|worker_threads)'/,
  /from '#infra\/(database\/database|embedded-postgres|outbound)/,
  /from '(\.\.\/)+src\/app\.ts'/,
  /\binject\('postgres'\)|\bfetch\(/,
];

export function pureTests(): string[] {
  return testFiles().filter(isPureWith(REACHING)).sort();
}

/** The test files with a world, which use only a database that is cloned for them. */
export function testsOnWorlds(): string[] {
  const isWithout = isPureWith([/from '(#test|\.)\/world(\.ts)?'/]);
  return testFiles()
    .filter((path) => !isWithout(path))
    .sort();
}

const testFiles = () => globSync(['src/**/*.test.ts', 'test/**/*.test.ts']);

/** Whether neither a file nor its imports below `test/` match one of these. */
function isPureWith(reaching: readonly RegExp[]): (path: string) => boolean {
  const known = new Map<string, boolean>();
  const isPure = (path: string): boolean => {
    const answer = known.get(path);
    if (answer !== undefined) return answer;
    // Files that import each other are pure if their other imports are.
    known.set(path, true);
    const text = readFileSync(path, 'utf8');
    const pure =
      !reaching.some((pattern) => pattern.test(text)) && importsBelowTest(path, text).every(isPure);
    known.set(path, pure);
    return pure;
  };
  return isPure;
}

function importsBelowTest(path: string, text: string): string[] {
  return [...text.matchAll(/^[\w}].* from '([^']+)'/gm)].flatMap(([, name = '']) => {
    if (name.startsWith('#test/')) return [`test/support/${name.slice('#test/'.length)}.ts`];
    const imported = join(dirname(path), name);
    return name.startsWith('.') && imported.startsWith('test/') && imported.endsWith('.ts') ? [imported] : [];
  });
}
