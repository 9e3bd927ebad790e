/**
 * Finds the pure test files: those that need no database, network, browser or process. A file is pure where neither it
 * nor what it imports below `test/` names one of `REACHING`; imports of the program itself are not followed, because a
 * test that calls what connects there hands it a world, an address or a process of the test support.
 * pure-test-file.ts refuses connections while they run, so a wrong guess fails.
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

/** The test files with a world: what they do in a database, they do in one that is cloned for them. */
export function testsOnWorlds(): string[] {
  const isWithout = isPureWith([/from '(#test|\.)\/world(\.ts)?'/]);
  return testFiles()
    .filter((path) => !isWithout(path))
    .sort();
}

const testFiles = () => globSync(['src/**/*.test.ts', 'test/**/*.test.ts']);

/** Whether a file, and what it imports below `test/`, names nothing of these. */
function isPureWith(reaching: readonly RegExp[]): (path: string) => boolean {
  const known = new Map<string, boolean>();
  const isPure = (path: string): boolean => {
    const answer = known.get(path);
    if (answer !== undefined) return answer;
    // Two files that import each other are as pure as the rest of them.
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
