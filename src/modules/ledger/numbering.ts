/** Gives committed entries their numbers. The worker runs it. */
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import type { Vault } from '#infra/secrets/vault';
import { CHAIN_START, type ChainEnd, type SealedEnd, sealOf } from '#kernel/hash-chain';
import { journalHashOf, ledgerKeyOf } from './entry-chain.rules.ts';
import type { JournalEntry } from './journal.queries.ts';
import {
  findPlatformsWithUnnumberedEntries,
  listUnnumberedEntries,
  lockLedgerHead,
  type NumberedEntry,
  type UnnumberedPlatform,
  writeNumbers,
} from './numbering.queries.ts';

const ENTRIES_AT_ONCE = 500;

/**
 * Numbers the committed entries of all platforms: 1, 2, 3 … per platform, without gaps, each with the hash over it and
 * the hash before it. Numbers are given after the commit, so that no posting waits. Several processes can call it: each skips
 * a platform that another one is numbering.
 */
export async function numberEntries(db: Db, vault: Pick<Vault, 'derive'>): Promise<void> {
  for (const platform of await findPlatformsWithUnnumberedEntries(db))
    while ((await numberBatch(db, vault, platform)) === ENTRIES_AT_ONCE);
}

async function numberBatch(
  db: Db,
  vault: Pick<Vault, 'derive'>,
  { platform_id: platformId, code }: UnnumberedPlatform,
): Promise<number> {
  const key = ledgerKeyOf(vault, code);
  const sealed = ({ position, hash }: ChainEnd): SealedEnd => ({
    ...{ position, hash },
    seal: sealOf(key, platformId, { position, hash }),
  });
  return inTransaction(db, async (transaction) => {
    // Separate from reading the entries: a snapshot from before the lock would show entries that were numbered since.
    const head = await lockLedgerHead(transaction, platformId, sealed(CHAIN_START));
    if (!head) return 0;
    const numbered = chained(head, await listUnnumberedEntries(transaction, platformId, ENTRIES_AT_ONCE));
    const last = numbered.at(-1);
    if (last) await writeNumbers(transaction, platformId, numbered, sealed(last));
    return numbered.length;
  });
}

/** The entries as the next links of the chain. */
function chained(head: ChainEnd, entries: readonly JournalEntry[]): NumberedEntry[] {
  let { position, hash } = head;
  return entries.map((entry) => {
    const { entry_id, ordinal } = entry;
    const previous_hash = hash;
    position++;
    hash = journalHashOf(entry, position, previous_hash);
    return { position, hash, previous_hash, entry_id, ordinal };
  });
}
