/** `tradeline platform export`, `import` and `relocated`: a platform moves to another database with all its data. */
import { appendFile, cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { positionEvents } from '#infra/database/outbox.queries';
import { numberEntries } from '#modules/ledger';
import { writeCompanies } from '#modules/registry';
import { buyerBody, draftOrderBody } from '#test/bodies';
import { runHere, settingsOf } from '#test/command';
import { createListedWorld } from '#test/every-list';
import { ensureOperator } from '#test/operators';
import { registryEntry } from '#test/registry-entry';
import { answersOf, createTargetWorld, everyPath, rowsOf } from '#test/relocation';
import { STORY_SEEDED_AT } from '#test/story-world';
import type { World } from '#test/world';

let source: World;
let target: World;
let from: Record<string, string>;
let to: Record<string, string>;
let folder: string;
let code: string;
let id: number;
/** The responses of the source before its export. */
let before: Record<string, string>;
beforeAll(async () => {
  source = await createListedWorld({ hasExampleEntry: false });
  ({ code, platform_id: id } = source.platform);
  target = await createTargetWorld(source);
  target.clock.set(STORY_SEEDED_AT);
  // Each company gets another id there, and the target already knows some of the companies.
  await writeCompanies(target.installation.db, [registryEntry({ registryKey: 'of-the-target' })], 1);
  const operatorKey = await ensureOperator(source, 'ada', { role: 'ADMIN' });
  from = { ...(await settingsOf(source)), TRADELINE_OPERATOR_KEY: operatorKey };
  to = await settingsOf(target);
  folder = join(await mkdtemp(join(tmpdir(), 'move-')), 'export');
}, 120_000);
afterAll(async () => {
  await source?.close();
  await target?.close();
  await rm(join(folder, '..'), { recursive: true, force: true });
});

const exportTo = (out: string, wait = '20') =>
  runHere(['platform', 'export', code, '--out', out, '--wait', wait], from);
const importFrom = (path: string, env = to) => runHere(['platform', 'import', code, '--from', path], env);
const deliverAll = () =>
  source.sql(
    "update webhook_deliveries set status = 'DELIVERED', finished_at = now() where platform_id = $1",
    [id],
  );
const numberAll = async () => {
  const { db, vault } = source.installation;
  await positionEvents(db, 10_000);
  await numberEntries(db, vault);
};

const rowsAltogether = async (world: World) =>
  Object.values(await rowsOf(world, id)).reduce((sum, count) => sum + count, 0);

describe('platform export', () => {
  it('is refused while events have no number, and the platform goes on', async () => {
    await source.post('/v1/buyers', buyerBody({ external_id: 'unnumbered' }));
    const refused = await exportTo(folder, '0');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /cannot be exported yet: .*events without a number: \d+.*accepts writes again\.\n$/,
    );
    await numberAll();
    expect((await source.post('/v1/buyers', buyerBody({ external_id: 'goes-on' }))).status).toBe(201);
    await numberAll();
  });

  it('is refused while deliveries are pending', async () => {
    const refused = await exportTo(folder, '0');
    expect(refused.stderr).toMatch(/cannot be exported yet: pending deliveries: \d+\./);
    await deliverAll();
  });

  it('is refused where the platform is not whole', async () => {
    const add = (rows: number) =>
      source.sql(
        `insert into list_count_changes (platform_id, list, filters, filter_values, rows_changes)
        values ($1, 'orders', array['currency'], array['EUR'], array[${rows}])`,
        [id],
      );
    await add(1);
    const refused = await exportTo(folder);
    expect(refused.stderr).toMatch(/^demo is incomplete\.\norders by currency, EUR: the total is \d+/);
    await add(-1);
    expect((await runHere(['platform', 'relocated', code, '--given-up'], from)).code).toBe(0);
  });

  it('is refused into a folder that has something in it', async () => {
    const refused = await exportTo(join(folder, '..', '..'), '0');
    expect(refused.stderr).toMatch(/is not empty: name a new one\.\n$/);
  });

  it('copies every table, nothing unsealed, and leaves the platform only to be read', async () => {
    const paths = await everyPath(source);
    before = await answersOf(source, paths, source.apiKey);
    const done = await exportTo(folder);
    expect(done).toMatchObject({ code: 0, stderr: '' });
    const names = await readdir(folder);
    expect(names).toHaveLength(Object.keys(await rowsOf(source, id)).length + 2);
    const manifest = await readFile(join(folder, 'manifest.json'), 'utf8');
    expect(manifest).not.toContain(source.installation.settings.masterKey?.toString('hex'));
    const [buyers] = await source.sql<{ contact_email_sealed: Buffer }>(
      'select contact_email_sealed from buyers where platform_id = $1 and contact_email_sealed is not null limit 1',
      [id],
    );
    expect(await readFile(join(folder, 'buyers.rows'), 'utf8')).toContain(
      buyers?.contact_email_sealed.toString('hex'),
    );
    const afterwards = await answersOf(source, paths, source.apiKey);
    const differing = paths.filter((path) => afterwards[path] !== before[path]);
    // This read creates a link to the checkout.
    expect(differing.map((path) => path.split('?')[0])).toEqual(['/v1/orders/order-1009/redirect_url']);
    const refused = await source.post('/v1/buyers', buyerBody({ external_id: 'too-late' }));
    expect(refused).toMatchObject({ status: 503 });
    expect(refused.headers.get('retry-after')).toBe('30');
    expect(refused.body.error).toBe('The platform is being moved and is read-only until the move ends');
    const update = await runHere(
      ['platform', 'update', code, '--name', 'Other', '--reason', 'New name.'],
      from,
    );
    expect(update.stderr).toMatch(/is being moved to another database and is read-only here/);
    const list = await runHere(['platform', 'list'], from);
    expect(list.stdout).toMatch(/only read/);
  });
});

