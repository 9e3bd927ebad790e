import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { isOnCluster } from '#test/cluster';
import { collectAll, collectYoung } from '#test/garbage';
import { createWorld, type World } from '#test/world';
import { collectWhenDoubled } from '../garbage-collection.ts';
import { type Db, isDatabaseAway, isRetryable, openDatabase, SERVICE_ROLE } from './database.ts';
import { inSnapshot, inTransaction } from './transaction.ts';

const ANSWER_BYTES = 20_000;

let world: World;
let db: Db;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  db = world.installation.db;
});
afterAll(() => world.close());

describe('a statement', () => {
  it('is named by its text and prepared once per connection', async () => {
    await db.connection().execute(async (one) => {
      for (const id of [1, 2, 3])
        await one.selectFrom('platforms').select('code').where('platform_id', '=', id).execute();
      const { rows } = await sql<{ name: string; calls: number }>`
        select name, generic_plans + custom_plans as calls from pg_prepared_statements where statement like 'select "code" from%'`.execute(
        one,
      );
      expect(rows).toEqual([{ name: expect.stringMatching(/^[\w-]{22}$/), calls: 3 }]);
    });
  });

  // A cluster plans on the nodes.
  it.skipIf(isOnCluster())(
    'keeps a plan that does not read a table whole, though it was made when the table was a page',
    async () => {
      await world.sql('vacuum analyze platforms');
      await db.connection().execute(async (one) => {
        for (let run = 1; run <= 6; run++)
          await one.selectFrom('platforms').select('name').where('platform_id', '=', run).execute();
        const { rows } = await sql<{ name: string; kept: number }>`
        select name, generic_plans as kept from pg_prepared_statements where statement like 'select "name" from%'`.execute(
          one,
        );
        const [prepared] = rows;
        expect(prepared?.kept).toBe(1);
        const explained = await sql.raw<object>(`explain execute "${prepared?.name}"(1)`).execute(one);
        expect(JSON.stringify(explained.rows)).toContain('Index Scan using platforms_pkey');
      });
    },
  );

  it('is prepared again once a migration has added a column to its answer', async () => {
    await world.sql('create table growing (id integer)');
    await world.sql('insert into growing values (1)');
    const { db: one, close } = openDatabase({ connection: world.installation.owner, connectionsMax: 1 });
    const read = async (on: Db) => (await sql`select * from growing where id = ${1}::int`.execute(on)).rows;
    expect(await read(one)).toEqual([{ id: 1 }]);
    await world.sql('alter table growing add column name text');
    expect(await read(one)).toEqual([{ id: 1, name: null }]);
    expect(await read(one)).toEqual([{ id: 1, name: null }]);
    await world.sql('alter table growing add column more text');
    expect(await inTransaction(one, read)).toEqual([{ id: 1, name: null, more: null }]);
    await world.sql('alter table growing drop column more');
    expect(await inSnapshot(one, read)).toEqual([{ id: 1, name: null }]);
    await close();
    await world.sql('drop table growing');
  });

  it('is prepared again on all connections once one of them has found it outdated', async () => {
    await world.sql('create table changing (id integer)');
    await world.sql('insert into changing values (1)');
    const { db: two, close } = openDatabase({ connection: world.installation.owner, connectionsMax: 2 });
    let reads = 0;
    const read = async (on: Db) => {
      reads++;
      return (await sql`select * from changing where id = ${1}::int`.execute(on)).rows;
    };
    const readOnBoth = () =>
      two.connection().execute(async (one) => [await read(one), await inTransaction(two, read)]);
    await readOnBoth();
    await world.sql('alter table changing add column name text');
    reads = 0;
    const row = { id: 1, name: null };
    expect(await readOnBoth()).toEqual([[row], [row]]);
    expect(reads).toBe(2);
    await close();
    await world.sql('drop table changing');
  });

  it('leaves nothing of its answer among the old objects', async () => {
    collectWhenDoubled();
    const heapAfter = async (statements: number) => {
      for (let nth = 0; nth < statements; nth++)
        await sql`select repeat('x', ${ANSWER_BYTES}::int) as answer`.execute(db);
      collectYoung();
      return process.memoryUsage().heapUsed;
    };
    await heapAfter(100);
    collectAll();
    const before = await heapAfter(1);
    expect((await heapAfter(200)) - before).toBeLessThan(50 * ANSWER_BYTES);
  });

  it('runs as the role of the service, with time limits', async () => {
    const { rows: names } = await sql<{ name: string }>`select current_database() as name`.execute(db);
    const connection = { ...inject('postgres').service, database: names[0]?.name as string };
    const ordinary = openDatabase({ connection, connectionsMax: 1 });
    const { rows } = await sql`
      select current_user as role, current_setting('statement_timeout') as statement,
        current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle`.execute(
      ordinary.db,
    );
    await ordinary.close();
    expect(rows).toEqual([{ role: SERVICE_ROLE, statement: '8s', lock: '5s', idle: '15s' }]);
  });

  it('returns int8 exactly or throws', async () => {
    const select = (number: string) => sql<{ n: number }>`select ${number}::bigint as n`.execute(db);
    expect((await select('9007199254740991')).rows).toEqual([{ n: 9_007_199_254_740_991 }]);
    expect((await select('-9007199254740991')).rows).toEqual([{ n: -9_007_199_254_740_991 }]);
    await expect(select('9007199254740992')).rejects.toThrow(
      '9007199254740992 does not fit an exact integer',
    );
  });
});

