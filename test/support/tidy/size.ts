// Files have at most 300 lines and functions 70. Longer ones need a reason in exceptions.ts.
import ts from 'typescript';
import { type Check, innocent, offence } from './check.ts';
import { dottedName, isScript, lineOf, nodesOf } from './syntax.ts';
import { GENERATED } from './tree.ts';

const FILE_LINES_MAX = 300;
const FUNCTION_LINES_MAX = 70;

const isWritten = (path: string) => isScript(path) && !GENERATED.has(path);

export const filesAreShort: Check = {
  name: 'files-are-short',
  run: (tree) =>
    tree.paths.filter(isWritten).flatMap((path) => {
      const lines = tree.text(path).trimEnd().split('\n').length;
      if (lines <= FILE_LINES_MAX) return [];
      return [
        {
          path,
          line: FILE_LINES_MAX + 1,
          sentence: `${lines} lines hold more than one thing: split the file along them.`,
        },
      ];
    }),
  examples: [
    offence('src/infra/database/database.ts', 'run();\n'.repeat(301), 301),
    innocent('src/infra/database/database.ts', 'run();\n'.repeat(300)),
    innocent('src/infra/database/schema.ts', 'run();\n'.repeat(3000)),
    innocent('docs/guides/start.md', 'word\n'.repeat(301)),
  ],
};

export const functionsAreShort: Check = {
  name: 'functions-are-short',
  run: (tree) =>
    tree.paths.filter(isWritten).flatMap((path) =>
      nodesOf(tree.source(path))
        .filter(isFunction)
        .filter((node) => !isSuite(node))
        .map((node) => ({ of: functionName(node), line: lineOf(node), lines: linesOf(node) }))
        .filter(({ lines }) => lines > FUNCTION_LINES_MAX)
        .map(({ of, line, lines }) => ({
          path,
          line,
          of,
          sentence: `${of} takes ${lines} lines: give its steps names of their own.`,
        })),
    ),
  examples: [
    offence('src/app.ts', `const a = 1;\nfunction start() {\n${'run();\n'.repeat(69)}}`, 2),
    offence('src/app.ts', `const start = async () => {\n${'run();\n'.repeat(69)}};`),
    offence('src/app.ts', `class App {\n  start() {\n${'run();\n'.repeat(69)}}\n}`, 2),
    offence('test/story.test.ts', `it('pays', () => {\n${'run();\n'.repeat(69)}});`),
    innocent('src/app.ts', `function start() {\n${'run();\n'.repeat(68)}}`),
    innocent('src/app.ts', `const table = {\n${'a: 1,\n'.repeat(90)}};`),
    innocent('test/story.test.ts', `describe('paying', () => {\n${'run();\n'.repeat(90)}});`),
    innocent('test/story.test.ts', `describe.each(ways)('paying %s', () => {\n${'run();\n'.repeat(90)}});`),
  ],
};

function isFunction(node: ts.Node): node is ts.FunctionLikeDeclaration {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;
}

/** The callback of a describe contains tests, not steps. */
function isSuite(node: ts.Node): boolean {
  if (!ts.isCallExpression(node.parent)) return false;
  const { expression } = node.parent;
  const callee = ts.isCallExpression(expression) ? expression.expression : expression;
  return /^describe(\.|$)/.test(dottedName(callee) ?? '');
}

function functionName(node: ts.FunctionLikeDeclaration): string {
  if (node.name) return node.name.getText();
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  const { parent } = node;
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) return parent.name.getText();
  return ts.isCallExpression(parent)
    ? `the callback of ${parent.expression.getText().split('\n')[0]}`
    : 'a function';
}

function linesOf(node: ts.Node): number {
  const source = node.getSourceFile();
  return source.getLineAndCharacterOfPosition(node.end).line + 2 - lineOf(node);
}
