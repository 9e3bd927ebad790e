/**
 * The credit ledger: the only writer of a facility's amounts. Each change is an entry with its running balance, written by
 * the statement that changes the facility. Triggers refuse a commit in which the two differ.
 */
import { type Selectable, sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { storedPlatform } from '#infra/database/one-node';
import type { FacilityLedger } from '#infra/database/schema';
import { arrayOf, unnestRows } from '#infra/database/unnest-rows';
import { columnsOf, type FacilityKey, type FacilityRow } from './facility.queries.ts';
import type { LedgerCause } from './ledger-entry.schemas.ts';

export type LedgerRow = Selectable<FacilityLedger>;

export interface NewEntry extends FacilityKey {
  cause: LedgerCause;
  /** Minor units of the facility's currency. Default: 0. */
  totalChange?: number;
  usedChange?: number;
  pendingOrdersChange?: number;
  /**
   * Set it if the entry authorizes something; INVOICE_REOPENED authorizes nothing. The entry is then written only if the facility
   * is ACTIVE and in its period, and used plus pending stay within the limit plus this percentage of it.
   */
  tolerancePercent?: number;
  orderExternalId?: string | null;
  invoiceExternalId?: string | null;
  /** With INVOICE_PAID and INVOICE_REOPENED only. */
  paymentId?: string | null;
  /** With INVOICE_CREDITED only. */
  creditNoteExternalId?: string | null;
  decisionId?: string | null;
  actor: string;
  /** Unix seconds. */
  at: number;
}

export interface PostedEntry {
  /** False if the facility does not allow the authorization: nothing was written. */
  isPosted: boolean;
  /** The facility after the entry, or as found under the lock if it was not posted. */
  facility: FacilityRow;
}

const unnestEntries = unnestRows<NewEntry>('t', {
  platform_id: ['int', 'platformId'],
  buyer_external_id: ['text', 'buyerExternalId'],
  cause: ['text', 'cause'],
  total_change: ['bigint', (entry) => entry.totalChange ?? 0],
  used_change: ['bigint', (entry) => entry.usedChange ?? 0],
  pending_orders_change: ['bigint', (entry) => entry.pendingOrdersChange ?? 0],
  tolerance_percent: ['int', (entry) => entry.tolerancePercent ?? null],
  order_external_id: ['text', (entry) => entry.orderExternalId ?? null],
  invoice_external_id: ['text', (entry) => entry.invoiceExternalId ?? null],
  payment_id: ['text', (entry) => entry.paymentId ?? null],
  credit_note_external_id: ['text', (entry) => entry.creditNoteExternalId ?? null],
  decision_id: ['uuid', (entry) => entry.decisionId ?? null],
  actor: ['text', 'actor'],
  at: ['bigint', 'at'],
});

/**
 * Posts entries, at most one per facility, in one statement. Returns results in their order; undefined for an unknown facility.
 * Locks the facilities in the order of their keys, so that two such statements cannot deadlock.
 */
export async function postEntries(db: Db, entries: NewEntry[]): Promise<(PostedEntry | undefined)[]> {
  const found = new Map<string, PostedEntry>();
  for (const [platformId, ofPlatform] of [...Map.groupBy(entries, (entry) => entry.platformId)].sort(
    ([one], [other]) => one - other,
  ))
    for (const posted of await postOnPlatform(db, platformId, ofPlatform))
      found.set(`${platformId}/${posted.facility.buyer_external_id}`, posted);
  return entries.map((entry) => found.get(`${entry.platformId}/${entry.buyerExternalId}`));
}

async function postOnPlatform(db: Db, platformId: number, entries: NewEntry[]): Promise<PostedEntry[]> {
  const buyers = entries.map(({ buyerExternalId }) => buyerExternalId);
  const isStored = sql`stored.buyer_external_id = c.buyer_external_id`;
  const ofFacility = storedPlatform(db, platformId, 'facilities', isStored);
  const { rows } = await sql<FacilityRow & { is_posted: boolean }>`
    with input as not materialized (
      select * from ${unnestEntries(entries)}
    ), locked as materialized (
      -- Without a join: a cluster misreads rows that are locked in a join.
      select f.* from facilities f where f.platform_id = ${platformId} and f.buyer_external_id = any(${arrayOf('text', buyers)})
      order by f.buyer_external_id
      for no key update
    ), known as materialized (
      -- Under the lock, so that later entries of a facility are recorded later. Apart from the insert, which a cluster runs on one
      -- node only if it calls no clock itself.
      select l.*, clock_timestamp() as recorded_at from locked l
    ), changed as (
      update facilities f set
        total_amount = l.total_amount + i.total_change,
        used_amount = l.used_amount + i.used_change,
        pending_orders_amount = l.pending_orders_amount + i.pending_orders_change,
        available_amount = case l.status when 'EXPIRED' then 0 else greatest(0, l.total_amount + i.total_change
          - l.used_amount - i.used_change - l.pending_orders_amount - i.pending_orders_change) end,
        entry_last = l.entry_last + 1, version = l.version + 1, updated_at = greatest(l.updated_at, i.at)
      from input i
      join known l on l.buyer_external_id = i.buyer_external_id
      where f.platform_id = ${platformId} and f.buyer_external_id = l.buyer_external_id
        and (i.tolerance_percent is null or (l.status = 'ACTIVE' and l.expires_at > i.at
          and l.used_amount + i.used_change + l.pending_orders_amount + i.pending_orders_change
            <= l.total_amount + l.total_amount * i.tolerance_percent / 100))
      returning f.*, l.available_amount as available_before, l.recorded_at
    ), written as (
      insert into facility_ledger (platform_id, buyer_external_id, entry, effective_at, cause, order_external_id,
        invoice_external_id, payment_id, credit_note_external_id, decision_id, total_change, used_change,
        pending_orders_change, total_amount, used_amount, pending_orders_amount, available_amount, available_change, ceiling_amount, actor,
        recorded_at)
      select ${ofFacility.platformId}, c.buyer_external_id, c.entry_last, c.updated_at, i.cause, i.order_external_id,
        i.invoice_external_id, i.payment_id, i.credit_note_external_id, i.decision_id, i.total_change, i.used_change,
        i.pending_orders_change, c.total_amount, c.used_amount, c.pending_orders_amount, c.available_amount, c.available_amount - c.available_before,
        case when i.tolerance_percent is not null then c.total_amount + c.total_amount * i.tolerance_percent / 100 end, i.actor,
        c.recorded_at
      from changed c join input i on i.buyer_external_id = c.buyer_external_id
      ${ofFacility.join}
    )
    select true as is_posted, ${columnsOf('c')} from changed c
    union all
    select false, ${columnsOf('l')} from locked l
    where not exists (select from changed c where c.buyer_external_id = l.buyer_external_id)`.execute(db);
  return rows.map(({ is_posted, ...facility }) => ({ isPosted: is_posted, facility }));
}

/**
 * Posts any number of entries per facility, in their order. The first statement locks every facility, so two such calls
 * cannot deadlock.
 */
export async function postEntriesInTurn(db: Db, entries: NewEntry[]): Promise<(PostedEntry | undefined)[]> {
  const answers: (PostedEntry | undefined)[] = [];
  let waiting = [...entries.entries()];
  while (waiting.length > 0) {
    const turn = new Map(
      waiting.toReversed().map((each) => [`${each[1].platformId}/${each[1].buyerExternalId}`, each]),
    );
    const posted = await postEntries(
      db,
      [...turn.values()].map(([, entry]) => entry),
    );
    [...turn.values()].forEach(([index], nth) => {
      answers[index] = posted[nth];
    });
    const taken = new Set([...turn.values()].map(([index]) => index));
    waiting = waiting.filter(([index]) => !taken.has(index));
  }
  return answers;
}

/** Posts one entry to a locked facility. Throws an error if the facility refuses it. */
export async function postEntry(db: Db, entry: NewEntry): Promise<FacilityRow> {
  const [posted] = await postEntries(db, [entry]);
  if (!posted?.isPosted) throw new Error(`The entry ${entry.cause} was refused by a locked facility.`);
  return posted.facility;
}

/** Which entries of a ledger count, in unix seconds: those effective until `at`, and recorded until `knownAt`. */
export interface LedgerInstants {
  at?: number | undefined;
  knownAt?: number | undefined;
}

/** The last entry that counts, with its running balance; undefined before the first. */
export async function findLedgerBalance(
  db: Db,
  { platformId, buyerExternalId }: FacilityKey,
  { at, knownAt }: LedgerInstants,
): Promise<LedgerRow | undefined> {
  return (
    db
      .selectFrom('facility_ledger')
      .selectAll()
      .where('platform_id', '=', platformId)
      .where('buyer_external_id', '=', buyerExternalId)
      .$if(at !== undefined, (query) => query.where('effective_at', '<=', at as number))
      // Whole seconds: an entry that was recorded in this second counts.
      .$if(knownAt !== undefined, (query) =>
        query.where('recorded_at', '<', sql<Date>`to_timestamp(${knownAt}::bigint + 1)`),
      )
      .orderBy('entry', 'desc')
      .limit(1)
      .executeTakeFirst()
  );
}

/** At most `countMax` entries, from number `newest` down. `newest` may be below the first number. Numbers have no gaps. */
export async function listLedgerRows(
  db: Db,
  { platformId, buyerExternalId }: FacilityKey,
  newest: number,
  countMax: number,
): Promise<LedgerRow[]> {
  // A number far below the first would be below the range of the column.
  const last = Math.max(0, newest);
  return db
    .selectFrom('facility_ledger')
    .selectAll()
    .where('platform_id', '=', platformId)
    .where('buyer_external_id', '=', buyerExternalId)
    .where('entry', '<=', last)
    .where('entry', '>', Math.max(0, last - countMax))
    .orderBy('entry', 'desc')
    .execute();
}