describe('platform import', () => {
  /** Imports a changed copy of the folder, which leaves no rows. */
  async function refuses(change: (copy: string) => Promise<unknown>, sentence: RegExp, env = to) {
    const copy = await mkdtemp(join(tmpdir(), 'moved-'));
    await cp(folder, copy, { recursive: true });
    await change(copy);
    const refused = await importFrom(copy, env);
    await rm(copy, { recursive: true });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(sentence);
    expect(await rowsAltogether(target)).toBe(0);
  }

  it('is refused before the database has a number among cells', () =>
    refuses(async () => {}, /no cell number/));

  describe('of a folder that is not as it was written', () => {
    beforeAll(async () => {
      const given = await runHere(['cell', '7'], to);
      expect(given.stdout).toBe('This database is cell 7.\n');
    });
    it('is refused where a file was cut off', () =>
      refuses(
        (copy) => truncate(join(copy, 'orders.rows'), 10),
        /damaged\.\norders\.rows is truncated\.\n$/,
      ));
    it('is refused where a file was changed', () =>
      refuses((copy) => appendFile(join(copy, 'orders.rows'), 'x'), /orders\.rows was changed\.\n$/));
    it('is refused where a file is missing', () =>
      refuses((copy) => rm(join(copy, 'invoices.rows')), /invoices\.rows is missing\.\n$/));
    it('is refused where the export was cut off', () =>
      refuses((copy) => rm(join(copy, 'manifest.json')), /has no manifest: its export was interrupted/));
    it('is refused where the manifest was changed', () =>
      refuses(async (copy) => {
        const path = join(copy, 'manifest.json');
        const text = await readFile(path, 'utf8');
        await writeFile(path, text.replace(`"platform_id": ${id}`, '"platform_id": 99'));
      }, /manifest\.json was changed/));
    it('is refused under another master key', () =>
      refuses(
        (copy) =>
          readFile(join(copy, 'manifest.json'), 'utf8').then((text) =>
            writeFile(
              join(copy, 'manifest.json'),
              text.replace(/("data_key_wrapped": ")../, (_, before) => `${before}zz`),
            ),
          ),
        /under another master key/,
      ));
    it('is refused under another code', async () => {
      const refused = await runHere(['platform', 'import', 'other', '--from', folder], to);
      expect(refused.stderr).toMatch(/has the platform .*, and not other\.\n$/);
    });
    it('is refused where the schemas differ', async () => {
      await target.sql(
        "insert into schema_migrations (name, run_on, works_from) values ('9999_later', now(), 1)",
      );
      await refuses(async () => {}, /exported at the migration \S+, but this database is at 9999_later/);
      await target.sql("delete from schema_migrations where name = '9999_later'");
    });
    it('is refused where the id is that of another platform', async () => {
      const { platform } = await target.addPlatform({ code: 'other' });
      await target.sql('update platform_settings_versions set platform_id = platform_id where false');
      await target.sql(
        `insert into platforms (platform_id, code, name, created_at, country, currency, data_key_wrapped)
        overriding system value select $1, 'same-id', name, created_at, country, currency, data_key_wrapped
        from platforms where platform_id = $2`,
        [id, platform.platform_id],
      );
      const refused = await importFrom(folder);
      expect(refused.stderr).toMatch(/The platform same-id already has the id \d+ of .* here/);
      await target.sql('delete from platforms where platform_id = $1', [id]);
    });
  });

  it('answers the same bytes there, with whole books, totals and chains', async () => {
    const paths = Object.keys(before);
    const counts = await rowsOf(source, id);
    const done = await importFrom(folder);
    expect(done).toMatchObject({ code: 0, stderr: '' });
    const answers = await answersOf(target, paths, source.apiKey);
    expect(answers).toEqual(before);
    expect(Object.values(answers).filter((each) => each.startsWith('200')).length).toBeGreaterThan(80);
    // The import adds its own entry.
    expect(await rowsOf(target, id)).toEqual({ ...counts, audit_entries: (counts.audit_entries ?? 0) + 1 });
    for (const verify of [['verify'], ['ledger', 'verify'], ['audit', 'verify']])
      expect(await runHere([...verify, '--platform', code], to)).toMatchObject({ code: 0, stderr: '' });
  });

  it('names companies by their ids there', async () => {
    const links = async (world: World) =>
      world.sql(
        `select b.external_id, c.registry, c.registry_key from buyers b
        join registry_companies c on c.company_id = b.registry_company_id where b.platform_id = $1 order by 1`,
        [id],
      );
    const ids = (world: World) =>
      world.sql('select registry_company_id from buyers where platform_id = $1 order by external_id', [id]);
    expect(await links(target)).toEqual(await links(source));
    expect((await links(target)).length).toBeGreaterThan(0);
    expect(await ids(target)).not.toEqual(await ids(source));
    const entries = async (world: World) => {
      const { vault } = world.installation;
      const [row] = await world.sql<{ company: number; keys: Buffer[] }>(
        `select registry_company_id::int as company, array(
          select entity_key from buyer_entity_keys k where k.platform_id = b.platform_id and k.buyer_external_id = b.external_id
        ) as keys from buyers b where platform_id = $1 and external_id = 'cafe-morgenrot'`,
        [id],
      );
      const platformVault = vault.forPlatform(code, source.platform.data_key_wrapped);
      return row?.keys.filter((key) =>
        key.equals(platformVault.mac('legal_entities', `entry ${row.company}`)),
      );
    };
    expect(await entries(source)).toHaveLength(1);
    expect(await entries(target)).toHaveLength(1);
  });

  it('is refused where the platform is already', async () => {
    const again = await importFrom(folder);
    expect(again).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `A platform ${code} already exists here.\n`,
    });
  });

  it('goes on there: what is new has numbers behind those that came', async () => {
    const key = source.apiKey;
    const body = buyerBody({ external_id: 'of-the-new-cell' });
    expect((await target.post('/v1/buyers', body, { key })).status).toBe(201);
    const order = draftOrderBody({
      external_id: 'order-of-the-new-cell',
      buyer_external_id: 'cafe-morgenrot',
      merchant_external_id: 'roastery-north',
    });
    expect((await target.post('/v1/orders/draft', order, { key })).status).toBe(201);
    const [row] = await target.sql<{ is_last: boolean }>(
      `select ordinal > (select max(ordinal) from events where platform_id = $1 and event_id <> e.event_id and position is not null) as is_last
      from events e where platform_id = $1 order by ordinal desc limit 1`,
      [id],
    );
    expect(row?.is_last).toBe(true);
    const { platform } = await target.addPlatform({ code: 'new-there' });
    expect(platform.platform_id).toBeGreaterThanOrEqual(7_000_000);
  });
});

describe('platform relocated', () => {
  it('ends the platform where it has left', async () => {
    const done = await runHere(['platform', 'relocated', code], from);
    expect(done).toMatchObject({ code: 0, stderr: '' });
    const enable = await runHere(['platform', 'enable', code, '--reason', 'Back.'], from);
    expect(enable.stderr).toMatch(/is being moved to another database/);
  });

  it('is refused for a platform that does not move', async () => {
    const refused = await runHere(['platform', 'relocated', code], to);
    expect(refused.stderr).toMatch(/is not being moved: export it first/);
  });
});
