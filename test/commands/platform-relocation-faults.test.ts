/** A move that is disturbed: by writes during the move, by a kill, by files outside of the database, or by being given up. */
import { cp, mkdtemp, readdir, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { positionEvents } from '#infra/database/outbox.queries';
import { claimDeliveries } from '#modules/webhooks';
import { buyerBody, invoiceBody, merchantBody } from '#test/bodies';
import { runHere, settingsOf } from '#test/command';
import { FILES } from '#test/files';
import { ensureOperator } from '#test/operators';
import { endPrograms, launchCommand } from '#test/program';
import { createTargetWorld, rowsOf } from '#test/relocation';
import { until } from '#test/until';
import { createWorld, type World } from '#test/world';
import { claimMails } from '../../src/modules/notifications/mail-attempt.queries.ts';
import { HELD_FROM } from '../../src/modules/webhooks/claim.rules.ts';

const CODE = 'traveller';
let source: World;
let target: World;
let from: Record<string, string>;
let to: Record<string, string>;
let folder: string;
let apiKey: string;
let id: number;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'relocation-'));
  source = await createWorld({
    settings: { TRADELINE_WORKER: 'off', TRADELINE_FILES_FOLDER: join(folder, 'here') },
  });
  target = await createTargetWorld(source, { TRADELINE_FILES_FOLDER: join(folder, 'there') });
  const made = await source.addPlatform({ code: CODE });
  ({ apiKey } = made);
  id = made.platform.platform_id;
  const operator = { role: 'ADMIN', platform: made.platform } as const;
  const operatorKey = await ensureOperator(source, 'ada', operator);
  from = {
    ...(await settingsOf(source)),
    TRADELINE_OPERATOR_KEY: operatorKey,
    TRADELINE_FILES_FOLDER: join(folder, 'here'),
  };
  to = await settingsOf(target);
  const post = (path: string, body: unknown) => source.post(path, body, { key: apiKey });
  await post('/v1/merchants', merchantBody({ external_id: 'merchant' }));
  await post('/v1/buyers', buyerBody({ external_id: 'buyer' }));
  const invoice = { external_id: 'invoice', buyer_external_id: 'buyer', merchant_external_id: 'merchant' };
  await post('/v1/invoices', invoiceBody(invoice));
  const file = await post(`${FILE}?file_external_id=file&kind=OTHER&name=x.pdf`, FILES['application/pdf']);
  expect(file.status).toBe(201);
  await positionEvents(source.installation.db, 1_000);
  await runHere(['cell', '3'], to);
}, 60_000);
afterAll(async () => {
  await endPrograms();
  await source?.close();
  await target?.close();
  await rm(folder, { recursive: true });
});

const FILE = '/v1/invoices/invoice/files';
const exportTo = (name: string, ...more: string[]) =>
  runHere(['platform', 'export', CODE, '--out', join(folder, name), ...more], from);
const IMPORT = ['platform', 'import', CODE, '--from'];
const rowsAltogether = async () =>
  Object.values(await rowsOf(target, id)).reduce((sum, count) => sum + count, 0);

/** Runs `work` while no other session can read the table. */
async function whileLocked(world: World, table: string, work: () => Promise<void>): Promise<void> {
  const client = new pg.Client(world.installation.owner);
  await client.connect();
  try {
    await client.query(`begin; lock table ${table} in access exclusive mode`);
    await work();
  } finally {
    await client.query('rollback');
    await client.end();
  }
}

/** Waits until a session waits for the table. */
const untilWaiting = (world: World, table: string) =>
  until(async () => {
    const waiting = await world.sql(
      'select from pg_locks where not granted and relation = $1::regclass and database = (select oid from pg_database where datname = current_database())',
      [table],
    );
    return waiting.length > 0;
  });

/** Runs `work` while a transaction of the database with a transaction id is open. */
async function whileOpen(world: World, work: () => Promise<void>): Promise<void> {
  const client = new pg.Client(world.installation.owner);
  await client.connect();
  try {
    await client.query('begin');
    await client.query('select pg_current_xact_id()');
    await work();
  } finally {
    await client.end();
  }
}

/** A mail that waits, and whose next attempt is in so long. */
const addMail = (wait: string) =>
  source.sql(
    `insert into mails (platform_id, mail_id, cause, kind, status, created_at, content_sealed, next_attempt_at)
    values ($1, gen_random_uuid(), 'a', 'support_mails_failed', 'PENDING', 1, '\\x00', now() + $2::interval)`,
    [id, wait],
  );

