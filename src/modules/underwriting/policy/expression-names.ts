/** Extracts the names that an expression reads and the functions that it calls. */

const TEXTS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;
/** In a template only the parts in `${…}` are expressions. */
const TEMPLATES = /`((?:[^`\\]|\\.)*)`/g;
const HOLES = /\$\{([^}]*)\}/g;
/** Not after a dot, a dollar or a hash: those are fields of a name that was read already. */
const NAME = /(?<![\w$.#])([A-Za-z_]\w*)/g;
const KEYWORDS = new Set(['true', 'false', 'null', 'and', 'or', 'not', 'in', 'as']);

export interface ExpressionNames {
  /** The names it reads, without duplicates. */
  names: string[];
  functions: string[];
}

export function namesIn(expression: string): ExpressionNames {
  const code = expression
    .replaceAll(TEMPLATES, (_, text: string) =>
      [...text.matchAll(HOLES)].map(([, hole]) => `(${hole})`).join(' '),
    )
    .replaceAll(TEXTS, '""');
  const aliases = new Set([...code.matchAll(/\bas\s+([A-Za-z_]\w*)/g)].map(([, alias]) => alias));
  const names = new Set<string>();
  const functions = new Set<string>();
  for (const { 1: name = '', index } of code.matchAll(NAME)) {
    const before = code.slice(0, index).trimEnd().at(-1);
    const after = code.slice(index + name.length).trimStart()[0];
    const isKey = after === ':' && (before === '{' || before === ',');
    if (after === '(' && !KEYWORDS.has(name)) functions.add(name);
    else if (!isKey && !KEYWORDS.has(name) && !aliases.has(name)) names.add(name);
  }
  return { names: [...names], functions: [...functions] };
}
