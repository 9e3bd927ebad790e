// No statement of a module covers several platforms: each compares platform_id, or writes it.
import ts from 'typescript';
import { type Check, innocent, offence } from './check.ts';
import { calledMethod, dottedName, lineOf, nodesOf, textOf } from './syntax.ts';

const QUERIES = /^src\/modules\/.*\.queries\.ts$/;
const FILE = 'src/modules/orders/order.queries.ts';
const BUILDER = /^(selectFrom|insertInto|updateTable|deleteFrom|mergeInto|query)$/;

export const queriesNameTheirTenant: Check = {
  name: 'queries-name-their-tenant',
  run: (tree) =>
    tree.paths
      .filter((path) => QUERIES.test(path))
      .flatMap((path) => {
        const declarations = declarationsOf(tree.source(path));
        return [...declarations.values()]
          .filter((declaration) => declaration.isExported)
          .filter((declaration) => hasUnboundStatement(declaration, declarations))
          .map(({ name, node }) => ({
            path,
            line: lineOf(node),
            of: name,
            sentence: `${name} does not name platform_id: take the platform (or items that carry it) and filter by it first.`,
          }));
      }),
  examples: [
    offence(FILE, 'export function findOrder(db, id) {\n  return sql`select * from orders`;\n}'),
    offence(FILE, "\nexport const findOrder = (db, id) => db.selectFrom('orders');", 2),
    offence(
      FILE,
      'export const findOrder = (db, id) => sql`select platform_id, total from orders where id = ${id}`;',
    ),
    offence(
      FILE,
      "export const find = (db, id) => db.selectFrom('orders').select(['platform_id']).where('id', '=', id);",
    ),
    offence(
      FILE,
      'export const find = (db) => sql`select * from a join b on (a.platform_id = b.platform_id)`;',
    ),
    offence(FILE, 'export const find = (db) => sql`select * from a join b using (platform_id)`;'),
    offence(
      FILE,
      '// platform_id\nconst all = sql`select 1`;\nconst find = () => all;\nexport const findAll = gathered(find);',
      4,
    ),
    innocent(FILE, 'export const find = (db, p) => sql`select 1 from orders where platform_id = ${p}`;'),
    innocent(
      FILE,
      'export const find = (db, p) => sql`select 1 from orders where (platform_id, id) in (${p})`;',
    ),
    innocent(
      FILE,
      'export const find = (db, i) => sql`select 1 from unnest(${i}) as i(platform_id, id) join a on a.platform_id = i.platform_id`;',
    ),
    innocent(
      FILE,
      "const rowsOf = (db, p) => db.selectFrom('orders').where('o.platform_id', '=', p);\nexport const find = gathered(rowsOf);",
    ),
    innocent(
      FILE,
      "export const insert = (db, row) => db.insertInto('orders').values({ platform_id: row.p });",
    ),
    innocent(
      FILE,
      "export const insert = (db, row: Insertable<Orders>) => db.insertInto('orders').values(row);",
    ),
    innocent(
      FILE,
      "export const insert = (db, row: NewRowOf<typeof ordersTable>) => db.insertInto('orders').values(ordersTable.insertable(row));",
    ),
    offence(
      FILE,
      'export async function move(db, p) {\n  await sql`delete from a where platform_id = ${p}`;\n  await sql`delete from b`;\n}',
    ),
    offence(
      FILE,
      'const a = (p) => { const q = sql`platform_id = ${p}`; };\nexport const find = (db, q) => sql`select 1 where ${q}`;',
      2,
    ),
    innocent(
      FILE,
      'export function find(db, p) {\n  const own = sql`platform_id = ${p}`;\n  return sql`select 1 from a where ${own}`;\n}',
    ),
    innocent(
      FILE,
      "export const find = (db, p) => db.selectFrom('a').where('platform_id', '=', p).where((eb) => eb.exists(eb.selectFrom('b').whereRef('b.platform_id', '=', 'a.platform_id')));",
    ),
    innocent(FILE, 'export const between = (column, a, b) => sql`${column} between ${a} and ${b}`;'),
    innocent(FILE, "export type Row = { id: string };\nexport const COLUMNS = ['id'];"),
    innocent(FILE, "function local(db) {\n  return db.selectFrom('orders');\n}"),
    innocent(
      FILE,
      'export const findAll = (db, keys) => sql`select o.id from ${unnestKeys(keys)} join orders o using (platform_id)`;',
    ),
    innocent(
      FILE,
      "const unnestThem = unnestRows('t', { platform_id: ['int', 'platformId'] });\nexport const find = (db, all) => sql`select 1 from ${unnestThem(all)}`;",
    ),
    offence(
      FILE,
      "const shown = columns(sql.ref('o.platform_id'));\nexport const find = (db, id) => sql`select ${shown} from orders o where id = ${id}`;",
      2,
    ),
    innocent('src/http/key.queries.ts', "export const findKey = (db) => db.selectFrom('api_keys');"),
  ],
};

interface Declaration {
  name: string;
  node: ts.Node;
  isExported: boolean;
}

