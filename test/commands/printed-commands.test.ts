/** The commands that documents print, in sentences and in blocks: each exists, with its verb, options and first argument. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { HELP } from '../../src/cli/help.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The changelog also names options that are gone. */
const DOCUMENTS = globSync(['*.md', 'docs/**/*.md', 'src/modules/*/README.md'], { cwd: ROOT }).filter(
  (path) => path !== 'CHANGELOG.md',
);
const COMMON = ['--json', '--help', '--platform', '--version'];

type Name = keyof typeof HELP;
const isName = (word: string): word is Name => word in HELP;

/** What is wrong with the words after `tradeline`; null if nothing is. */
function faultOf([name = '', ...rest]: string[]): string | null {
  if (!isName(name)) return COMMON.includes(name) || name === 'help' ? null : 'there is no such command';
  const { verbs } = HELP[name];
  const [verb = '', ...others] = '' in verbs ? ['', ...rest] : rest;
  // The list of verbs of a command, or the command alone.
  if (/[|…]/.test(verb) || (verb === '' && !('' in verbs))) return null;
  const usage = verbs[verb]?.[0];
  if (usage === undefined) return 'there is no such verb';
  const unknown = others.filter(
    (word) => /^--[a-z]/.test(word) && ![...usage.split(/[\s[\]|]+/), ...COMMON].includes(word),
  );
  if (unknown.length > 0) return `there is no ${unknown.join(' or ')}`;
  const needsArgument = /^[A-Z]/.test(usage);
  return needsArgument && others[0]?.startsWith('--') ? `needs ${usage.split(' ')[0]} first` : null;
}

it('exist, with their verbs, options and first arguments', () => {
  const faults = DOCUMENTS.flatMap((path) =>
    [
      ...readFileSync(join(ROOT, path), 'utf8').matchAll(/(?:`|\$\(|^|npx )tradeline ([a-z-][^`\n#>;)]*)/gm),
    ].flatMap(([, text = '']) => {
      const fault = faultOf(text.trim().split(/\s+/));
      return fault === null ? [] : [`${path}: tradeline ${text.trim()}: ${fault}`];
    }),
  );
  expect(faults).toEqual([]);
});
