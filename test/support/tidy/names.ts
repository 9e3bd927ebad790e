// One name for one thing: unique exported names, indexes without unused names, and names we do not use.
import ts from 'typescript';
import { type Check, type Finding, innocent, offence } from './check.ts';
import { isProgram, isScript, lineOf, nodesOf } from './syntax.ts';
import { GENERATED } from './tree.ts';

const isWritten = (path: string) => !GENERATED.has(path);

interface Exported {
  name: string;
  path: string;
  line: number;
}

/** Names that a file declares and exports; a re-export declares nothing. */
export function exportsOf(source: ts.SourceFile): Exported[] {
  return source.statements
    .filter((statement) => ts.canHaveModifiers(statement) && isExported(statement))
    .flatMap((statement): ts.Node[] =>
      ts.isVariableStatement(statement) ? [...statement.declarationList.declarations] : [statement],
    )
    .flatMap((declaration) => {
      const { name } = declaration as { name?: ts.Node };
      return name && ts.isIdentifier(name)
        ? [{ name: name.text, path: source.fileName, line: lineOf(name) }]
        : [];
    });
}

const isExported = (node: ts.HasModifiers) =>
  ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;

export const exportedNamesAreUnique: Check = {
  name: 'exported-names-are-unique',
  run(tree) {
    const first = new Map<string, Exported>();
    const paths = tree.paths.filter((path) => isScript(path) && isProgram(path) && isWritten(path));
    // A type and the schema of the same name are one thing, in one file.
    return paths.flatMap((path) =>
      exportsOf(tree.source(path)).flatMap((each) => {
        const known = first.get(each.name);
        if (known === undefined) first.set(each.name, each);
        if (known === undefined || known.path === path) return [];
        const sentence = `${known.path} exports ${each.name} too: give one of the two a name that says what it is.`;
        return [{ path, line: each.line, of: each.name, sentence }];
      }),
    );
  },
  examples: [
    {
      files: { 'src/a.ts': 'export type Step = 1;', 'src/b.ts': '\nexport interface Step {}' },
      at: ['src/b.ts:2'],
    },
    {
      files: { 'src/a.ts': 'export const run = 1;', 'src/b.ts': 'export function run() {}' },
      at: ['src/b.ts:1'],
    },
    innocent('src/a.ts', 'export const Order = closed({});\nexport type Order = Static<typeof Order>;'),
    {
      files: {
        'src/a.ts': 'export const a = 1;',
        'src/b.ts': "const a = 2;\nexport { a as b } from './a.ts';",
      },
      at: [],
    },
  ],
};

export const INDEX = /^src\/modules\/([^/]+)\/index\.ts$/;

