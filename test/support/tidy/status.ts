// Only the lifecycle's table decides a status.
import ts from 'typescript';
import { innocent, offence } from './check.ts';
import { calledMethod, dottedName, isModuleProgram, isProgram, nodeCheck, textOf } from './syntax.ts';

const SENTENCE =
  'Only a move of the lifecycle decides a status: call moveOf and write the `to` of the move it returns.';

const STATUS_LITERAL_WRITTEN =
  /\b(update\s+\S+\s+set|insert\s+into)\b[\s\S]*\bstatus\b[\s\S]*'[A-Z][A-Z_]+'/i;

export const statusSqlInQueries = nodeCheck({
  name: 'status-sql-from-the-lifecycle',
  applies: (path) => isProgram(path) && !/\.(lifecycle|queries)\.ts$/.test(path),
  judge: (node) => (STATUS_LITERAL_WRITTEN.test(textOf(node) ?? '') ? SENTENCE : undefined),
  examples: [
    offence('src/cli/seed.ts', "run(`update orders set status = 'CANCELLED' where id = ${id}`);"),
    offence(
      'src/infra/outbox.ts',
      "\nsql`insert into deliveries (id, status) values (${id}, 'PENDING')`;",
      2,
    ),
    innocent('src/modules/orders/order.queries.ts', "sql`update orders set status = 'CANCELLED'`;"),
    innocent('src/infra/outbox.ts', "sql`update deliveries set status = ${move.to} where id = 'x'`;"),
    innocent('src/infra/outbox.ts', "sql`select id from deliveries where status = 'PENDING'`;"),
    innocent('test/overdue.test.ts', "sql`update orders set status = 'CANCELLED'`;"),
  ],
});

const HOLDS_STATUS = /\.(lifecycle|schemas)\.ts$/;

export const statusFromLifecycle = nodeCheck({
  name: 'status-from-the-lifecycle',
  applies: (path) => isModuleProgram(path) && !HOLDS_STATUS.test(path),
  judge(node) {
    const value = writtenStatus(node);
    return value !== undefined && isStatusLiteral(value) && !isShownAsExample(node) ? SENTENCE : undefined;
  },
  examples: [
    offence('src/modules/orders/operations/cancel-order.ts', "order.status = 'CANCELLED';"),
    offence('src/modules/orders/operations/cancel-order.ts', "let status = 'DRAFT';"),
    offence('src/modules/orders/order.queries.ts', "const row = {\n  id,\n  status: 'DRAFT',\n};", 3),
    offence('src/modules/orders/order.queries.ts', "update.set('status', 'DRAFT');"),
    offence(
      'src/modules/orders/order.rules.ts',
      "const row = { status: isFree ? ('DRAFT' as const) : other };",
    ),
    innocent('src/modules/orders/order.lifecycle.ts', "const first = { status: 'DRAFT' };"),
    innocent('src/modules/orders/order.schemas.ts', "const example = { status: 'DRAFT' };"),
    innocent(
      'src/modules/orders/operations/cancel-order.test.ts',
      "expect(order).toMatchObject({ status: 'DRAFT' });",
    ),
    innocent(
      'src/modules/orders/operations/cancel-order.ts',
      "const doc = { example: { order: { status: 'DRAFT' } } };",
    ),
    innocent(
      'src/modules/orders/operations/cancel-order.ts',
      "if (order.status === 'DRAFT') set({ status: move.to });",
    ),
    innocent(
      'src/modules/orders/order.rules.ts',
      "type Draft = { status: 'DRAFT' }; const reply = { status: 409 };",
    ),
    innocent('src/http/server.ts', "const reply = { status: 'OK' };"),
  ],
});

/** The expression that the node writes to a status, if it does. */
function writtenStatus(node: ts.Node): ts.Expression | undefined {
  if (ts.isPropertyAssignment(node) && nameOf(node.name) === 'status') return node.initializer;
  if (ts.isVariableDeclaration(node) && nameOf(node.name) === 'status') return node.initializer;
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
    return /(^|\.)status$/.test(dottedName(node.left) ?? '') ? node.right : undefined;
  }
  if (calledMethod(node) === 'set' && ts.isCallExpression(node)) {
    const [field, value] = node.arguments;
    return field && textOf(field) === 'status' ? value : undefined;
  }
  return undefined;
}

function nameOf(name: ts.Node): string {
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : '';
}

/** `'PAID'`, also as a branch of a conditional or with a type assertion. */
function isStatusLiteral(value: ts.Expression): boolean {
  if (ts.isConditionalExpression(value))
    return isStatusLiteral(value.whenTrue) || isStatusLiteral(value.whenFalse);
  if (ts.isAsExpression(value) || ts.isParenthesizedExpression(value) || ts.isSatisfiesExpression(value)) {
    return isStatusLiteral(value.expression);
  }
  return ts.isStringLiteralLike(value);
}

/** Inside `example: …` or `examples: …`, which is printed and never stored. */
function isShownAsExample(node: ts.Node): boolean {
  for (let outer = node.parent; outer !== undefined; outer = outer.parent) {
    if (ts.isPropertyAssignment(outer) && /^examples?$/.test(nameOf(outer.name))) return true;
  }
  return false;
}
