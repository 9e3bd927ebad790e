/** Writing and verifying the audit log. */
import type { Db } from '#infra/database/database';
import { inSnapshot } from '#infra/database/transaction';
import type { Vault } from '#infra/secrets/vault';
import { CHAIN_START, type ChainEnd, headFault, linkFault, sealOf } from '#kernel/hash-chain';
import type { PlatformRow } from '#modules/platforms';
import type { ChangeContext } from '#operation/operation';
import {
  type AuditHeadRow,
  appendAuditEntry,
  findAuditHead,
  listAuditEntriesAfter,
  lockAuditHead,
} from './audit.queries.ts';
import { entryHashOf } from './audit-chain.rules.ts';
import { listOperators } from './operator.queries.ts';

/** What an entry says besides who and when. Must not contain personal data, because an entry can never be erased. */
export interface AuditRecord {
  /** `LIMIT_POLICY_CHANGED` */
  action: string;
  /** What was changed: `buyer cafe-morgenrot`. */
  subject: string;
  reason?: string | null;
  /** JSON: before and after, if the change has them. */
  details?: object;
}

const KEY_BYTES = 32;

/** The key that seals the head of the platform's chain. It is derived from the master key and not stored. */
export function auditKeyOf(vault: Pick<Vault, 'derive'>, { code }: Pick<PlatformRow, 'code'>): Buffer {
  return vault.derive(`audit/${code}`, KEY_BYTES);
}

/** Appends an entry in the transaction of the change. Its lock serializes concurrent changes of the platform. */
export async function recordAudit(
  { db, platformId, actor, now }: ChangeContext,
  key: Uint8Array,
  { action, subject, reason = null, details = {} }: AuditRecord,
): Promise<void> {
  const sealed = (end: ChainEnd): AuditHeadRow => ({
    platform_id: platformId,
    ...end,
    seal: sealOf(key, platformId, end),
  });
  const end = await lockAuditHead(db, sealed(CHAIN_START));
  const entry = {
    platform_id: platformId,
    position: end.position + 1,
    recorded_at: now,
    actor,
    action,
    subject,
    reason,
    details: JSON.stringify(details),
    previous_hash: end.hash,
  };
  const hash = entryHashOf(entry);
  await appendAuditEntry(db, { ...entry, hash }, sealed({ position: entry.position, hash }));
}

/** An earlier end of the chain that was noted outside the database. */
export interface NotedHead {
  position: number;
  /** The hash of the entry, in hexadecimal. */
  hash: string;
}

export interface AuditVerification {
  /** The last entry that continues the chain. */
  end: ChainEnd;
  /** A sentence for the first fault; null if the chain is intact. */
  fault: string | null;
}

const ENTRIES_AT_ONCE = 1_000;

/**
 * Verifies the whole chain in one snapshot, or in the caller's transaction. With `noted` also checks that the chain has that hash
 * at that position.
 */
export async function verifyAudit(
  db: Db,
  platformId: number,
  key: Uint8Array,
  noted: NotedHead | null = null,
): Promise<AuditVerification> {
  return inSnapshot(db, async (snapshot) => {
    let end = CHAIN_START;
    let isNotedFound = noted === null;
    for (;;) {
      const entries = await listAuditEntriesAfter(snapshot, platformId, end.position, ENTRIES_AT_ONCE);
      for (const entry of entries) {
        const fault = linkFault(end, entry, entryHashOf(entry));
        if (fault !== null) return { end, fault };
        end = entry;
        isNotedFound ||= entry.position === noted?.position && entry.hash.toString('hex') === noted.hash;
      }
      if (entries.length < ENTRIES_AT_ONCE) break;
    }
    const head = await findAuditHead(snapshot, platformId);
    const missing = isNotedFound
      ? null
      : `The chain does not contain the given head at entry ${noted?.position}.`;
    const fault = headFault(key, platformId, end, head) ?? (await emptiedFault(snapshot, platformId, end));
    return { end, fault: fault ?? missing };
  });
}

/** Finds a log that was emptied with its head, or reset: it is never empty, because adding an operator writes an entry. */
async function emptiedFault(db: Db, platformId: number, { position }: ChainEnd): Promise<string | null> {
  if (position > 0 || (await listOperators(db, platformId)).length === 0) return null;
  return 'The log is empty, but the platform has operators, and each was added by an entry.';
}
