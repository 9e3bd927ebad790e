/** `tradeline archive`: copies events to authenticated files before they are deleted. */
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { positionEvents } from '#infra/database/outbox.queries';
import { buyerBody } from '#test/bodies';
import { runHere, settingsOf } from '#test/command';
import { createWorld, type World } from '#test/world';

let world: World;
let env: Record<string, string>;
let folder: string;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  env = await settingsOf(world);
});
afterAll(() => world.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-'));
  return () => rm(folder, { recursive: true });
});

const archive = (...args: string[]) => runHere(['archive', ...args, '--platform', world.platform.code], env);
const stored = () => archive('events', '--out', folder, '--json').then(({ stdout }) => JSON.parse(stdout));
const read = async (file: string) => (await readFile(join(folder, file), 'utf8')).split('\r\n');
const manifest = async () => JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));

let made = 0;
/** Returns the positions of the events, which were recorded a day ago. */
async function record(count: number): Promise<number[]> {
  for (let nth = 0; nth < count; nth++)
    await world.post('/v1/buyers', buyerBody({ external_id: `buyer-${++made}` }));
  await positionEvents(world.installation.db, 1_000);
  await world.sql(
    `update events set recorded_at = now() - interval '1 day' where recorded_at > now() - interval '1 hour'`,
  );
  const rows = await world.sql<{ position: number }>(
    `select position::int from events where platform_id = $1 order by position desc limit $2`,
    [world.platform.platform_id, count],
  );
  return rows.map(({ position }) => position).reverse();
}

describe('tradeline archive events', () => {
  it('writes the events as receivers get them, and goes on behind them', async () => {
    const first = await record(2);
    expect(await stored()).toMatchObject({ events: first.at(-1), last: first.at(-1), gaps: [] });
    const [row] = await world.sql<{ event_id: string; body: string }>(
      'select event_id, body from events where platform_id = $1 order by position limit 1',
      [world.platform.platform_id],
    );
    const [events = ''] = (await readdir(folder)).filter((name) => name.startsWith('events-'));
    const [head, line] = await read(events);
    expect(head).toBe('position,event_id,type,resource_external_id,occurred_at,recorded_at,body');
    expect(line).toContain(row?.event_id);
    expect(line).toContain(row?.body.replaceAll('"', '""'));
    const second = await record(1);
    expect(await stored()).toMatchObject({ events: 1, last: second[0] });
    expect((await manifest()).segments).toHaveLength(2);
    expect(await stored()).toMatchObject({ events: 0, last: second[0] });
    expect((await archive('verify', folder)).code).toBe(0);
  });

  it('stops before an event that was recorded later, or is still delivered', async () => {
    const positions = await record(3);
    await world.sql('update events set recorded_at = now() + interval $$1 hour$$ where position = $1', [
      positions[1],
    ]);
    expect((await stored()).last).toBe(positions[0]);
    await world.sql('update events set recorded_at = now() - interval $$2 days$$ where position = $1', [
      positions[1],
    ]);
    await world.post('/v1/webhooks', { type: 'BUYER', url: 'https://93.184.215.14/hooks' });
    await world.sql(
      `insert into webhook_deliveries (platform_id, subscription_id, event_id, status)
      select e.platform_id, s.subscription_id, e.event_id, 'PENDING' from events e join webhook_subscriptions s using (platform_id)
      where e.position = $1`,
      [positions[2]],
    );
    expect((await stored()).last).toBe(positions[1]);
    await world.sql(`update webhook_deliveries set status = 'DELIVERED', finished_at = now()`);
    await world.sql(
      `insert into webhook_attempts (platform_id, delivery_id, attempt, started_at, duration_ms, status_code, answer_sealed)
      select platform_id, delivery_id, 1, now(), 20, 200, ''::bytea from webhook_deliveries`,
    );
    expect((await stored()).last).toBe(positions[2]);
    await world.delete('/v1/webhooks/BUYER/unsubscribe');
    const files = (await readdir(folder)).sort();
    const ofLast = files.filter((name) => name.includes(String(positions[2]).padStart(12, '0')));
    expect(ofLast).toHaveLength(3);
    expect((await read(ofLast.find((name) => name.startsWith('attempts')) ?? ''))[1]).toMatch(
      /,1,1,\d+,20,200,$/,
    );
    expect((await read(ofLast.find((name) => name.startsWith('deliveries')) ?? ''))[1]).toContain(
      'BUYER,DELIVERED',
    );
  });

  it('says which events were deleted before', async () => {
    await stored();
    const positions = await record(2);
    await world.sql('delete from events where position = $1', [positions[0]]);
    const gap = `Events ${positions[0]} to ${positions[0]} were deleted before they were archived.`;
    expect((await stored()).gaps).toEqual([gap]);
    expect((await archive('verify', folder)).stdout).toContain(gap);
  });

  it('says which events among others, and before the first, were deleted before', async () => {
    const positions = await record(5);
    const [first = 0, second, , fourth] = positions;
    for (const table of ['attempts', 'deliveries']) await world.sql(`delete from webhook_${table}`);
    await world.sql('delete from events where position < $1 or position = any($2)', [
      first,
      [second, fourth],
    ]);
    const deleted = ([from, to]: number[]) =>
      `Events ${from} to ${to} were deleted before they were archived.`;
    const gaps = [
      [1, first - 1],
      [second, second],
      [fourth, fourth],
    ].map((range) => deleted(range as number[]));
    expect((await stored()).gaps).toEqual(gaps);
    expect((await archive('verify', folder)).stdout).toContain(gaps.join('\n'));
  });

  it('takes the rest of a run that ended before its manifest', async () => {
    const [position] = await record(1);
    await stored();
    const before = await manifest();
    const [next = 0] = await record(1);
    const name = `events-${String(next).padStart(12, '0')}-${String(next).padStart(12, '0')}.csv`;
    await writeFile(join(folder, name), 'half a f');
    expect(before.segments.at(-1).last).toBe(position);
    expect((await stored()).last).toBe(next);
    expect((await archive('verify', folder)).code).toBe(0);
  });

  it('refuses a day that is none, and no folder', async () => {
    expect((await archive('events', '--out', folder, '--until', '2026-02-30')).code).toBe(2);
    expect((await archive('events')).code).toBe(2);
    expect((await archive('verify')).code).toBe(2);
  });
});

