import ts from 'typescript';
import type { Check, Example, Finding } from './check.ts';
import type { Tree } from './tree.ts';

export interface NodeCheck {
  name: string;
  applies(path: string): boolean;
  /** The sentence for an offence; undefined if the node is innocent. */
  judge(node: ts.Node): string | undefined;
  examples: Example[];
}

/** A check that examines one syntax node at a time, so that it ignores comments and the content of strings. */
export function nodeCheck({ name, applies, judge, examples }: NodeCheck): Check {
  const run = (tree: Tree): Finding[] =>
    tree.paths
      .filter((path) => isScript(path) && applies(path))
      .flatMap((path) => {
        // One offence per line: `Number.parseFloat` is one, although `parseFloat` inside it is a separate node.
        const found = new Map<number, string>();
        for (const node of nodesOf(tree.source(path))) {
          const sentence = judge(node);
          if (sentence !== undefined) found.set(lineOf(node), sentence);
        }
        return [...found].map(([line, sentence]) => ({ path, line, sentence }));
      });
  return { name, run, examples };
}

export const isScript = (path: string) => /\.(ts|tsx|js|mjs|cjs)$/.test(path);
export const isTest = (path: string) => path.endsWith('.test.ts');
export const isProgram = (path: string) => path.startsWith('src/') && !isTest(path);
export const isModuleProgram = (path: string) => path.startsWith('src/modules/') && !isTest(path);

/** The node and everything below it, in the order of the text. */
export function nodesOf(root: ts.Node): ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node) => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(root);
  return nodes;
}

export function lineOf(node: ts.Node): number {
  const source = node.getSourceFile();
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}

/** `a.b` for a property access or a call of one, without type arguments; otherwise undefined. */
export function dottedName(node: ts.Node): string | undefined {
  if (ts.isIdentifier(node)) return node.text;
  if (!ts.isPropertyAccessExpression(node)) return undefined;
  const left = dottedName(node.expression);
  return left === undefined ? undefined : `${left}.${node.name.text}`;
}

/** The name of the called method, regardless of its object. */
export function calledMethod(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  return node.expression.name.text;
}

/** The text of a string or a whole template, with `${…}` unchanged; otherwise undefined. */
export function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  return ts.isTemplateExpression(node) ? node.getText() : undefined;
}

export interface Comment {
  line: number;
  text: string;
}

/** Every comment, one entry per line. Literals are blanked first: after that, slashes can only be a comment or a division. */
export function commentsOf(source: ts.SourceFile): Comment[] {
  const text = blankLiterals(source);
  const comments: Comment[] = [];
  for (const match of text.matchAll(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g)) {
    const first = source.getLineAndCharacterOfPosition(match.index).line + 1;
    match[0].split('\n').forEach((line, offset) => {
      comments.push({ line: first + offset, text: line });
    });
  }
  return comments;
}

function blankLiterals(source: ts.SourceFile): string {
  const pieces: string[] = [];
  let end = 0;
  for (const node of nodesOf(source)) {
    const isLiteral =
      ts.isStringLiteralLike(node) || ts.isRegularExpressionLiteral(node) || ts.isTemplateLiteralToken(node);
    if (!isLiteral) continue;
    const start = node.getStart(source);
    pieces.push(source.text.slice(end, start), source.text.slice(start, node.end).replaceAll(/[^\n]/g, ' '));
    end = node.end;
  }
  return [...pieces, source.text.slice(end)].join('');
}
