/** Reads one facility repeatedly, over a separate connection, while others change it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Audit } from './event-audit.ts';

/**
 * One statement, which reads as of one instant: the facility, the reservations of its orders, the sum of its ledger, and the amount taken
 * when the limit was last lowered.
 */
const SNAPSHOT = `select f.entry_last::int, f.total_amount::int as total, f.used_amount::int as used,
    f.pending_orders_amount::int as pending,
    (select coalesce(sum(reserved_amount), 0)::int from orders o
      where o.platform_id = f.platform_id and o.buyer_external_id = f.buyer_external_id) as reserved,
    l.entries::int, l.total::int as ledger_total, l.used::int as ledger_used, l.pending::int as ledger_pending,
    (select (used_amount + pending_orders_amount)::int from facility_ledger
      where platform_id = f.platform_id and buyer_external_id = f.buyer_external_id and total_change < 0
      order by entry desc limit 1) as taken_when_lowered
  from facilities f
  cross join lateral (
    select count(*) as entries, sum(total_change) as total, sum(used_change) as used,
      sum(pending_orders_change) as pending
    from facility_ledger where platform_id = f.platform_id and buyer_external_id = f.buyer_external_id
  ) l`;

type Snapshot = Record<
  | 'entry_last'
  | 'total'
  | 'used'
  | 'pending'
  | 'reserved'
  | 'entries'
  | 'ledger_total'
  | 'ledger_used'
  | 'ledger_pending',
  number
> & { taken_when_lowered: number | null };

export class CreditWatch {
  /** The number of snapshots, of those with different states, and of those in which a renewal had left less than was taken. */
  taken = 0;
  states = 0;
  over = 0;
  readonly faults: string[] = [];
  #last = 0;
  #audit: Audit | null = null;
  #isStopping = false;
  readonly #watching: Promise<void>;

  constructor() {
    this.#watching = this.#watch();
  }

  /** Sets the current database; null while there is none. */
  aim(audit: Audit | null): void {
    this.#audit = audit;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#watching;
  }

  async #watch(): Promise<void> {
    while (!this.#isStopping) {
      // The database ends with its server. A failed query is repeated.
      const [snapshot] = (await this.#audit?.(SNAPSHOT).catch(() => [])) ?? [];
      if (snapshot) this.#examine(snapshot as unknown as Snapshot);
      await sleep(10);
    }
  }

  #examine(snapshot: Snapshot): void {
    const { total, used, pending, reserved } = snapshot;
    const taken = used + pending;
    this.taken++;
    if (snapshot.entry_last > this.#last) this.states++;
    if (taken > total) this.over++;
    const explained =
      snapshot.entries === snapshot.entry_last &&
      snapshot.ledger_total === total &&
      snapshot.ledger_used === used &&
      snapshot.ledger_pending === pending;
    const sentences = [
      [taken <= total || taken <= (snapshot.taken_when_lowered ?? 0), 'more is taken than the limit allows'],
      [pending === reserved, 'the orders reserve something else'],
      [explained, 'the ledger says something else'],
      [snapshot.entry_last >= this.#last, 'an entry is gone'],
    ] as const;
    for (const [isSo, sentence] of sentences)
      if (!isSo) this.faults.push(`${sentence}: ${JSON.stringify(snapshot)}`);
    this.#last = snapshot.entry_last;
  }
}