type Declarations = Map<string, Declaration>;

/** The functions and constants of the file by name. */
function declarationsOf(source: ts.SourceFile): Declarations {
  const exported = new Set(source.statements.flatMap(exportedNames));
  const nodes = source.statements.flatMap((statement): ts.NamedDeclaration[] => {
    if (ts.isFunctionDeclaration(statement)) return [statement];
    return ts.isVariableStatement(statement) ? [...statement.declarationList.declarations] : [];
  });
  return new Map(
    nodes.map((node) => {
      const name = node.name?.getText() ?? '';
      return [name, { name, node, isExported: exported.has(name) }];
    }),
  );
}

function exportedNames(statement: ts.Statement): string[] {
  if (ts.isExportDeclaration(statement)) {
    if (statement.moduleSpecifier || !statement.exportClause || !ts.isNamedExports(statement.exportClause))
      return [];
    return statement.exportClause.elements.map((element) => (element.propertyName ?? element.name).text);
  }
  const isExported =
    ts.canHaveModifiers(statement) &&
    statement.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword);
  if (!isExported) return [];
  if (ts.isFunctionDeclaration(statement)) return [statement.name?.text ?? ''];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.map((declaration) => declaration.name.getText());
}

/** Whether a statement that the declaration runs, directly or through its file, names no tenant. */
function hasUnboundStatement(declaration: Declaration, declarations: Declarations): boolean {
  const reached = reachedFrom(declaration.node, declarations);
  const takesWholeRows = reached.some(
    (node) => ts.isTypeReferenceNode(node) && /^(Insertable|NewRowOf)$/.test(node.typeName.getText()),
  );
  return reached.filter(isStatement).some((statement) => {
    // A row of one of these types cannot leave platform_id out.
    if (takesWholeRows && calledMethod(statement) === 'insertInto') return false;
    return !reachedFrom(wholeStatement(statement), declarations).some(namesTenant);
  });
}

/** The syntax nodes below this one, and below everything that it uses from its function and its file. */
function reachedFrom(start: ts.Node, declarations: Declarations): ts.Node[] {
  const reached = new Set([start]);
  const nodes: ts.Node[] = [];
  for (const root of reached) {
    const locals = localsAround(root);
    for (const node of nodesOf(root)) {
      nodes.push(node);
      if (!ts.isIdentifier(node)) continue;
      const used = locals.get(node.text) ?? declarations.get(node.text)?.node;
      if (used) reached.add(used);
    }
  }
  return nodes;
}

/** The constants of the function around the node. */
function localsAround(node: ts.Node): Map<string, ts.Node> {
  let outermost = node;
  while (outermost.parent && !ts.isSourceFile(outermost.parent)) outermost = outermost.parent;
  const constants = nodesOf(outermost).filter((each) => ts.isVariableDeclaration(each));
  return new Map(constants.map((constant) => [constant.name.getText(), constant]));
}

/** Whether a statement begins here. A fragment, such as a condition, is not a statement. */
function isStatement(node: ts.Node): boolean {
  if (ts.isTaggedTemplateExpression(node)) {
    const isSql = /^sql(\.|$)/.test(dottedName(node.tag) ?? '');
    return isSql && /^`\s*(select|insert|update|delete|merge|with)\s/i.test(node.template.getText());
  }
  return BUILDER.test(calledMethod(node) ?? '');
}

/** The whole expression around it: a builder's chain of calls to its end, or the query that contains it. */
function wholeStatement(start: ts.Node): ts.Node {
  let whole = start;
  while (whole.parent && !ts.isStatement(whole.parent) && !ts.isVariableDeclaration(whole.parent))
    whole = whole.parent;
  return whole;
}

const COMPARED = /platform_id\s*(=|in)\s*((any|ANY)\s*)?\(?\s*\$/i;
/** A list of columns: written to, compared as a row, or the names of passed values. */
const LISTED = /(?<!using\s*)\([^()=]*\bplatform_id\b[^()=]*\)/i;
const ONLY_SHOWN_OR_JOINED =
  /^(ref|select|returning|orderBy|groupBy|distinctOn|onRef|whereRef|(inner|left|right|full)Join)$/;

/** The functions of `#infra/database/unnest-rows` that turn keys into rows with the platform. */
const KEYED = /^unnest(Numbered|Buyer)?Keys$/;

/** Whether the node compares platform_id with a passed value, or writes it. */
function namesTenant(node: ts.Node): boolean {
  if (ts.isIdentifier(node)) return KEYED.test(node.text);
  if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node))
    return node.name.getText() === 'platform_id';
  if (ts.isTemplateExpression(node)) return COMPARED.test(node.getText()) || LISTED.test(node.getText());
  const text = textOf(node) ?? '';
  return /^(\w+\.)?platform_id$/.test(text)
    ? !ONLY_SHOWN_OR_JOINED.test(callAround(node) ?? '')
    : LISTED.test(text);
}

function callAround(node: ts.Node): string | undefined {
  const isList = ts.isArrayLiteralExpression(node.parent);
  return calledMethod(isList ? node.parent.parent : node.parent);
}