describe('an export', () => {
  it('waits for the transactions of its database, and not for those of another one', async () => {
    const exported = () => exportTo('open', '--wait', '0');
    await whileOpen(source, async () => {
      expect((await exported()).stderr).toBe(
        `${CODE} cannot be exported yet: transactions that began before the export are still running. The platform accepts writes again.\n`,
      );
    });
    await whileOpen(target, async () => {
      expect(await exported()).toMatchObject({ code: 0, stderr: '' });
    });
    await rm(join(folder, 'open'), { recursive: true });
    expect((await runHere(['platform', 'relocated', CODE, '--given-up'], from)).code).toBe(0);
  });

  it('is refused where the platform was written on the way, and leaves no folder', async () => {
    const args = ['platform', 'export', CODE, '--out', join(folder, 'written')];
    const { pid, ended } = launchCommand(args, from);
    // The snapshot is older than the first file.
    await until(async () => (await readdir(join(folder, 'written')).catch(() => [])).length > 0);
    process.kill(pid, 'SIGSTOP');
    await source.sql('update merchants set updated_at = updated_at where platform_id = $1', [id]);
    process.kill(pid, 'SIGCONT');
    const refused = await ended;
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toBe(
      `Rows of ${CODE} were written while it was exported (1 of merchants): export it again.\n`,
    );
    expect(await readdir(folder)).not.toContain('written');
  });

  it('waits for a mail that is on its way, and not for one that waits for another attempt', async () => {
    await addMail('9 seconds');
    expect((await exportTo('mailed', '--wait', '0')).stderr).toBe(
      `${CODE} cannot be exported yet: mails being sent: 1. The platform stays read-only.\n`,
    );
    await source.sql("update mails set next_attempt_at = now() + interval '1 hour'");
    expect(await exportTo('mailed')).toMatchObject({ code: 0, stderr: '' });
    await source.sql('delete from mails where platform_id = $1', [id]);
  });

  it('keeps mails from being sent twice, and is given up', async () => {
    await addMail('0 seconds');
    const claim = () => claimMails(source.installation.db, { batchSizeMax: 10, leaseSeconds: 0 });
    expect(await claim()).toEqual([]);
    const given = await runHere(['platform', 'relocated', CODE, '--given-up'], from);
    expect(given).toMatchObject({ code: 0, stderr: '' });
    expect(await claim()).toHaveLength(1);
    await source.sql('delete from mails where platform_id = $1', [id]);
    const list = await runHere(['platform', 'list', '--json'], from);
    expect(JSON.parse(list.stdout)).toContainEqual(
      expect.objectContaining({ code: CODE, relocating_since: null, disabled_at: null }),
    );
  });
});

describe('an export of files in a folder', () => {
  it.each([
    { what: 'was cut off', damage: (path: string) => truncate(path, 10) },
    { what: 'is missing', damage: (path: string) => rm(path) },
  ])('is refused where one $what', async ({ damage }) => {
    const [name = ''] = await readdir(join(folder, 'here', String(id)));
    const path = join(folder, 'here', String(id), name);
    await cp(path, join(folder, 'kept'));
    await damage(path);
    const refused = await exportTo('damaged');
    await cp(join(folder, 'kept'), path);
    expect(refused).toMatchObject({
      code: 1,
      stderr: `${CODE} is incomplete.\nThe file ${name} is missing from the folder of files, or was changed.\n`,
    });
  });
});

