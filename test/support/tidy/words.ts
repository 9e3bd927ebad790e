// Checks of the words in comments, tests, exports and file names.
import ts from 'typescript';
import { type Check, type Finding, innocent, offence } from './check.ts';
import { commentsOf, dottedName, isScript, isTest, lineOf, nodeCheck, nodesOf } from './syntax.ts';
import type { Tree } from './tree.ts';

const PROMISE = /\b(TODO|FIXME|XXX|HACK)\b/;

export const nothingUnfinished: Check = {
  name: 'nothing-unfinished',
  run: (tree) =>
    tree.paths.flatMap((path) =>
      remarksOf(tree, path)
        .filter((remark) => PROMISE.test(remark.text))
        .map(({ line }) => ({
          path,
          line,
          sentence: 'Finish it now, or open an issue: a note in the code is read by nobody.',
        })),
    ),
  examples: [
    offence('src/app.ts', 'run();\n// TODO: close the pool', 2),
    offence('src/app.ts', '/**\n * Opens.\n * FIXME later\n */\nrun();', 3),
    offence('src/app.ts', 'const a = `${b /* HACK */}`;'),
    offence('migrations/0001_start.sql', 'select 1;\n-- XXX wrong', 2),
    offence('.ci/check.yml', 'jobs: # TODO'),
    innocent('src/app.ts', "const word = 'TODO', pattern = /FIXME/, text = `// XXX ${word} // HACK`;"),
    innocent('src/kernel/currency.ts', "// Todo means all in Spanish.\nconst none = 'XXX';"),
    innocent('migrations/0001_start.sql', "insert into currencies values ('XXX');"),
  ],
};

/** The comments of code; for SQL, YAML, shell and settings, the text after the comment mark. */
function remarksOf(tree: Tree, path: string): { line: number; text: string }[] {
  if (isScript(path)) return commentsOf(tree.source(path));
  const mark = path.endsWith('.sql') ? '--' : /\.(ya?ml|sh|env)$/.test(path) ? '#' : undefined;
  if (mark === undefined) return [];
  return tree
    .text(path)
    .split('\n')
    .map((text, index) => ({ line: index + 1, text: text.slice((text + mark).indexOf(mark)) }));
}

const TEST_ROOT = /^(it|test|describe|suite|bench)\b/;
const TEST_LEFT_OUT = /\.(only|skip|todo|fails)$/;

export const testsAllRun: Check = {
  name: 'tests-all-run',
  run: (tree) => tree.paths.filter(isTest).flatMap((path) => testsLeftOut(tree.source(path))),
  examples: [
    offence('test/story.test.ts', "it.only('pays', () => {});"),
    offence('test/story.test.ts', "\ndescribe.skip('paying', () => {});", 2),
    offence('test/story.test.ts', "it.concurrent.skip('pays', () => {});"),
    offence('test/story.test.ts', "// A remark.\nconst a = 1;\nit.todo('pays');", 3),
    innocent(
      'test/story.test.ts',
      "// The bank's test system is closed at night.\nit.skip('pays', () => {});",
    ),
    innocent('test/story.test.ts', "it.skip('pays', () => {}); // needs two machines"),
    innocent('test/story.test.ts', "it('pays', () => order.skip()); const text = 'it.only';"),
  ],
};

function testsLeftOut(source: ts.SourceFile): Finding[] {
  const commented = new Set(commentsOf(source).map((comment) => comment.line));
  return nodesOf(source).flatMap((node) => {
    const name = dottedName(node) ?? '';
    if (!TEST_ROOT.test(name) || !TEST_LEFT_OUT.test(name)) return [];
    const line = lineOf(node);
    if (commented.has(line) || commented.has(line - 1)) return [];
    const sentence = `${name} leaves tests out: run them, or say why not in a comment on the line above.`;
    return [{ path: source.fileName, line, sentence }];
  });
}

export const namedExportsOnly = nodeCheck({
  name: 'named-exports-only',
  applies: () => true,
  judge: (node) =>
    ts.isExportDeclaration(node) && (!node.exportClause || ts.isNamespaceExport(node.exportClause))
      ? 'Export by name what others may use: `export *` makes everything public, also what is added later.'
      : undefined,
  examples: [
    offence('src/modules/orders/index.ts', "\nexport * from './order.rules.ts';", 2),
    offence('src/modules/orders/index.ts', "export * as rules from './order.rules.ts';"),
    innocent(
      'src/modules/orders/index.ts',
      "// export * from\nexport { createOrder } from './operations/create-order.ts';",
    ),
    innocent(
      'src/modules/orders/index.ts',
      "import * as rules from './order.rules.ts';\nexport type { Order } from './x.ts';",
    ),
  ],
});

const DUMPING_GROUND = /^(utils?|helpers?|commons?|managers?|misc)$/;

export const namesSayWhat: Check = {
  name: 'names-say-what',
  run: (tree) =>
    tree.paths.filter(isScript).flatMap((path) => {
      const word = path.split('/').flatMap(bannedWords)[0];
      if (word === undefined) return [];
      const sentence = `A file called "${word}" collects everything: name it after the one thing it holds.`;
      return [{ path, line: 1, sentence }];
    }),
  examples: [
    offence('src/kernel/utils.ts', ''),
    offence('src/modules/orders/order-helper.ts', ''),
    offence('src/modules/orders/order.types.ts', ''),
    offence('src/infra/types.ts', ''),
    offence('src/common/text.ts', ''),
    offence('test/support/misc/server.ts', ''),
    offence('src/infra/connection-manager.ts', ''),
    innocent('src/modules/webhooks/event-types.ts', ''),
    innocent('src/kernel/commonwealth.ts', ''),
    innocent('docs/types.md', ''),
  ],
};

/** `types` is banned as a name on its own; as a second word it says which types (event-types). */
function bannedWords(segment: string): string[] {
  const parts = segment.split('.');
  const texts = parts.flatMap((part) => part.split(/[-_]/));
  return [
    ...texts.filter((word) => DUMPING_GROUND.test(word)),
    ...parts.filter((part) => /^types?$/.test(part)),
  ];
}
