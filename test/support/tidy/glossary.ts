// docs/glossary.md and the code use the same names.
import type { Check, Example, Finding } from './check.ts';
import { exportsOf, INDEX } from './names.ts';
import { isProgram, isScript } from './syntax.ts';
import type { Tree } from './tree.ts';

const GLOSSARY = 'docs/glossary.md';
const ROW = /^\| ([^|]+) \| ([^|]+) \| `([^`|]+)` \|$/;

export const glossaryMatchesTheCode: Check = {
  name: 'glossary-matches-the-code',
  run(tree) {
    if (!tree.has(GLOSSARY)) return [];
    const rows = tree
      .text(GLOSSARY)
      .split('\n')
      .flatMap((text, index) => {
        const [, term, , name] = text.match(ROW) ?? [];
        return term === undefined || name === undefined ? [] : [{ term, name, line: index + 1 }];
      });
    const code = codeNames(tree);
    const known = new Set(rows.map(({ name }) => name));
    const seen = new Set<string>();
    return [
      ...rows.flatMap(({ term, name, line }) => {
        const isTwice = seen.has(term) || seen.has(`\`${name}\``);
        seen.add(term).add(`\`${name}\``);
        if (isTwice) return [finding(line, `${term} or ${name} stands here twice: one line a term.`)];
        if (code.all.has(name)) return [];
        return [
          finding(line, `The code has no ${name}: correct the code name of ${term}, or remove the line.`),
        ];
      }),
      ...[...code.concepts]
        .filter((concept) => !known.has(concept))
        .sort()
        .map((concept) => finding(1, `${concept} has no line here: say in one line what it is.`)),
    ];
  },
  examples: [
    glossary('| order | A purchase. | `orders` |\n| draft | Before. | `Draft` |', ['docs/glossary.md:2']),
    glossary('| buyer | A company. | `buyers` |', ['docs/glossary.md:1', 'docs/glossary.md:1']),
    glossary('| order | A purchase. | `orders` |\n| order | Twice. | `orders` |', ['docs/glossary.md:2']),
    glossary('| order | A purchase. | `orders` |', []),
  ],
};

const finding = (line: number, sentence: string): Finding => ({ path: GLOSSARY, line, sentence });

function glossary(rows: string, at: string[]): Example {
  return {
    files: {
      'docs/glossary.md': rows,
      'schema.sql': 'create table orders (\n',
      'src/modules/orders/index.ts': 'export const x = 1;',
    },
    at,
  };
}

/** Every exported name, and the names that need a line: modules and tables. */
function codeNames(tree: Tree): { all: Set<string>; concepts: Set<string> } {
  const modules = tree.paths.flatMap((path) => path.match(INDEX)?.[1] ?? []);
  const tables = [...tree.text('schema.sql').matchAll(/^create table (\w+)/gm)].map(([, name]) => name ?? '');
  const concepts = new Set([...modules, ...tables]);
  const exported = tree.paths
    .filter((path) => isProgram(path) && isScript(path))
    .flatMap((path) => exportsOf(tree.source(path)).map(({ name }) => name));
  return { all: new Set([...concepts, ...exported]), concepts };
}
