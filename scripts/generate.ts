/**
 * Prints the generated files: src/infra/database/schema.ts, schema.sql, openapi.json, and the pages of docs/reference that are marked as
 * printed. With --check it writes nothing and fails if a committed file is stale.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { describeApi } from '#api/openapi';
import { v1 } from '#api/v1';
import { migrate } from '#infra/database/migrate';
import { startEmbeddedPostgres } from '#infra/embedded-postgres/embedded-postgres';
import { lifecycles } from '#modules/meta';
import { printCreditPages } from './print-credit-pages.ts';
import { printLedgerPage } from './print-ledger-page.ts';
import { printLifecycles } from './print-lifecycles.ts';
import { printMailTexts } from './print-mail-texts.ts';
import { printMailsPage } from './print-mails-page.ts';
import { printSchema } from './print-schema.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

async function generate(): Promise<Record<string, string>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tradeline-generate-'));
  const postgres = await startEmbeddedPostgres({ dataDir, report: () => {}, settings: { fsync: 'off' } });
  try {
    const owner = postgres.endpoint('owner');
    await migrate(owner, () => {});
    const client = new pg.Client(owner);
    await client.connect();
    const schemaSql = await printSchema(client);
    await client.end();
    return {
      'schema.sql': schemaSql,
      'src/infra/database/schema.ts': rowTypes(owner, dataDir),
      'openapi.json': `${JSON.stringify(describeApi(v1), null, 2)}\n`,
      'docs/reference/lifecycles.md': printLifecycles(lifecycles),
      ...printCreditPages(),
      'docs/reference/ledger.md': printLedgerPage(),
      'docs/reference/mails.md': printMailsPage(),
      ...(await printMailTexts()),
    };
  } finally {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function rowTypes(
  owner: { host: string; port: number; user: string; password: string; database: string },
  folder: string,
): string {
  const outFile = join(folder, 'schema.ts');
  const url = `postgres://${owner.user}:${encodeURIComponent(owner.password)}@/${owner.database}?host=${encodeURIComponent(owner.host)}&port=${owner.port}`;
  execFileSync(
    process.execPath,
    [
      join(root, 'node_modules/kysely-codegen/dist/cli/bin.js'),
      '--url',
      url,
      '--out-file',
      outFile,
      '--log-level',
      'error',
    ],
    { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  return readFileSync(outFile, 'utf8');
}

const files = await generate();
const isCheck = process.argv.includes('--check');
for (const [name, content] of Object.entries(files)) {
  const path = join(root, name);
  let committed = '';
  try {
    committed = readFileSync(path, 'utf8');
  } catch {
    // A file that is missing is stale.
  }
  if (committed === content) continue;
  if (isCheck) {
    console.error(`${name}: is stale; run npm run generate and commit what it prints.`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    console.log(`Printed ${name}`);
  }
}
