/** Which names an expression of a policy speaks of, and which functions it calls: read from its text. */

const TEXTS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;
/** Of a template only what stands in its holes is an expression. */
const TEMPLATES = /`((?:[^`\\]|\\.)*)`/g;
const HOLES = /\$\{([^}]*)\}/g;
/** Not behind a dot, a dollar or a hash: those are fields of something that has been named already. */
const NAME = /(?<![\w$.#])([A-Za-z_]\w*)/g;
const WORDS = new Set(['true', 'false', 'null', 'and', 'or', 'not', 'in', 'as']);

export interface ExpressionNames {
  /** What it reads, once each. */
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
    if (after === '(' && !WORDS.has(name)) functions.add(name);
    else if (!isKey && !WORDS.has(name) && !aliases.has(name)) names.add(name);
  }
  return { names: [...names], functions: [...functions] };
}
