/** What must hold in the books, as equations that a verification checks one by one. */
import type { Db } from '#infra/database/database';
import { inSnapshot } from '#infra/database/transaction';
import { CHAIN_START, headFault, linkFault } from '#kernel/hash-chain';
import type { AsOf } from './as-of.rules.ts';
import { journalHashOf } from './entry-chain.rules.ts';
import { listOpenDifferences, listTotalDifferences, listUnbalancedEntries } from './equation.queries.ts';
import {
  type ChainedEntry,
  findLedgerHead,
  listChainAfter,
  listUnchainedEntries,
} from './numbering.queries.ts';

/** One equation. Each module states those about its own rows, and `ledger verify` checks all of them. */
export interface Equation {
  /** The code by which an auditor refers to it: `E1`. */
  code: string;
  /** What must hold, with both sides in words. */
  sentence: string;
  /**
   * A sentence for each difference, with what it is about and both sides; none if the equation holds. `db` is a snapshot,
   * so that all equations see one state. Equations about what is stored now ignore `asOf`.
   */
  check(db: Db, platformId: number, asOf: AsOf): Promise<string[]>;
}

const ENTRIES_AT_ONCE = 1_000;
/** The most differences of one equation that are reported: a thousand of them probably have one cause. */
const DIFFERENCES_MAX = 100;

/** The equations of the ledger itself. `key` seals the head of the platform's chain. */
export function ledgerEquations(key: Uint8Array): Equation[] {
  return [
    {
      code: 'E1',
      sentence: 'The lines of every entry sum to zero.',
      check: async (db, platformId, asOf) => {
        const unbalanced = await listUnbalancedEntries(db, platformId, asOf, DIFFERENCES_MAX);
        return unbalanced.map(
          ({ entry_id, total, line_count, lines_found }) =>
            `Entry ${entry_id} has ${lines_found} of ${line_count} lines, which sum to ${total}.`,
        );
      },
    },
    {
      code: 'TOTALS',
      sentence: 'The running totals, and what is open of merchants, equal the lines of the numbered entries.',
      check: async (db, platformId) => {
        const differences = [
          ...(await listTotalDifferences(db, platformId, DIFFERENCES_MAX)),
          ...(await listOpenDifferences(db, platformId, DIFFERENCES_MAX)),
        ];
        return differences.map(
          ({ account, party, currency, total, of_lines }) =>
            `The total of ${[account, party].join(' ').trim()} in ${currency} is ${total}, and its lines sum to ${of_lines}.`,
        );
      },
    },
    {
      code: 'E7',
      sentence: 'The chain of hashes covers every numbered entry and ends at its sealed head.',
      check: (db, platformId) => chainDifferences(db, platformId, key),
    },
  ];
}

async function chainDifferences(db: Db, platformId: number, key: Uint8Array): Promise<string[]> {
  let end = CHAIN_START;
  for (;;) {
    const links = await listChainAfter(db, platformId, end.position, ENTRIES_AT_ONCE);
    for (const link of links) {
      const fault = linkFault(end, link, computedHashOf(link));
      // Entries after a broken link cannot be verified.
      if (fault !== null) return [fault];
      end = link;
    }
    if (links.length < ENTRIES_AT_ONCE) break;
  }
  const fault = headFault(key, platformId, end, await findLedgerHead(db, platformId));
  const unchained = await listUnchainedEntries(db, platformId, DIFFERENCES_MAX);
  return [
    ...(fault === null ? [] : [fault]),
    ...unchained.map((entryId) => `Entry ${entryId} has no number and does not wait for one.`),
  ];
}

/** A hash that fits nothing if the entry is gone. */
function computedHashOf({ entry, position, previous_hash: previousHash }: ChainedEntry): Buffer {
  return entry ? journalHashOf(entry, position, previousHash) : Buffer.alloc(0);
}

export interface EquationResult extends Pick<Equation, 'code' | 'sentence'> {
  differences: string[];
}

/** Checks equations in one snapshot of the database, or in the transaction. */
export async function checkEquations(
  db: Db,
  platformId: number,
  equations: readonly Equation[],
  asOf: AsOf,
): Promise<EquationResult[]> {
  return inSnapshot(db, async (snapshot) => {
    const results: EquationResult[] = [];
    for (const { code, sentence, check } of equations)
      results.push({ code, sentence, differences: await check(snapshot, platformId, asOf) });
    return results;
  });
}
