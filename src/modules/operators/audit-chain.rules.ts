/** What the hash of an audit entry covers. */
import { hash } from 'node:crypto';
import type { AuditEntryRow } from './audit.queries.ts';

export function entryHashOf(entry: Omit<AuditEntryRow, 'hash'>): Buffer {
  const { platform_id, position, recorded_at, actor, action, subject, reason, details, previous_hash } =
    entry;
  const content = [platform_id, position, recorded_at, actor, action, subject, reason, details];
  return hash('sha256', JSON.stringify([...content, previous_hash.toString('hex')]), 'buffer');
}