// The superuser may write everywhere.
it.skipIf(process.getuid?.() === 0)('refuses a folder that cannot be made', async () => {
  await record(1);
  await chmod(folder, 0o500);
  const within = join(folder, 'within');
  expect((await archive('events', '--out', within)).stderr).toMatch(
    new RegExp(`^The folder ${within} cannot be made: EACCES`),
  );
});

describe('tradeline archive verify', () => {
  beforeEach(async () => {
    await record(1);
    await stored();
  });

  it('says that a file is missing, or was changed', async () => {
    const [{ files }] = (await manifest()).segments;
    await writeFile(join(folder, files[0].name), 'changed');
    await rm(join(folder, files[1].name));
    const { code, stderr } = await archive('verify', folder);
    expect(code).toBe(1);
    expect(stderr).toContain(`${files[0].name} was changed.`);
    expect(stderr).toContain(`${files[1].name} is missing.`);
  });

  it.each([
    ['changed', async () => JSON.stringify({ ...(await manifest()), segments: [] })],
    ['no JSON', async () => '{'],
    ['without a proof', async () => JSON.stringify({ ...(await manifest()), proof: undefined })],
  ])('refuses a manifest that is %s, and adds nothing to it', async (_, changed) => {
    await writeFile(join(folder, 'manifest.json'), await changed());
    for (const args of [
      ['verify', folder],
      ['events', '--out', folder],
    ]) {
      const { code, stderr } = await archive(...args);
      expect([code, stderr]).toEqual([1, expect.stringContaining('or was changed.')]);
    }
  });

  it('refuses a folder without a manifest, which has lost it or is another one', async () => {
    await rm(join(folder, 'manifest.json'));
    expect(await archive('verify', folder)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `${folder} has no manifest: it is not an archive, or is damaged.\n`,
    });
  });

  it('refuses the archive of another platform', async () => {
    const other = await world.addPlatform();
    const { code } = await runHere(['archive', 'verify', folder, '--platform', other.platform.code], env);
    expect(code).toBe(1);
  });
});
