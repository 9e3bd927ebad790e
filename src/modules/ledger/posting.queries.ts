/** The only writer of entries. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type Db, isCluster } from '#infra/database/database';
import { inlineOnCluster, storedPlatform } from '#infra/database/one-node';
import { unnestRows } from '#infra/database/unnest-rows';
import type { LedgerLine } from './account.rules.ts';
import { linesOf, type Posting } from './posting.rules.ts';

interface IdentifiedPosting extends Posting {
  entryId: string;
  written: LedgerLine[];
}

const unnestPostings = unnestRows<IdentifiedPosting>(
  'i',
  {
    entry_id: ['uuid', 'entryId'],
    cause: ['text', 'cause'],
    currency: ['text', 'currency'],
    effective_at: ['bigint', 'effectiveAt'],
    actor: ['text', 'actor'],
    approved_by: ['text', ({ approvedBy = null }) => approvedBy],
    order_external_id: ['text', ({ documents }) => documents?.orderExternalId ?? null],
    invoice_external_id: ['text', ({ documents }) => documents?.invoiceExternalId ?? null],
    payment_id: ['text', ({ documents }) => documents?.paymentId ?? null],
    credit_note_external_id: ['text', ({ documents }) => documents?.creditNoteExternalId ?? null],
    service_external_id: ['text', ({ documents }) => documents?.serviceExternalId ?? null],
    payout_external_id: ['text', ({ documents }) => documents?.payoutExternalId ?? null],
    reverses_entry: ['uuid', ({ reversesEntry = null }) => reversesEntry],
    line_count: ['int', ({ written }) => written.length],
  },
  { withNth: true },
);

const unnestLines = unnestRows<LedgerLine & { entryId: string; line: number }>('l', {
  entry_id: ['uuid', 'entryId'],
  line: ['int', 'line'],
  account: ['text', 'account'],
  party: ['text', 'party'],
  amount: ['bigint', 'amountMinor'],
});

/**
 * Posts entries of one platform, in the transaction of what they are about. Returns their ids in order.
 * Postings lock no account and do not wait for one another; while a period is being closed, they wait until that is done. An
 * entry whose instant is closed is effective from the first open instant and keeps its own as `belongs_to_at`. Not idempotent:
 * the caller knows what it has posted. Throws an error for lines that do not make an entry.
 */
export async function post(db: Db, platformId: number, postings: readonly Posting[]): Promise<string[]> {
  if (postings.length === 0) return [];
  const identified = postings.map((posting) => ({
    ...posting,
    entryId: randomUUID(),
    written: linesOf(posting),
  }));
  if ((await writePostings(db, platformId, identified)) === 0) {
    // The platform has no books before its first entries.
    await db
      .insertInto('ledger_books')
      .values({ platform_id: platformId })
      .onConflict((oc) => oc.column('platform_id').doNothing())
      .execute();
    await writePostings(db, platformId, identified);
  }
  return identified.map(({ entryId }) => entryId);
}

/** Writes nothing if the platform has no books yet. Returns the number of entries. */
async function writePostings(
  db: Db,
  platformId: number,
  postings: readonly IdentifiedPosting[],
): Promise<number> {
  const lines = postings.flatMap(({ entryId, written }) =>
    written.map((line, index) => ({ ...line, entryId, line: index + 1 })),
  );
  let book = sql<{ open_from: number }>`
      select open_from from ledger_books where platform_id = ${platformId} for key share`;
  if (isCluster(db)) {
    // In a separate statement: see one-node.ts.
    const [locked] = (await book.execute(db)).rows;
    if (!locked) return 0;
    book = sql`select ${locked.open_from}::bigint as open_from`;
  }
  const ofBook = storedPlatform(db, platformId, 'ledger_books', sql`true`);
  const { rows } = await sql<{ count: number }>`
    with book as ${inlineOnCluster(db)} (${book}
    ), entries as (
      insert into ledger_entries (platform_id, entry_id, cause, currency, effective_at, belongs_to_at, actor, approved_by,
        order_external_id, invoice_external_id, payment_id, credit_note_external_id, service_external_id,
        payout_external_id, reverses_entry, line_count)
      select ${platformId}, i.entry_id, i.cause, i.currency, greatest(i.effective_at, b.open_from),
        case when i.effective_at < b.open_from then i.effective_at end, i.actor, i.approved_by, i.order_external_id,
        i.invoice_external_id, i.payment_id, i.credit_note_external_id, i.service_external_id, i.payout_external_id,
        i.reverses_entry, i.line_count
      from ${unnestPostings(postings)} cross join book b
      order by i.nth
      returning entry_id, ordinal, currency, effective_at, recorded_at
    ), lines as (
      insert into ledger_lines (platform_id, entry_id, line, account, party, amount, currency, effective_at, recorded_at, ordinal)
      select ${ofBook.platformId}, e.entry_id, l.line, l.account, l.party, l.amount, e.currency, e.effective_at, e.recorded_at, e.ordinal
      from ${unnestLines(lines)} join entries e on e.entry_id = l.entry_id ${ofBook.join}
    ), unnumbered as (
      insert into ledger_unnumbered (platform_id, ordinal, entry_id)
      select ${ofBook.platformId}, e.ordinal, e.entry_id from entries e ${ofBook.join}
    )
    select count(*)::int as count from entries`.execute(db);
  return rows[0]?.count ?? 0;
}
