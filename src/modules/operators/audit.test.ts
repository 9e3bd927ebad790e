import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '#infra/database/transaction';
import { sealOf } from '#kernel/hash-chain';
import { ensureOperator } from '#test/operators';
import { createWorld, type World } from '#test/world';
import { listAuditEntriesAfter } from './audit.queries.ts';
import { type AuditRecord, auditKeyOf, recordAudit, verifyAudit } from './audit.ts';
import { entryHashOf } from './audit-chain.rules.ts';

const NOW = 1_763_640_000;

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const RECORD: AuditRecord = { action: 'TESTED', subject: 'log', reason: 'Why not?', details: { before: 1 } };

/** A new platform with `count` entries, and functions that read or change its log. */
async function newLog(count: number) {
  const { db, vault } = world.installation;
  const { platform } = await world.addPlatform();
  const platformId = platform.platform_id;
  const key = auditKeyOf(vault, platform);
  const record = (more: Partial<AuditRecord> = {}, fails = false) =>
    inTransaction(db, async (transaction) => {
      const context = { db: transaction, platformId, actor: 'operator:ada', now: NOW };
      await recordAudit(context, key, { ...RECORD, ...more });
      if (fails) throw new Error('The change failed.');
    });
  for (let made = 0; made < count; made++) await record();
  return {
    platform,
    platformId,
    record,
    entries: () => listAuditEntriesAfter(db, platformId, 0, 1_000),
    verify: (...noted: [{ position: number; hash: string }?]) =>
      verifyAudit(db, platformId, key, noted[0] ?? null),
    /** Runs a statement as the owner of the schema. */
    tamper: (sql: string) => world.sql(sql.replaceAll('$1', String(platformId))),
  };
}

