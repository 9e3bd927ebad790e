import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { type OwnPostgres, startOwnPostgres } from '#test/own-postgres';
import { endPrograms, type RunningProgram, runCommand, startProgram, temporaryFolder } from '#test/program';
import { get, post } from '#test/program-requests';

let postgres: OwnPostgres;

beforeAll(async () => {
  postgres = await startOwnPostgres();
});
afterAll(async () => {
  await postgres?.stop();
  await endPrograms();
});

/** The role of the service's statements: a column that only the database fills in. */
async function serviceRole(program: RunningProgram, database: string): Promise<unknown> {
  await postgres.sql(
    'alter table buyers add column if not exists made_by text default current_user',
    database,
  );
  const externalId = `made-by-${program.pid}`;
  expect((await post(program, '/v1/buyers', buyerBody({ external_id: externalId }))).status).toBe(201);
  const [row] = await postgres.sql(
    `select made_by from buyers where external_id = '${externalId}'`,
    database,
  );
  return row?.made_by;
}

describe('with one login, which owns its database', () => {
  const database = 'alone';
  let program: RunningProgram;
  let url: string;

  beforeAll(async () => {
    const password = await postgres.addLogin('tradeline', 'createrole');
    await postgres.addDatabase(database, 'tradeline');
    url = postgres.url('tradeline', password, database);
    program = await startProgram({ env: { DATABASE_URL: url } });
  });

  it('the program starts no embedded PostgreSQL and writes the demo data there', async () => {
    expect(readdirSync(program.dataDir)).toEqual(['master-key']);
    expect(program.output()).toMatch(/^Migrated the database: 0001_foundation\n/);
    expect((await get(program, '/v1/orders')).body.total).toBeGreaterThan(10);
  });

  it('the service acts as a role that is no superuser and owns nothing', async () => {
    expect(await serviceRole(program, database)).toBe('tradeline_service');
    const [role] = await postgres.sql(
      `select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolcanlogin,
        (select count(*)::int from pg_class where relowner = r.oid) as owned
      from pg_roles r where rolname = 'tradeline_service'`,
      database,
    );
    expect(role).toEqual({
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolbypassrls: false,
      rolcanlogin: false,
      owned: 0,
    });
  });

  it.each([
    ["update order_transitions set actor = 'nobody'", 'permission denied for table order_transitions'],
    ['delete from order_transitions', 'permission denied for table order_transitions'],
    ['truncate events cascade', 'permission denied for table events'],
    ["update installation set environment = 'production'", 'permission denied for table installation'],
    ['delete from platforms', 'permission denied for table platforms'],
    ['delete from schema_migrations', 'permission denied for table schema_migrations'],
    ['alter table buyers add column x text', 'must be owner of table buyers'],
    ['create table x (x text)', 'permission denied for schema public'],
    ['create schema x', `permission denied for database ${database}`],
  ])('the service may not: %s', async (statement, refusal) => {
    await expect(postgres.sql(`set role tradeline_service; ${statement}`, database)).rejects.toThrow(refusal);
  });

  it('a second process works beside the first, and both see the same', async () => {
    const beside = await startProgram({ dataDir: program.dataDir, env: { DATABASE_URL: url } });
    expect(beside.apiKey).toBe(program.apiKey);
    await post(beside, '/v1/buyers', buyerBody({ external_id: 'from-beside' }));
    expect((await get(program, '/v1/buyers/from-beside')).status).toBe(200);
    expect(await beside.stop()).toBe(0);
  });

  it('the settings of the service hold for its sessions', async () => {
    await postgres.sql(
      "alter table buyers add column made_with text default concat_ws(' ', current_setting('enable_seqscan'), current_setting('statement_timeout'))",
      database,
    );
    await post(program, '/v1/buyers', buyerBody({ external_id: 'settled' }));
    const rows = await postgres.sql("select made_with from buyers where external_id = 'settled'", database);
    expect(rows).toEqual([{ made_with: 'off 8s' }]);
  });

  it('options in the URL are kept, and do not change who the service is', async () => {
    const options = encodeURIComponent('-c role=tradeline -c application_name=hers');
    const env = { DATABASE_URL: `${url}&options=${options}` };
    const other = await startProgram({ dataDir: program.dataDir, env });
    expect(await serviceRole(other, database)).toBe('tradeline_service');
    await other.stop();
  });

  it('a command works beside the server, and stopping the server leaves the database running', async () => {
    const env = { DATABASE_URL: url, TRADELINE_DATA_DIR: program.dataDir };
    expect(await runCommand(['platform', 'list'], env)).toMatchObject({ code: 0, stderr: '' });
    expect(await program.stop()).toBe(0);
    expect(await postgres.sql('select 1 as one')).toEqual([{ one: 1 }]);
    expect(await runCommand(['migrate'], env)).toEqual({
      code: 0,
      signal: null,
      stdout: expect.stringMatching(/^Up to date: the PostgreSQL \S+ of DATABASE_URL\.\n$/),
      stderr: '',
    });
  });
});

describe('with DATABASE_OWNER_URL beside it', () => {
  it('the login of the service needs no rights: it is made a member of the role, and owns nothing', async () => {
    const ownerPassword = await postgres.addLogin('landlord', 'createrole');
    const password = await postgres.addLogin('tenant');
    await postgres.addDatabase('rented', 'landlord');
    // Created by another login: only a superuser, or a login with the right to do so, may grant it.
    await postgres.sql('grant tradeline_service to landlord with admin option');
    const program = await startProgram({
      env: {
        DATABASE_URL: postgres.url('tenant', password, 'rented'),
        DATABASE_OWNER_URL: postgres.url('landlord', ownerPassword, 'rented'),
      },
    });
    expect(await serviceRole(program, 'rented')).toBe('tradeline_service');
    const owners = await postgres.sql(
      "select distinct tableowner::text as name from pg_tables where schemaname = 'public'",
      'rented',
    );
    expect(owners).toEqual([{ name: 'landlord' }]);
    await expect(postgres.sql('set role tenant; create table x (x text)', 'rented')).rejects.toThrow(
      'permission denied for schema public',
    );
    await program.stop();
  });
});

describe('two first starts at once', () => {
  it('make one platform, one story and one master key', async () => {
    const password = await postgres.addLogin('twins', 'createrole');
    await postgres.sql('grant tradeline_service to twins with admin option');
    await postgres.addDatabase('shared', 'twins');
    const env = { DATABASE_URL: postgres.url('twins', password, 'shared') };
    const dataDir = join(temporaryFolder(), 'data');
    const programs = await Promise.all([startProgram({ env, dataDir }), startProgram({ env, dataDir })]);
    expect(programs[0].apiKey).toBe(programs[1].apiKey);
    for (const program of programs) expect((await get(program, '/v1/buyers')).body.total).toBe(7);
    expect(await postgres.sql('select count(*)::int as n from platforms', 'shared')).toEqual([{ n: 1 }]);
    expect(readdirSync(dataDir)).toEqual(['master-key']);
    await Promise.all(programs.map((program) => program.stop()));
  });
});