describe('an import', () => {
  beforeAll(async () => {
    expect(await exportTo('whole')).toMatchObject({ code: 0, stderr: '' });
  });
  const whole = () => [...IMPORT, join(folder, 'whole')];
  const there = () => ({ ...to, TRADELINE_FILES_FOLDER: join(folder, 'there') });
  const filesThere = () => readdir(join(folder, 'there', String(id))).catch(() => []);

  it('that is killed in the middle leaves nothing in the database', async () => {
    await whileLocked(target, 'orders', async () => {
      const { pid, ended } = launchCommand(whole(), there());
      await untilWaiting(target, 'orders');
      process.kill(pid, 'SIGKILL');
      expect((await ended).signal).toBe('SIGKILL');
    });
    expect(await rowsAltogether()).toBe(0);
    // The worker removes files without a row after a day.
    await rm(join(folder, 'there', String(id)), { recursive: true });
  });

  it('that fails leaves no file', async () => {
    const [key] = await source.sql<{ key_id: string }>('select key_id from api_keys where platform_id = $1', [
      id,
    ]);
    await target.sql(
      `insert into api_keys (platform_id, key_id, name, secret_sha256, scopes, created_at)
      values ($1, $2, 'same', '\\x00', '{}', 1)`,
      [target.platform.platform_id, key?.key_id],
    );
    const refused = await runHere(whole(), there());
    expect(refused.stderr).toMatch(
      /^traveller has rows that already exist in api_keys here: Key \(key_id\)=.* already exists\.\n$/,
    );
    expect(await rowsAltogether()).toBe(0);
    expect(await filesThere()).toEqual([]);
    await target.sql("delete from api_keys where name = 'same'");
  });

  it('is refused where files need a folder', async () => {
    const refused = await runHere(whole(), to);
    expect(refused.stderr).toBe(
      'Files of the platform are in a folder: set TRADELINE_FILES_FOLDER to a folder for them.\n',
    );
    expect(await rowsAltogether()).toBe(0);
  });

  it('brings the files', async () => {
    expect(await runHere(whole(), there())).toMatchObject({ code: 0, stderr: '' });
    expect(await filesThere()).toHaveLength(1);
    const [path, key] = [`${FILE}/file`, { key: apiKey }];
    const [before, after] = [await source.get(path, key), await target.get(path, key)];
    expect(after).toMatchObject({ status: 200, text: before.text });
  });
});

describe('the end of a move', () => {
  const relocated = (...args: string[]) => runHere(['platform', 'relocated', CODE, ...args], from);

  it('is refused where a slow request has written after the export', async () => {
    await source.sql('update merchants set updated_at = updated_at where platform_id = $1', [id]);
    expect(await relocated()).toMatchObject({
      code: 1,
      stderr: `Rows of ${CODE} were written after its export (1 of merchants). Remove ${CODE} from the other database, and export it again.\n`,
    });
    const [platform] = await source.sql('select disabled_at from platforms where platform_id = $1', [id]);
    expect(platform).toEqual({ disabled_at: null });
  });

  it('is refused while no export has ended', async () => {
    await source.sql('update platforms set exported_snapshot = null where platform_id = $1', [id]);
    expect((await relocated()).stderr).toMatch(/^The export of traveller has not ended\./);
    expect((await relocated('--given-up')).code).toBe(0);
  });

  it('follows an export behind which only workers wrote', async () => {
    const { db } = source.installation;
    const key = { key: apiKey };
    await until(
      async () =>
        (await source.post('/v1/webhooks', { type: 'BUYER', url: 'http://127.0.0.1:9/' }, key)).status ===
        201,
    );
    for (let nth = 0; nth < HELD_FROM; nth += 1)
      await source.post('/v1/buyers', buyerBody({ external_id: `buyer-${nth}` }), key);
    await positionEvents(db, 1_000);
    await source.sql("update webhook_subscriptions set status = 'DISABLED' where platform_id = $1", [id]);
    expect(await exportTo('again')).toMatchObject({ code: 0, stderr: '' });
    await source.sql('update list_counts set rows_count = rows_count where platform_id = $1', [id]);
    await claimDeliveries(db, { batchSizeMax: 10, leaseSeconds: 60 });
    const held =
      'select count(*)::int as count from webhook_deliveries where platform_id = $1 and status = $2 and is_held';
    expect(await source.sql(held, [id, 'PENDING'])).toEqual([{ count: HELD_FROM }]);
    expect(await relocated()).toMatchObject({ code: 0 });
  });
});

describe('tradeline cell', () => {
  it('gives a number that stays', async () => {
    expect((await runHere(['cell'], from)).stdout).toMatch(/^This database has no cell number/);
    expect((await runHere(['cell'], to)).stdout).toBe('This database is cell 3.\n');
    expect((await runHere(['cell', '3'], to)).code).toBe(0);
    expect((await runHere(['cell', '4'], to)).stderr).toBe(
      'This database is cell 3, and its number cannot be changed.\n',
    );
    expect(await runHere(['cell', '2147'], to)).toMatchObject({
      code: 2,
      stderr: 'Name one cell: a whole number from 0 to 2146.\n',
    });
    const made = await runHere(['cell', '0'], from);
    expect(made.stdout).toBe('This database is cell 0.\n');
    const { platform } = await source.addPlatform({ code: 'next' });
    expect(platform.platform_id).toBe(id + 1);
  });
});