export const indexesExportWhatIsImported: Check = {
  name: 'indexes-export-what-is-imported',
  run(tree) {
    const imported = new Map<string, Set<string>>();
    for (const path of tree.paths.filter(isScript))
      for (const node of tree.source(path).statements) {
        if (!ts.isImportDeclaration(node) && !ts.isExportDeclaration(node)) continue;
        const from = node.moduleSpecifier && (node.moduleSpecifier as ts.StringLiteral).text;
        const module = from?.match(/(?:^#modules\/|\/modules\/)([^/]+)(?:$|\/index\.ts$)/)?.[1];
        const bindings = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause;
        if (module === undefined || !bindings || !('elements' in bindings)) continue;
        const names = imported.get(module) ?? new Set();
        for (const { name, propertyName } of bindings.elements) names.add((propertyName ?? name).text);
        imported.set(module, names);
      }
    return tree.paths.flatMap((path) => {
      const module = path.match(INDEX)?.[1];
      if (module === undefined) return [];
      return nodesOf(tree.source(path))
        .filter((node) => ts.isExportSpecifier(node))
        .filter(({ name }) => imported.get(module)?.has(name.text) !== true)
        .map((node) => ({
          path,
          line: lineOf(node),
          of: node.name.text,
          sentence: `No file outside the module imports ${node.name.text}: an index exports what others use.`,
        }));
    });
  },
  examples: [
    offence('src/modules/orders/index.ts', "export {\n  placeOrder,\n} from './place-order.ts';", 2),
    {
      files: {
        'src/modules/orders/index.ts': "export { type Order, placeOrder } from './place-order.ts';",
        'src/app.ts': "import { placeOrder } from '#modules/orders';",
        'test/orders.test.ts': "import type { Order } from '#modules/orders';",
      },
      at: [],
    },
  ],
};

interface Banned {
  names: RegExp;
  instead: string;
}

/** Parts of an identifier, in lower case with `_` around each: `_place_order_`. */
const BANNED_NAMES: Banned[] = [
  { names: /_(surroundings|desk)_/, instead: 'deps' },
  { names: /_(mover|acting)_/, instead: 'context, or actor for who it is' },
  { names: /_wish(es|ed)?_/, instead: 'input or request' },
  { names: /^_(ask|asks|asked)_$|_(ask|asked)_(for|by|of|all)_/, instead: 'query, lookUp or request' },
  { names: /_told_|^_tell_$/, instead: 'what it is: an input, a text for a mail, a record' },
  { names: /_situation_/, instead: 'state' },
  {
    names: /^_(so|look|place|words)_$/,
    instead: 'a name that says which: state, branding, location, text',
  },
  { names: /_(mood)_/, instead: 'tone' },
  { names: /_(speaker|voice)_/, instead: 'Translator or Locale' },
  { names: /_mint(s|ed)?_/, instead: 'create' },
  { names: /_hold_order_|^_free_(use|reservation|credit)_|_freed_/, instead: 'lock or release' },
  { names: /_(unnesting|unnested|anew)_/, instead: 'unnest… or unprepared' },
  { names: /_(luck|odd|oddity)_/, instead: 'outcomes or malformed' },
  { names: /_(move|moves|moved)_/, instead: 'transition' },
  { names: /_case_(id|ids)_|_(decide|open)_case_/, instead: 'review' },
  {
    names: /_registers_|^_register_(entry|facts|company|companies|key|file|format|import)/,
    instead: 'registry',
  },
];

const parts = (name: string) =>
  `_${name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/^[_#]+/, '')
    .toLowerCase()}_`;

export const namesFollowTheGlossary: Check = {
  name: 'names-follow-the-glossary',
  run: (tree) =>
    tree.paths
      .filter((path) => isScript(path) && isWritten(path) && !path.startsWith('test/support/tidy/'))
      .flatMap((path) => nodesOf(tree.source(path)).flatMap((node) => bannedName(path, node))),
  examples: [
    offence('src/app.ts', 'const surroundings = 1;'),
    offence('src/app.ts', 'interface Mover {}'),
    offence('src/app.ts', 'function act(\n  reviewWish: string,\n) {}', 2),
    offence('src/app.ts', 'const { so } = form;'),
    offence('test/story.test.ts', 'const move = 1;'),
    innocent('src/app.ts', "// surroundings\nserver.register(pages);\nconst text = 'wish';"),
    innocent('src/app.ts', 'const placement = placeOrder(removed, registerId);'),
  ],
};

/** Judges only declarations, because names of other libraries are their own. */
function bannedName(path: string, node: ts.Node): Finding[] {
  const { name } = node as { name?: ts.Node };
  if (!name || !(ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) return [];
  if (ts.isPropertyAccessExpression(node) || ts.isImportSpecifier(node) || ts.isExportSpecifier(node))
    return [];
  const banned = BANNED_NAMES.find(({ names }) => names.test(parts(name.text)));
  if (banned === undefined) return [];
  const sentence = `${name.text} is not a name of ours (docs/glossary.md): say ${banned.instead}.`;
  return [{ path, line: lineOf(name), of: name.text, sentence }];
}
