/** Which tables a move copies, and what their triggers do meanwhile. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listCopiedTables } from '#infra/database/copied-tables.queries';
import { settingsOf } from '#test/command';
import { createWorld, type World } from '#test/world';
import { SHARED_TABLES } from '../../src/cli/shared-tables.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
});
afterAll(() => world.close());

describe('the schema', () => {
  it('says of every table whose it is', async () => {
    const tables = await listCopiedTables(world.installation.db, SHARED_TABLES);
    expect(tables.length + Object.keys(SHARED_TABLES).length).toBeGreaterThan(120);
    await world.sql('create table of_nobody (a integer)');
    await expect(listCopiedTables(world.installation.db, SHARED_TABLES)).rejects.toThrow(/Say of of_nobody/);
    await world.sql('drop table of_nobody');
  });

  it('has no trigger that writes during an import, and none that the service can switch off', async () => {
    const functions = await world.sql<{ name: string; source: string }>(
      "select proname::text as name, prosrc as source from pg_proc where prorettype = 'trigger'::regtype and pronamespace = 'public'::regnamespace",
    );
    const unguarded = functions.filter(
      ({ source: text }) => !/begin\s+if is_import\(\) then\s+return null;/.test(text),
    );
    // It only reads, and checks what has arrived.
    expect(unguarded.map(({ name }) => name)).toEqual(['facility_matches_ledger']);
    const { DATABASE_URL = '' } = await settingsOf(world);
    const service = new pg.Client({ connectionString: DATABASE_URL });
    const owner = new pg.Client(world.installation.owner);
    for (const [client, isImport] of [
      [owner, true],
      [service, false],
    ] as const) {
      await client.connect();
      await client.query("set tradeline.import = 'on'");
      expect((await client.query('select is_import()')).rows).toEqual([{ is_import: isImport }]);
      await client.end();
    }
  });
});
