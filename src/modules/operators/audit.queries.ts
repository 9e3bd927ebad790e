/** The audit log: append-only, in a chain of hashes per platform. */
import type { Insertable, Selectable } from 'kysely';
import type { Db } from '#infra/database/database';
import type { AuditEntries, AuditHeads } from '#infra/database/schema';

export type AuditEntryRow = Selectable<AuditEntries>;
export type AuditHeadRow = Selectable<AuditHeads>;

/** Locks the head of the platform's chain, so that concurrent writers wait. `first` becomes the head of a new chain. */
export async function lockAuditHead(db: Db, first: AuditHeadRow): Promise<AuditHeadRow> {
  await db
    .insertInto('audit_heads')
    .values(first)
    .onConflict((oc) => oc.column('platform_id').doNothing())
    .execute();
  return db
    .selectFrom('audit_heads')
    .selectAll()
    .where('platform_id', '=', first.platform_id)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/** Writes an entry and makes it the head. The caller has locked the previous head. */
export async function appendAuditEntry(
  db: Db,
  entry: Insertable<AuditEntries>,
  head: AuditHeadRow,
): Promise<void> {
  const { platform_id, ...end } = head;
  await db.insertInto('audit_entries').values(entry).execute();
  await db.updateTable('audit_heads').set(end).where('platform_id', '=', platform_id).execute();
}

export async function findAuditHead(db: Db, platformId: number): Promise<AuditHeadRow | undefined> {
  return db.selectFrom('audit_heads').selectAll().where('platform_id', '=', platformId).executeTakeFirst();
}

/** The entries after a position, at most `countMax`, in order. */
export async function listAuditEntriesAfter(
  db: Db,
  platformId: number,
  position: number,
  countMax: number,
): Promise<AuditEntryRow[]> {
  return db
    .selectFrom('audit_entries')
    .selectAll()
    .where('platform_id', '=', platformId)
    .where('position', '>', position)
    .orderBy('position')
    .limit(countMax)
    .execute();
}
