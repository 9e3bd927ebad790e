/**
 * Reads all rows of a checkout by the token of its link, in one statement. Ten statements took most of the time of a page:
 * for that reason this one reads tables of other modules.
 */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { byPlatform, gathered } from '#infra/database/gather';
import { unnestRows } from '#infra/database/unnest-rows';
import { type BuyerRow, buyersTable, type ContactRow, contactsTable } from '#modules/buyers';
import { increaseDecisionOf, type StandingColumns, standingColumns } from '#modules/facilities';
import { type MerchantRow, shownName } from '#modules/merchants';
import { type OrderRow, ordersTable } from '#modules/orders';
import { type PlatformRow, platformsTable } from '#modules/platforms';
import { type CodeRow, codesTable } from '../access/code.queries.ts';
import { type LinkKey, type LinkRow, linksTable } from '../links/link.queries.ts';
import { type CheckoutRow, checkoutsTable, type SessionRow, sessionsTable } from './checkout.queries.ts';

export interface SnapshotRows {
  link: LinkRow;
  /** May be disabled. */
  platform: PlatformRow;
  order: OrderRow;
  buyer: BuyerRow;
  contacts: ContactRow[];
  merchantName: string;
  merchantStatus: MerchantRow['status'];
  /** Null until the link is first opened. */
  checkout: CheckoutRow | null;
  /** Null for a browser without a session of this checkout. */
  session: SessionRow | null;
  /** The last code that was sent. */
  lastCode: CodeRow | null;
  /** The standing of the buyer. */
  standing: StandingColumns;
  /** The decision that referred a pending increase of the facility; null if none. */
  increaseDecisionId: string | null;
}

export interface SnapshotLookup extends LinkKey {
  sessionSha256: Buffer | null;
  /** Unix seconds of the real clock; the platform's clock may be ahead. */
  realNow: number;
}

interface Row extends StandingColumns {
  nth: number;
  link: object;
  platform: object;
  order: object;
  buyer: object;
  contacts: object[];
  merchant: Pick<MerchantRow, 'legal_name' | 'trading_name' | 'status'>;
  checkout: object | null;
  session: object | null;
  last_code: object | null;
  increase_decision_id: string | null;
}

const unnestLookups = unnestRows<SnapshotLookup>(
  'q',
  {
    platform_id: ['int', 'platformId'],
    token_sha256: ['bytea', 'tokenSha256'],
    session_sha256: ['bytea', 'sessionSha256'],
    real_now: ['bigint', 'realNow'],
  },
  { withNth: true },
);

const PLATFORM = sql.ref('q.platform_id');
const BUYER = sql.ref('b.external_id');
const PLATFORM_NOW = sql`q.real_now + p.clock_ahead_seconds`;
const STANDING_OF_THE_BUYER = standingColumns(PLATFORM, BUYER, PLATFORM_NOW);
const INCREASE_DECISION = increaseDecisionOf(PLATFORM, BUYER);

/** Returns in the order of the lookups; undefined for unknown, expired and revoked tokens alike. */
export async function findSnapshots(
  db: Db,
  lookups: SnapshotLookup[],
): Promise<(SnapshotRows | undefined)[]> {
  const { rows } = await sql<Row>`
    select q.nth::int as nth, to_json(l) as link, to_json(p) as platform, to_json(o) as "order", to_json(b) as buyer,
      coalesce((select json_agg(t) from contacts t
        where t.platform_id = q.platform_id and t.buyer_external_id = o.buyer_external_id), '[]') as contacts,
      to_json(m) as merchant,
      to_json(c) as checkout, to_json(s) as session, to_json(k) as last_code,
      ${STANDING_OF_THE_BUYER}, ${INCREASE_DECISION} as increase_decision_id
    from ${unnestLookups(lookups)}
    cross join lateral (
      select * from checkout_links where platform_id = q.platform_id and token_sha256 = q.token_sha256 offset 0
    ) l
    join platforms p on p.platform_id = q.platform_id
    cross join lateral (
      select * from orders where platform_id = q.platform_id and external_id = l.order_external_id offset 0
    ) o
    cross join lateral (
      select * from buyers where platform_id = q.platform_id and external_id = o.buyer_external_id offset 0
    ) b
    cross join lateral (
      select legal_name, trading_name, status from merchants
      where platform_id = q.platform_id and external_id = o.merchant_external_id offset 0
    ) m
    left join lateral (
      select * from checkouts where platform_id = q.platform_id and order_external_id = l.order_external_id offset 0
    ) c on true
    left join lateral (
      select * from checkout_sessions where platform_id = q.platform_id and order_external_id = l.order_external_id
        and session_sha256 = q.session_sha256 offset 0
    ) s on true
    left join lateral (
      select * from checkout_codes where platform_id = q.platform_id and order_external_id = l.order_external_id
      order by code_number desc limit 1
    ) k on true
    where l.revoked_at is null and l.expires_at > ${PLATFORM_NOW}`.execute(db);
  const found = new Map(rows.map((row) => [row.nth, toSnapshotRows(row)]));
  return lookups.map((_, index) => found.get(index + 1));
}

export const findSnapshot = gathered(findSnapshots, byPlatform);

function toSnapshotRows(row: Row): SnapshotRows {
  const {
    nth: _,
    link,
    platform,
    order,
    contacts,
    merchant,
    checkout,
    session,
    last_code,
    increase_decision_id: increaseDecisionId,
    ...standing
  } = row;
  const buyer = buyersTable.fromJson(row.buyer);
  return {
    link: linksTable.fromJson(link),
    platform: platformsTable.fromJson(platform),
    order: { ...ordersTable.fromJson(order), buyer_legal_name: buyer.legal_name },
    buyer,
    contacts: contacts.map((contact) => contactsTable.fromJson(contact)),
    merchantName: shownName(merchant),
    merchantStatus: merchant.status,
    checkout: checkout && checkoutsTable.fromJson(checkout),
    session: session && sessionsTable.fromJson(session),
    lastCode: last_code && codesTable.fromJson(last_code),
    standing,
    increaseDecisionId,
  };
}
