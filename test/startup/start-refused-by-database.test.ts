import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processesBelow } from '#test/embedded-postgres-processes';
import { type OwnPostgres, startOwnPostgres } from '#test/own-postgres';
import { endPrograms, runCommand, startProgram, temporaryFolder } from '#test/program';

let postgres: OwnPostgres;

beforeAll(async () => {
  postgres = await startOwnPostgres();
});
afterAll(async () => {
  await postgres?.stop();
  await endPrograms();
});

describe('a DATABASE_URL that leads nowhere', () => {
  it('names the address if nothing listens', async () => {
    const port = await closedPort();
    const stderr = await refuse({ DATABASE_URL: `postgres://user:hunter2@127.0.0.1:${port}/db` });
    expect(stderr).toBe(
      `Cannot connect to the database of DATABASE_URL: connect ECONNREFUSED 127.0.0.1:${port}.\n`,
    );
    const byName = await refuse({ DATABASE_URL: `postgres://user:hunter2@localhost:${port}/db` });
    expect(byName).toContain(`connect ECONNREFUSED 127.0.0.1:${port}`);
  });

  it('does not wait for a server that accepts and never answers', async () => {
    const server = createServer();
    const port = await listen(server);
    const stderr = await refuse({ DATABASE_URL: `postgres://user:hunter2@127.0.0.1:${port}/db` });
    expect(stderr).toBe('Cannot connect to the database of DATABASE_URL: timeout expired.\n');
    server.close();
  });

  it('reports a wrong password without printing it', async () => {
    await postgres.addLogin('anna');
    const stderr = await refuse({ DATABASE_URL: postgres.url('anna', 'hunter2', 'postgres') });
    expect(stderr).toBe(
      'Cannot connect to the database of DATABASE_URL: password authentication failed for user "anna".\n',
    );
  });

  it('reports a missing database', async () => {
    const password = await postgres.addLogin('berta');
    const stderr = await refuse({ DATABASE_URL: postgres.url('berta', password, 'missing') });
    expect(stderr).toBe(
      'Cannot connect to the database of DATABASE_URL: database "missing" does not exist.\n',
    );
  });

  it('reports which of the two logins fails', async () => {
    const password = await postgres.addLogin('clara', 'createrole');
    const good = postgres.url('clara', password, 'postgres');
    const bad = postgres.url('clara', 'hunter2', 'postgres');
    expect(await refuse({ DATABASE_URL: good, DATABASE_OWNER_URL: bad })).toMatch(
      /^Cannot connect to the database of DATABASE_OWNER_URL/,
    );
    expect(await refuse({ DATABASE_URL: bad, DATABASE_OWNER_URL: good })).toMatch(
      /^Cannot connect to the database of DATABASE_URL:/,
    );
  });
});

describe('a DATABASE_URL without the rights the service needs', () => {
  it('prints what an administrator must run, and starts after that', async () => {
    // Another test may have made the role.
    await postgres.sql('drop role if exists tradeline_service');
    const password = await postgres.addLogin('dora');
    await postgres.addDatabase('shop', 'postgres');
    const DATABASE_URL = postgres.url('dora', password, 'shop');
    const env = { DATABASE_URL, TRADELINE_DATA_DIR: join(temporaryFolder(), 'data') };

    expect(await refuse(env)).toBe(
      'The login of DATABASE_URL may not create the role tradeline_service that the service acts as ' +
        '(permission denied to create role): let an administrator run `create role tradeline_service nologin` ' +
        'and grant it to the login of DATABASE_URL.\n',
    );
    await postgres.sql('create role tradeline_service nologin');
    expect(await refuse(env)).toBe(
      'The login dora of DATABASE_URL may not act as tradeline_service (permission denied to grant role ' +
        '"tradeline_service"): let an administrator run `grant tradeline_service to "dora"`.\n',
    );
    await postgres.sql('grant tradeline_service to "dora"');
    expect(await refuse(env)).toBe(
      'The login dora of DATABASE_OWNER_URL, or of DATABASE_URL where that is not set, may not migrate the database ' +
        '(it may create no tables): let an administrator run `alter database "shop" owner to "dora"`.\n',
    );
    await postgres.sql('grant create on schema public to "dora"', 'shop');
    expect(await refuse(env)).toMatch(
      /^The login dora .* \(permission denied to create extension "pg_trgm"\): /,
    );
    await postgres.sql('alter database "shop" owner to "dora"');
    const migrated = await runCommand(['migrate'], env);
    expect(migrated).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('a database of another installation', () => {
  const key = Buffer.alloc(32, 1).toString('base64');
  const production = { TRADELINE_ENVIRONMENT: 'production', TRADELINE_MASTER_KEY: key };
  let dataDir: string;
  let keyFile: string;

  beforeAll(async () => {
    const program = await startProgram({ args: ['--empty'] });
    dataDir = program.dataDir;
    keyFile = join(dataDir, 'master-key');
    await program.stop();
  });

  it('of a sandbox is not started in production', async () => {
    expect(await refuse({ ...production, TRADELINE_DATA_DIR: dataDir })).toBe(
      'This database is a sandbox one: set TRADELINE_ENVIRONMENT=sandbox, or point to another database with DATABASE_URL or TRADELINE_DATA_DIR.\n',
    );
    expect(processesBelow(dataDir)).toEqual([]);
  });

  it('of production is not started as a sandbox', async () => {
    const made = await startProgram({ env: production });
    await made.stop();
    for (const more of [{}, { TRADELINE_MASTER_KEY: key }]) {
      expect(await refuse({ TRADELINE_DATA_DIR: made.dataDir, ...more })).toMatch(
        /^This database is a production one: set TRADELINE_ENVIRONMENT=production, /,
      );
    }
  });

  it('is not opened with another master key', async () => {
    expect(await refuse({ TRADELINE_DATA_DIR: dataDir, TRADELINE_MASTER_KEY: key })).toBe(
      'This database was created with another master key: set TRADELINE_MASTER_KEY to that key.\n',
    );
  });

  it('creates no new master key if its own is missing, damaged or another one', async () => {
    const refused = () => refuse({ TRADELINE_DATA_DIR: dataDir });
    const kept = `${keyFile}.kept`;
    renameSync(keyFile, kept);
    expect(await refused()).toBe(
      `The master key of this database is not in ${dataDir}: restore its file master-key from a backup, or set TRADELINE_MASTER_KEY.\n`,
    );
    writeFileSync(keyFile, readFileSync(kept, 'utf8').slice(0, 20));
    expect(await refused()).toBe(
      `The master key in ${keyFile} is damaged; restore it from a backup, or set TRADELINE_MASTER_KEY.\n`,
    );
    writeFileSync(keyFile, `${key}\n`);
    expect(await refused()).toMatch(
      /^This database was created with another master key than the file master-key in /,
    );
    rmSync(keyFile);
    renameSync(kept, keyFile);
    const again = await startProgram({ dataDir });
    expect(again.apiKey).toMatch(/^tl_test_/);
    await again.stop();
  });
});

/** Starts, expects one line on standard error, exit code 1 and no stack trace, and returns the line. */
async function refuse(env: Record<string, string>): Promise<string> {
  const dataDir = join(temporaryFolder(), 'data');
  const result = await runCommand(['serve'], { PORT: '0', TRADELINE_DATA_DIR: dataDir, ...env });
  expect(result).toMatchObject({ code: 1, signal: null });
  expect(result.stderr).toMatch(/^[^\n]+\.\n$/);
  expect(result.stderr).not.toContain('hunter2');
  return result.stderr;
}

async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function listen(server: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  );
}
