import type { Tree } from './tree.ts';

/** One offence. The sentence says what to do instead; `of` names the function or export, if there is one. */
export interface Finding {
  path: string;
  line: number;
  sentence: string;
  of?: string;
}

/** A small tree, and the `path:line` of each offence in it; none if it is innocent. */
export interface Example {
  files: Record<string, string>;
  at: string[];
}

export interface Check {
  name: string;
  run(tree: Tree): Finding[];
  /** Offending and innocent snippets; test/tidy.test.ts runs them. */
  examples: Example[];
}

/** Lets a file, or one function `of` it, do what a check forbids. A pattern excuses a family of files, including future ones. */
export interface Exception {
  path: string | RegExp;
  of?: string;
  why: string;
}

export const EXCEPTIONS_FILE = 'test/support/tidy/exceptions.ts';

/** The findings of the check that no exception excuses, and the exceptions that no longer excuse anything. */
export function judge(check: Check, tree: Tree, exceptions: readonly Exception[]): Finding[] {
  const found = check.run(tree);
  const idle = exceptions.filter(
    (exception) =>
      typeof exception.path === 'string' && !found.some((finding) => excuses(exception, finding)),
  );
  return [
    ...found.filter((finding) => !exceptions.some((exception) => excuses(exception, finding))),
    ...idle.map((exception) => idleFinding(check, tree, exception)),
  ];
}

export function describeFinding({ path, line, sentence }: Finding): string {
  return `${path}:${line}: ${sentence}`;
}

/** An offence in a tree of one file. */
export function offence(path: string, text: string, line = 1): Example {
  return { files: { [path]: text }, at: [`${path}:${line}`] };
}

/** A tree of one file in which the check finds nothing. */
export function innocent(path: string, text: string): Example {
  return { files: { [path]: text }, at: [] };
}

function excuses({ path, of }: Exception, finding: Finding): boolean {
  const isSameFile = typeof path === 'string' ? path === finding.path : path.test(finding.path);
  return isSameFile && (of === undefined || of === finding.of);
}

function idleFinding(check: Check, tree: Tree, { path, of }: Exception): Finding {
  const name = of === undefined ? `${path}` : `${of} in ${path}`;
  const lines = tree.has(EXCEPTIONS_FILE) ? tree.text(EXCEPTIONS_FILE).split('\n') : [];
  const line = lines.findIndex((each) => each.includes(of === undefined ? `${path}` : `of: '${of}'`)) + 1;
  const sentence = `Nothing needs the exception from ${check.name} for ${name} any more: remove it.`;
  return { path: EXCEPTIONS_FILE, line: Math.max(line, 1), sentence };
}