describe('the audit log', () => {
  it('is a chain without gaps, and intact', async () => {
    const log = await newLog(3);
    const entries = await log.entries();
    expect(entries.map(({ position }) => position)).toEqual([1, 2, 3]);
    expect(entries[0]).toMatchObject({
      ...{ actor: 'operator:ada', action: 'TESTED', subject: 'log', reason: 'Why not?' },
      ...{ recorded_at: NOW, details: '{"before":1}', previous_hash: Buffer.alloc(32) },
    });
    for (const [index, entry] of entries.entries()) {
      expect(entry.hash).toEqual(entryHashOf(entry));
      if (index > 0) expect(entry.previous_hash).toEqual(entries[index - 1]?.hash);
    }
    expect(await log.verify()).toMatchObject({ end: { position: 3 }, fault: null });
  });

  it('is intact while it is empty, and does not keep what was rolled back', async () => {
    const log = await newLog(0);
    expect(await log.verify()).toMatchObject({ end: { position: 0 }, fault: null });
    await expect(log.record({}, true)).rejects.toThrow('The change failed.');
    expect(await log.verify()).toMatchObject({ end: { position: 0 }, fault: null });
    await log.record();
    expect(await log.verify()).toMatchObject({ end: { position: 1 }, fault: null });
  });

  it('does not fork: concurrent writers take turns, also for the first entry', async () => {
    const log = await newLog(0);
    const subjects = Array.from({ length: 20 }, (_, index) => `number ${index}`);
    await Promise.all(subjects.map((subject) => log.record({ subject })));
    const entries = await log.entries();
    expect(entries.map(({ position }) => position)).toEqual(subjects.map((_, index) => index + 1));
    expect(new Set(entries.map(({ subject }) => subject))).toEqual(new Set(subjects));
    expect(await log.verify()).toMatchObject({ end: { position: 20 }, fault: null });
  });

  it.each([
    ['the actor', "actor = 'operator:ben'", 2],
    ['the instant', 'recorded_at = recorded_at - 1', 2],
    ['the reason', 'reason = null', 2],
    ['the details', 'details = \'{"before": 1}\'', 2],
    ['the hash', "hash = decode(repeat('00', 32), 'hex')", 2],
    ['the hash before', "previous_hash = decode(repeat('00', 32), 'hex')", 2],
  ])('shows that the owner of the schema changed %s of an entry', async (_, change, position) => {
    const log = await newLog(4);
    await log.tamper(`update audit_entries set ${change} where platform_id = $1 and position = ${position}`);
    expect(await log.verify()).toMatchObject({ end: { position: 1 }, fault: 'Entry 2 was changed.' });
  });

  it.each([
    ['at the beginning', 'position = 1', 'Entry 1 is missing.'],
    ['in the middle', 'position in (2, 3)', 'Entries 2 to 3 are missing.'],
    ['at the end', 'position = 4', 'The chain ends at entry 3, and entry 4 was its last.'],
    ['everywhere', 'true', 'The chain ends at entry 0, and entry 4 was its last.'],
  ])('shows that entries were removed %s', async (_, which, fault) => {
    const log = await newLog(4);
    await log.tamper(`delete from audit_entries where platform_id = $1 and ${which}`);
    expect((await log.verify()).fault).toBe(fault);
  });

  it('shows that the head was removed, set back, or written without the master key', async () => {
    const log = await newLog(2);
    await log.tamper('update audit_heads set position = 1 where platform_id = $1');
    expect((await log.verify()).fault).toBe('The head of the chain was not written by the service.');
    await log.tamper("update audit_heads set seal = '\\x00' where platform_id = $1");
    expect((await log.verify()).fault).toBe('The head of the chain was not written by the service.');
    await log.tamper('delete from audit_heads where platform_id = $1');
    expect((await log.verify()).fault).toBe('The head of the chain is missing.');
  });

  it('shows that it was emptied with its head, or set back to its beginning, while the platform has operators', async () => {
    const log = await newLog(2);
    await ensureOperator(world, 'ada', { platform: log.platform });
    const emptied = 'The log is empty, but the platform has operators, and each was added by an entry.';
    await log.tamper('delete from audit_entries where platform_id = $1');
    await log.tamper('delete from audit_heads where platform_id = $1');
    expect((await log.verify()).fault).toBe(emptied);
    // The seal of the beginning, which an eavesdropper on the connection sees with every entry.
    const start = { position: 0, hash: Buffer.alloc(32) };
    const seal = sealOf(auditKeyOf(world.installation.vault, log.platform), log.platformId, start);
    const values = `0, decode(repeat('00', 32), 'hex'), decode('${seal.toString('hex')}', 'hex')`;
    await log.tamper(`insert into audit_heads (platform_id, position, hash, seal) values ($1, ${values})`);
    expect((await log.verify()).fault).toBe(emptied);
  });

  it('shows that the chain was computed again after a change', async () => {
    const log = await newLog(2);
    const [, last] = await log.entries();
    if (!last) throw new Error('There is no second entry.');
    const hash = entryHashOf({ ...last, actor: 'operator:ben' }).toString('hex');
    const set = `hash = decode('${hash}', 'hex')`;
    await log.tamper(
      `update audit_entries set actor = 'operator:ben', ${set} where platform_id = $1 and position = 2`,
    );
    await log.tamper(`update audit_heads set ${set} where platform_id = $1`);
    expect((await log.verify()).fault).toBe('The head of the chain was not written by the service.');
  });

  it('shows with a noted head that an earlier state of everything was restored', async () => {
    const log = await newLog(1);
    await log.tamper('create table audit_heads_before as select * from audit_heads where platform_id = $1');
    await log.record();
    const { end } = await log.verify();
    const noted = { position: end.position, hash: end.hash.toString('hex') };
    await log.record();
    expect((await log.verify(noted)).fault).toBeNull();
    await log.tamper('delete from audit_entries where platform_id = $1 and position > 1');
    await log.tamper(
      'update audit_heads h set position = b.position, hash = b.hash, seal = b.seal from audit_heads_before b where h.platform_id = $1',
    );
    expect((await log.verify()).fault).toBeNull();
    expect((await log.verify(noted)).fault).toBe('The chain does not contain the given head at entry 2.');
  });

  it('is append-only for the service', async () => {
    const log = await newLog(1);
    const { db } = world.installation;
    await expect(
      db.updateTable('audit_entries').set({ actor: 'x' }).where('platform_id', '=', log.platformId).execute(),
    ).rejects.toThrow('permission denied');
    await expect(
      db.deleteFrom('audit_entries').where('platform_id', '=', log.platformId).execute(),
    ).rejects.toThrow('permission denied');
  });
});
