import { Type } from 'typebox';
import { closed, unixSeconds } from '#kernel/fields';
import { notFound } from '#kernel/problem';
import { cursorPageOf, cursorPaging } from '#operation/list';
import { cursorOf, readCursor } from '#operation/list-cursor';
import { operation } from '#operation/operation';
import { findFacility } from '../facility.queries.ts';
import { FacilityParams } from '../facility.schemas.ts';
import { findLedgerBalance, type LedgerRow, listLedgerRows } from '../facility-ledger.queries.ts';
import { Ledger, type LedgerEntry } from '../ledger-entry.schemas.ts';

export const listLedger = operation({
  id: 'listLedger',
  summary: 'List the ledger of a credit facility',
  description:
    'Every change of the amounts, the latest first, each with the running balance. With `at`, the ledger and its ' +
    '`balance` as of that instant. With `known_at`, only entries that were recorded by then.',
  tag: 'Facilities',
  scope: 'read',
  effect: 'read',
  params: FacilityParams,
  query: closed({
    ...cursorPaging,
    at: Type.Optional(unixSeconds('As of this instant: entries with a later `effective_at` do not count')),
    known_at: Type.Optional(
      unixSeconds('As known at this instant: entries with a later `recorded_at` do not count'),
    ),
  }),
  status: 200,
  response: Ledger,
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'cafe-morgenrot' }, query: { limit: '2' } },
  async run({ db, platformId, vault }, { params, query }) {
    const key = { platformId, buyerExternalId: params.external_id };
    const facility = await findFacility(db, key);
    if (!facility) throw notFound();
    // The ledger is append-only, so both statements see the state as of the first one.
    const { at, known_at: knownAt } = query;
    const isNow = at === undefined && knownAt === undefined;
    const atThen = isNow ? undefined : await findLedgerBalance(db, key, { at, knownAt });
    const total = isNow ? facility.entry_last : (atThen?.entry ?? 0);
    const { limit, offset, after, hasTotal } = cursorPageOf(query);
    const list = `facility_ledger/${key.buyerExternalId}`;
    const behind =
      after === null ? total : Math.min(total, Number(readCursor(vault, list, after, SORT).key) - 1);
    const rows = await listLedgerRows(db, key, behind - offset, limit);
    const last = rows.at(-1)?.entry ?? 1;
    const next = last === 1 ? null : cursorOf(vault, list, { sort: SORT, value: last, key: String(last) });
    const { total_amount, used_amount, pending_orders_amount, available_amount } = isNow
      ? facility
      : (atThen ?? NOTHING);
    const balance = {
      currency: facility.currency,
      total_amount,
      used_amount,
      pending_orders_amount,
      available_amount,
    };
    return {
      body: { items: rows.map(toEntry), total: hasTotal ? total : null, limit, offset, next, balance },
    };
  },
});

const SORT = '-entry';

/** Before the first entry. */
const NOTHING = { total_amount: 0, used_amount: 0, pending_orders_amount: 0, available_amount: 0 };

function toEntry(row: LedgerRow): LedgerEntry {
  const { platform_id: _, buyer_external_id: __, decision_id: ___, ceiling_amount: ____, ...shown } = row;
  return { ...shown, recorded_at: Math.floor(row.recorded_at.getTime() / 1_000) } as LedgerEntry;
}
