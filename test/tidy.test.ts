import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Exception, judge } from './support/tidy/check.ts';
import { exceptions } from './support/tidy/exceptions.ts';
import { readTree, treeOf } from './support/tidy/tree.ts';
import { checks, tidy } from './support/tidy.ts';

const tree = readTree(join(import.meta.dirname, '..'));

describe('the repository keeps', () => {
  it('its files where the checks can read them', () => {
    expect(tree.paths).toEqual(expect.arrayContaining(['test/tidy.test.ts', 'STYLE.md']));
    expect(
      tree.paths.filter((path) => path.startsWith('src/') && tree.text(path) !== '').length,
    ).toBeGreaterThan(50);
    expect(tree.paths.filter((path) => /node_modules|^data\/|^\.git\//.test(path))).toEqual([]);
  });

  for (const check of checks) {
    it(check.name, () => {
      expect(tidy(check, tree).join('\n')).toBe('');
    });
  }
});

for (const check of checks) {
  describe(check.name, () => {
    for (const { files, at } of check.examples) {
      it(`finds ${at.length === 0 ? 'nothing' : at.join(', ')} in ${JSON.stringify(files).slice(0, 200)}`, () => {
        const found = judge(check, treeOf(files), []);
        expect(found.map(({ path, line }) => `${path}:${line}`)).toEqual(at);
        for (const { sentence } of found) expect(sentence).toMatch(/^\S.*\.$/);
      });
    }

    it('is shown an offence and an innocent', () => {
      expect(check.examples.some(({ at }) => at.length > 0)).toBe(true);
      expect(check.examples.some(({ at }) => at.length === 0)).toBe(true);
    });

    it('stands in STYLE.md', () => {
      expect(tree.text('STYLE.md')).toContain(`\`${check.name}\``);
    });
  });
}

describe('an exception', () => {
  const long = `function long() {\n${'run();\n'.repeat(80)}}`;
  const functionsAreShort = checks.filter(({ name }) => name === 'functions-are-short')[0];
  const findings = (text: string, ...exempt: Exception[]) => {
    if (!functionsAreShort) throw new Error('There is no check functions-are-short.');
    return judge(functionsAreShort, treeOf({ 'src/app.ts': text }), exempt).map(({ path }) => path);
  };

  it('excuses its file, or one function of it', () => {
    expect(findings(long)).toEqual(['src/app.ts']);
    expect(findings(long, { path: 'src/app.ts', why: '' })).toEqual([]);
    expect(findings(long, { path: 'src/app.ts', of: 'long', why: '' })).toEqual([]);
  });

  it('fails once nothing needs it, unless it speaks of a family of files', () => {
    expect(findings('', { path: 'src/app.ts', why: '' })).toEqual(['test/support/tidy/exceptions.ts']);
    expect(findings(long, { path: 'src/app.ts', of: 'short', why: '' })).toEqual([
      'src/app.ts',
      'test/support/tidy/exceptions.ts',
    ]);
    expect(findings('', { path: /^src\/app/, why: '' })).toEqual([]);
  });

  it('names a check that exists, and says why', () => {
    expect(checks.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(exceptions)));
    for (const { why } of Object.values(exceptions).flat()) expect(why).toMatch(/^\S.*\.$/);
  });
});
