// The structure of a module: its two front pages, and one operation per tested file.
import ts from 'typescript';
import { type Check, innocent, offence } from './check.ts';
import { lineOf, textOf } from './syntax.ts';

const OPERATION = /^src\/modules\/[^/]+\/operations\/([^/]+)(?<!\.test)\.ts$/;

export const modulesHaveFrontPages: Check = {
  name: 'modules-have-front-pages',
  run(tree) {
    const folders = new Set(tree.paths.flatMap((path) => path.match(/^src\/modules\/[^/]+(?=\/)/) ?? []));
    return [...folders].flatMap((folder) => [
      ...(tree.has(`${folder}/README.md`)
        ? []
        : [
            {
              path: `${folder}/README.md`,
              line: 1,
              sentence: 'Say here what the module owns, what it does not, and its invariants.',
            },
          ]),
      ...(tree.has(`${folder}/index.ts`)
        ? []
        : [
            {
              path: `${folder}/index.ts`,
              line: 1,
              sentence: 'Export here, by name, what other modules may use.',
            },
          ]),
    ]);
  },
  examples: [
    { files: { 'src/modules/orders/index.ts': '' }, at: ['src/modules/orders/README.md:1'] },
    { files: { 'src/modules/orders/README.md': '' }, at: ['src/modules/orders/index.ts:1'] },
    {
      files: { 'src/modules/orders/README.md': '', 'src/modules/orders/index.ts': '', 'src/app.ts': '' },
      at: [],
    },
  ],
};

export const operationsAreTested: Check = {
  name: 'operations-are-tested',
  run: (tree) =>
    tree.paths
      .filter((path) => OPERATION.test(path) && !tree.has(path.replace(/\.ts$/, '.test.ts')))
      .map((path) => ({
        path,
        line: 1,
        sentence: `This operation has no test: write ${path.match(OPERATION)?.[1]}.test.ts beside it.`,
      })),
  examples: [
    offence('src/modules/orders/operations/cancel-order.ts', ''),
    {
      files: {
        'src/modules/orders/operations/cancel-order.ts': '',
        'src/modules/orders/operations/cancel-order.test.ts': '',
        'src/modules/orders/order.rules.ts': '',
      },
      at: [],
    },
  ],
};

export const operationsNamedAfterFiles: Check = {
  name: 'operations-named-after-their-file',
  run: (tree) =>
    tree.paths.flatMap((path) => {
      const name = path.match(OPERATION)?.[1];
      if (name === undefined) return [];
      const id = name.replaceAll(/-(\w)/g, (_, body: string) => body.toUpperCase());
      const ids = exportedIds(tree.source(path));
      if (ids.length === 0)
        return [{ path, line: 1, sentence: `Export the operation of this file, with the id '${id}'.` }];
      return ids
        .filter((each) => each.id !== id || each.name !== id)
        .map(({ line }) => ({
          path,
          line,
          sentence: `The file's name is the operation's: export it as ${id}, with the id '${id}', or rename the file.`,
        }));
    }),
  examples: [
    offence(
      'src/modules/orders/operations/cancel-order.ts',
      "export const cancelOrder = operation({\n  id: 'orderCancel',\n});",
      2,
    ),
    offence(
      'src/modules/orders/operations/cancel-order.ts',
      "export const cancel = operation({ id: 'cancelOrder' });",
    ),
    offence(
      'src/modules/orders/operations/cancel-order.ts',
      'export const cancelOrder = operation({ summary });',
    ),
    offence(
      'src/modules/orders/operations/cancel-order.ts',
      "const cancelOrder = operation({ id: 'cancelOrder' });",
    ),
    innocent(
      'src/modules/orders/operations/cancel-order.ts',
      "export const cancelOrder = operation({ id: 'cancelOrder' });",
    ),
    innocent(
      'src/modules/orders/operations/get-order.ts',
      "export const getOrder = { id: 'getOrder' } satisfies Operation;",
    ),
    innocent('src/modules/orders/operations/cancel-order.test.ts', ''),
    innocent('src/modules/orders/order.rules.ts', "export const rule = { id: 'free' };"),
  ],
};

/** Each exported constant whose object, or whose first argument, carries an `id`. */
function exportedIds(source: ts.SourceFile): { name: string; id: string; line: number }[] {
  return source.statements
    .filter((statement) => ts.isVariableStatement(statement))
    .filter((statement) =>
      statement.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword),
    )
    .flatMap((statement) => statement.declarationList.declarations)
    .flatMap((declaration) => {
      const id = declaration.initializer && idOf(declaration.initializer);
      return id ? [{ name: declaration.name.getText(), id: textOf(id) ?? '', line: lineOf(id) }] : [];
    });
}

function idOf(value: ts.Expression): ts.Expression | undefined {
  if (ts.isSatisfiesExpression(value) || ts.isAsExpression(value)) return idOf(value.expression);
  if (ts.isCallExpression(value)) return value.arguments.map(idOf).find((id) => id !== undefined);
  if (!ts.isObjectLiteralExpression(value)) return undefined;
  return value.properties
    .filter((property) => ts.isPropertyAssignment(property))
    .find((property) => property.name.getText() === 'id')?.initializer;
}
