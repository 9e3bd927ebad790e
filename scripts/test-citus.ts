/** `npm run test:citus`: runs the tests that use a database on the cluster in DATABASE_URL. Explains if there is none. */
import { spawn } from 'node:child_process';
import pg from 'pg';
import { findCluster } from '../src/infra/database/citus.ts';

const reason = await reasonToSkip();
if (reason === null) {
  const args = ['run', '--config', 'vitest.citus.config.ts', ...process.argv.slice(2)];
  spawn('vitest', args, { stdio: 'inherit' }).on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
} else console.log(`Skipped: ${reason}`);

async function reasonToSkip(): Promise<string | null> {
  const url = process.env.DATABASE_URL;
  if (!url)
    return 'DATABASE_URL is not set. It must lead to the coordinator of a cluster of Citus, as a superuser.';
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const cluster = await findCluster(client);
    return cluster ? null : 'the PostgreSQL of DATABASE_URL has no Citus.';
  } finally {
    await client.end();
  }
}