describe('an error', () => {
  const withCode = (code: string) => Object.assign(new Error('something'), { code });

  it.each([
    '08006',
    '57P01',
    '57P03',
    '53300',
    'ECONNREFUSED',
    'ECONNRESET',
    'ENOENT',
    'EPIPE',
    'ETIMEDOUT',
    'EAI_AGAIN',
  ])('with the code %s means that the database is unavailable', (code) => {
    expect(isDatabaseAway(withCode(code))).toBe(true);
    expect(isRetryable(withCode(code))).toBe(false);
  });

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'failure on connection marked as essential: 10.0.0.7:5432',
    'server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally',
    'SSL SYSCALL error: EOF detected',
    'could not receive data from server: Connection reset by peer',
    'timeout exceeded when trying to connect',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
  ])('of pg, "%s", is recognised as well', (message) => {
    expect(isDatabaseAway(new Error(message))).toBe(true);
  });

  it.each([
    ['a node is lost', '08006', 'connection to the remote node failed', true],
    ['a node is lost', 'XX000', 'server closed the connection unexpectedly', true],
    ['a check refuses', 'P0001', 'a ledger entry without lines', false],
  ])(
    'of a commit on a cluster during which %s, warned of with %s, is told from others',
    async (_, code, warning, isAway) => {
      const { db: cluster, close } = openDatabase({
        ...{ connection: world.installation.owner, connectionsMax: 1, isCluster: true },
      });
      const fail = (...statements: string[]) =>
        sql
          .raw(`do $$ begin ${statements.join('; ')}; end $$`)
          .execute(cluster)
          .catch((error) => error);
      const warn = `raise warning '${warning}' using errcode = '${code}'`;
      const refuse = `raise exception 'could not commit transaction for shard 102008 on at least one active node'`;
      expect(isDatabaseAway(await fail(warn, refuse))).toBe(isAway);
      // The warning was of another statement.
      expect(isDatabaseAway(await fail(refuse))).toBe(false);
      await close();
    },
  );

  it.each(['23505', '23503', '22021', '42501', '42P01', '22003', '40001'])(
    'with the code %s does not',
    (code) => {
      expect(isDatabaseAway(withCode(code))).toBe(false);
    },
  );

  it.each(['40001', '40P01'])('with the code %s means that the transaction must run again', (code) => {
    expect(isRetryable(withCode(code))).toBe(true);
  });

  it('that is not an Error means neither', () => {
    for (const thrown of [null, undefined, 'ECONNREFUSED', {}]) {
      expect(isDatabaseAway(thrown)).toBe(false);
      expect(isRetryable(thrown)).toBe(false);
    }
  });
});
