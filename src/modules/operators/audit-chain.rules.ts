/**
 * The chain of the audit log: each entry holds the SHA-256 over its content and the hash before it, and the head is
 * sealed with a key that the database does not have. An owner of the schema who changes or removes an entry breaks the
 * chain, and one who computes it again cannot seal it.
 */
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { AuditEntryRow, AuditHeadRow } from './audit.queries.ts';

/** An end of the chain: the last position, and the hash there. */
export type ChainEnd = Pick<AuditHeadRow, 'position' | 'hash'>;

/** Before the first entry. */
export const CHAIN_START: ChainEnd = { position: 0, hash: Buffer.alloc(32) };

export function entryHashOf(entry: Omit<AuditEntryRow, 'hash'>): Buffer {
  const { platform_id, position, recorded_at, actor, action, subject, reason, details, previous_hash } =
    entry;
  const content = [platform_id, position, recorded_at, actor, action, subject, reason, details];
  return hash('sha256', JSON.stringify([...content, previous_hash.toString('hex')]), 'buffer');
}

export function sealOf(key: Uint8Array, platformId: number, { position, hash: last }: ChainEnd): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify([platformId, position, last.toString('hex')]))
    .digest();
}

/** Null if the entry continues the chain, else a sentence. */
export function entryFault(end: ChainEnd, entry: AuditEntryRow): string | null {
  const expected = end.position + 1;
  if (entry.position !== expected)
    return entry.position === expected + 1
      ? `Entry ${expected} is missing.`
      : `Entries ${expected} to ${entry.position - 1} are missing.`;
  if (!entry.hash.equals(entryHashOf(entry))) return `Entry ${entry.position} was changed.`;
  if (!entry.previous_hash.equals(end.hash))
    return `Entry ${entry.position} does not continue the entry before it.`;
  return null;
}

/** Null if the chain ends where its sealed head says, else a sentence. */
export function headFault(
  key: Uint8Array,
  platformId: number,
  end: ChainEnd,
  head: AuditHeadRow | undefined,
): string | null {
  if (head === undefined) return end.position === 0 ? null : 'The head of the chain is missing.';
  const seal = sealOf(key, platformId, head);
  if (head.seal.length !== seal.length || !timingSafeEqual(head.seal, seal))
    return 'The head of the chain was not written by the service.';
  if (head.position > end.position)
    return `The chain ends at entry ${end.position}, and entry ${head.position} was its last.`;
  return head.position === end.position && head.hash.equals(end.hash)
    ? null
    : 'The chain does not end at its head.';
}
