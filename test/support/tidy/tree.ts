import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** The files of a repository, by their path from its root. `text` of a binary file is empty. */
export interface Tree {
  paths: readonly string[];
  has(path: string): boolean;
  text(path: string): string;
  /** The parsed file, parsed once. */
  source(path: string): ts.SourceFile;
}

/** Files that a program prints. They are not edited by hand. */
export const GENERATED = new Set([
  'src/infra/database/schema.ts',
  'schema.sql',
  'openapi.json',
  'package-lock.json',
  'src/api/openapi/answers.json',
]);

/** Files that are installed, recorded or left by a run, not written by a person. */
const FOREIGN = /(^|\/)node_modules$|^(\.git|coverage|data|bench\/out)$/;
const TEXT = /\.(ts|tsx|js|mjs|cjs|md|sql|ya?ml|sh|env)$/;

export function treeOf(files: Record<string, string>): Tree {
  return lazyTree(Object.keys(files), (path) => files[path] ?? '');
}

/** Everything under `root` except installed packages, data and output. */
export function readTree(root: string): Tree {
  const paths = filesUnder(root, '');
  return lazyTree(paths, (path) => (TEXT.test(path) ? readFileSync(join(root, path), 'utf8') : ''));
}

function filesUnder(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (FOREIGN.test(path)) return [];
    return entry.isDirectory() ? filesUnder(root, path) : [path];
  });
}

function lazyTree(paths: string[], read: (path: string) => string): Tree {
  const known = new Set(paths);
  const texts = new Map<string, string>();
  const sources = new Map<string, ts.SourceFile>();
  const text = (path: string) => {
    const found = texts.get(path) ?? read(path);
    texts.set(path, found);
    return found;
  };
  return {
    paths: paths.toSorted(),
    has: (path) => known.has(path),
    text,
    source(path) {
      const found = sources.get(path) ?? ts.createSourceFile(path, text(path), ts.ScriptTarget.ESNext, true);
      sources.set(path, found);
      return found;
    },
  };
}
