// Resources that only one place may use: SQL, the time, the environment, randomness, the terminal, the outside world.
import ts from 'typescript';
import { innocent, offence } from './check.ts';
import { calledMethod, dottedName, isModuleProgram, isProgram, nodeCheck, textOf } from './syntax.ts';

const STATEMENT_BUILDERS = new Set([
  'selectFrom',
  'insertInto',
  'updateTable',
  'deleteFrom',
  'mergeInto',
  'query',
]);
// Entirely in upper case or in lower case: "Select a term from the list" is a sentence, not a statement.
const STATEMENT =
  /^`?\s*((select|SELECT)\s[\s\S]+\s(from|FROM)\s|(insert|INSERT)\s+(into|INTO)\s|(update|UPDATE)\s+\S+\s+(set|SET)\s|(delete|DELETE)\s+(from|FROM)\s|(with|WITH)\s+\w+\s+(as|AS)\s*\()/;
const HOME_OF_SQL =
  /\.queries\.ts$|^src\/infra\/(database|transaction|outbox|migrate|embedded-postgres)(-[^/]+|\/.+)?\.ts$/;

export const sqlInQueries = nodeCheck({
  name: 'sql-in-queries',
  applies: (path) => isProgram(path) && !HOME_OF_SQL.test(path),
  judge(node) {
    const isTag = ts.isTaggedTemplateExpression(node) && /^sql(\.|$)/.test(dottedName(node.tag) ?? '');
    const isStatement = STATEMENT.test(textOf(node) ?? '') && !ts.isTaggedTemplateExpression(node.parent);
    if (!isTag && !isStatement && !STATEMENT_BUILDERS.has(calledMethod(node) ?? '')) return undefined;
    return 'SQL lives in the *.queries.ts of its table: give this statement a named function there and call it.';
  },
  examples: [
    offence(
      'src/modules/orders/order.rules.ts',
      'const a = 1;\nawait sql`delete from orders`.execute(db);',
      2,
    ),
    offence('src/modules/orders/order.rules.ts', 'const rows = sql<Row>`select 1`;'),
    offence('src/modules/orders/operations/cancel-order.ts', "db\n  .selectFrom('orders')", 1),
    offence('src/worker/worker.ts', "db.updateTable('deliveries').set({ attempts: 1 });"),
    offence('src/cli/seed.ts', "await client.query('truncate orders');"),
    offence('src/operation/idempotency.ts', "run(db, 'INSERT INTO idempotency_keys VALUES ($1)');"),
    offence(
      'src/operation/idempotency.ts',
      'run(db, `select ${columns}\nfrom idempotency_keys where id = $1`);',
    ),
    innocent('src/modules/orders/order.queries.ts', "db.selectFrom('orders'); sql`select 1`;"),
    innocent('src/infra/database/database.ts', "client.query('begin');"),
    innocent('src/infra/embedded-postgres/cluster.ts', "client.query('create role tradeline');"),
    innocent('src/modules/orders/order.rules.test.ts', 'sql`select 1`;'),
    innocent(
      'src/modules/orders/order.rules.ts',
      '// the select from orders, sql`x`\nconst query = select(from);',
    ),
    innocent(
      'src/modules/orders/order.rules.ts',
      "const hint = 'Select a term from the list.', b = { query: 1 };",
    ),
  ],
});

const TIME_READS = new Set(['Date.now', 'performance.now', 'process.hrtime', 'Temporal.Now']);

export const timeFromClock = nodeCheck({
  name: 'time-from-the-clock',
  applies: (path) => isProgram(path) && path !== 'src/infra/time/clock.ts',
  judge(node) {
    const name = dottedName(node)?.replace(/^globalThis\./, '') ?? '';
    const isBareDate =
      (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
      dottedName(node.expression) === 'Date' &&
      (node.arguments?.length ?? 0) === 0;
    if (!isBareDate && !TIME_READS.has(name)) return undefined;
    return 'Only src/infra/time/clock.ts reads the time: take the instant, or the clock, as an argument.';
  },
  examples: [
    offence('src/modules/orders/order.rules.ts', 'const now = Date.now();'),
    offence('src/kernel/signature.ts', '\nconst now = new Date();', 2),
    offence('src/http/server.ts', 'const start = globalThis.performance.now();'),
    offence('src/worker/worker.ts', 'const start = process.hrtime.bigint();'),
    offence('src/worker/worker.ts', 'const start = Temporal.Now.instant();'),
    offence('src/worker/worker.ts', 'later(Date.now);'),
    innocent('src/infra/time/clock.ts', 'const now = Date.now();'),
    innocent('src/modules/orders/order.rules.test.ts', 'const now = Date.now();'),
    innocent(
      'src/kernel/calendar.ts',
      '// never Date.now()\nconst day = new Date(dueAt * 1000), now = clock.now();',
    ),
  ],
});

export const environmentFromConfig = nodeCheck({
  name: 'environment-from-config',
  applies: (path) => isProgram(path) && !path.startsWith('src/config/'),
  judge(node) {
    const isElement =
      ts.isElementAccessExpression(node) &&
      dottedName(node.expression) === 'process' &&
      textOf(node.argumentExpression) === 'env';
    const isPattern =
      ts.isVariableDeclaration(node) &&
      ts.isObjectBindingPattern(node.name) &&
      node.initializer !== undefined &&
      dottedName(node.initializer) === 'process' &&
      node.name.elements.some((element) => (element.propertyName ?? element.name).getText() === 'env');
    const isImport =
      ts.isImportSpecifier(node) &&
      (node.propertyName ?? node.name).text === 'env' &&
      /^(node:)?process$/.test(textOf(node.parent.parent.parent.moduleSpecifier) ?? '');
    if (dottedName(node) !== 'process.env' && !isElement && !isPattern && !isImport) return undefined;
    return 'Only src/config reads the environment: add the setting there and take its value as an argument.';
  },
  examples: [
    offence('src/infra/log.ts', 'const level = process.env.LOG_LEVEL;'),
    offence('src/infra/log.ts', "const level = process['env'].LOG_LEVEL;"),
    offence('src/cli/serve.ts', 'const { env } = process;'),
    offence('src/main.ts', "import { argv, env as settings } from 'node:process';"),
    innocent('src/config/index.ts', 'const level = process.env.LOG_LEVEL;'),
    innocent('test/support/server.ts', 'const level = process.env.LOG_LEVEL;'),
    innocent(
      'src/infra/log.ts',
      "// process.env\nconst hint = 'process.env', { pid } = process, env = settings.env;",
    ),
  ],
});

export const chanceFromCrypto = nodeCheck({
  name: 'chance-from-crypto',
  applies: (path) => isProgram(path) && path !== 'src/kernel/backoff.ts',
  judge: (node) =>
    dottedName(node) === 'Math.random'
      ? 'Math.random can be guessed: take node:crypto, or randomShare of kernel/backoff for jitter.'
      : undefined,
  examples: [
    offence('src/kernel/api-key.ts', 'const secret = Math.random();'),
    innocent('src/kernel/backoff.ts', 'const jitter = Math.random();'),
    innocent('bench/load.ts', 'const pick = Math.random();'),
    innocent('src/kernel/api-key.ts', "const secret = randomBytes(24); const hint = 'Math.random';"),
  ],
});

export const terminalFromCommands = nodeCheck({
  name: 'terminal-from-commands',
  applies: (path) => isProgram(path) && !/^src\/(cli\/|main\.ts$)/.test(path),
  judge: (node) =>
    ts.isPropertyAccessExpression(node) && dottedName(node.expression) === 'console'
      ? 'Only main.ts and the commands write to the terminal: take the log as an argument.'
      : undefined,
  examples: [
    offence('src/infra/database/database.ts', "\n\nconsole.error('lost');", 3),
    innocent('src/main.ts', "console.log('ready');"),
    innocent('src/cli/serve.ts', "console.log('ready');"),
    innocent('scripts/print.ts', "console.log('ready');"),
    innocent('src/infra/database/database.ts', "// console.log\nlog.error('console.log');"),
  ],
});

const OUTSIDE_WORLD =
  /^(node:)?(fs|net|https?|http2|child_process|dns|tls|dgram|cluster|worker_threads|readline)(\/|$)|^(pg|kysely|fastify|undici|pino|node-pg-migrate)(\/|$)/;

export const kernelWithoutIo = nodeCheck({
  name: 'kernel-without-io',
  applies: (path) => isProgram(path) && path.startsWith('src/kernel/'),
  judge(node) {
    const isDynamic = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
    const isStatic = ts.isImportDeclaration(node) || ts.isExportDeclaration(node);
    const target = isStatic ? node.moduleSpecifier : isDynamic ? node.arguments[0] : undefined;
    if (target === undefined || !OUTSIDE_WORLD.test(textOf(target) ?? '')) return undefined;
    return `The kernel is pure code and does no I/O: what needs ${textOf(target)} belongs in src/infra.`;
  },
  examples: [
    offence('src/kernel/currency.ts', "import { readFileSync } from 'node:fs';"),
    offence('src/kernel/currency.ts', "import type { Pool } from 'pg';"),
    offence('src/kernel/currency.ts', "export { lookup } from 'dns/promises';"),
    offence('src/kernel/currency.ts', "const { connect } = await import('node:net');"),
    innocent(
      'src/kernel/signature.ts',
      "import { createHmac } from 'node:crypto';\nimport { Type } from 'typebox';",
    ),
    innocent('src/kernel/signature.test.ts', "import { readFileSync } from 'node:fs';"),
    innocent('src/infra/database/database.ts', "import pg from 'pg';"),
  ],
});

export const moneyIsInteger = nodeCheck({
  name: 'money-is-integer',
  applies: isModuleProgram,
  judge(node) {
    const isFloatCall =
      /^(Number\.)?parseFloat$/.test(dottedName(node) ?? '') || calledMethod(node) === 'toFixed';
    const isShare = ts.isBinaryExpression(node) && /^[/]=?$/.test(node.operatorToken.getText());
    const isHundredth = isShare && /^100(\.0*|_00)?$/.test(node.right.getText());
    if (!isFloatCall && !isHundredth) return undefined;
    return 'Money is whole minor units and never a float: compute with kernel/amount, format where it is shown.';
  },
  examples: [
    offence('src/modules/orders/order.rules.ts', 'const gross = parseFloat(text);'),
    offence('src/modules/orders/order.rules.ts', 'const gross = Number.parseFloat(text);'),
    offence('src/modules/orders/order.rules.ts', 'const gross = net.toFixed(2);'),
    offence('src/modules/orders/order.rules.ts', 'const euros = grossMinor / 100;'),
    innocent(
      'src/modules/orders/order.rules.ts',
      "// net / 100\nconst a = pages / 1000, b = 100 / n, c = 'x / 100';",
    ),
    innocent('src/infra/log.ts', 'const seconds = (ms / 100).toFixed(1);'),
  ],
});

export const htmlIsEscaped = nodeCheck({
  name: 'html-is-escaped',
  applies: isProgram,
  judge(node) {
    if (!ts.isImportDeclaration(node) || !/^hono(\/|$)/.test(textOf(node.moduleSpecifier) ?? ''))
      return undefined;
    const bindings = node.importClause?.namedBindings;
    const names =
      bindings && ts.isNamedImports(bindings)
        ? bindings.elements.map((element) => (element.propertyName ?? element.name).text)
        : ['*'];
    if (names.every((name) => name === 'html')) return undefined;
    return 'HTML is made by the tag `html` alone, which escapes every value: nothing is written past it.';
  },
  examples: [
    offence('src/pages/markup.ts', "import { html, raw } from 'hono/html';"),
    offence('src/pages/markup.ts', "import { raw as html } from 'hono/html';"),
    offence('src/pages/markup.ts', "import * as all from 'hono/html';"),
    innocent('src/pages/markup.ts', "import { html as tag } from 'hono/html';"),
    innocent('src/checkout-pages/page/step-page.ts', "import { html } from '#pages/markup';"),
  ],
});
