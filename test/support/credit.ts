/** Facilities to order on, transitions without an operation, and an audit of what orders use of facilities. */

import { randomUUID } from 'node:crypto';
import { inTransaction } from '#infra/database/transaction';
import { recordOverdueInvoices } from '#modules/buyers';
import { findCreditSettings, type LimitPolicySettings, postEntry, settingsIn } from '#modules/facilities';
import type { ChangeContext } from '#operation/operation';
import { insertCreditSettings } from '../../src/modules/facilities/credit-settings.queries.ts';
import { NO_SETTINGS } from '../../src/modules/facilities/limit-policy.rules.ts';
import { buyerBody } from './bodies.ts';
import type { Reply, World } from './world.ts';

/** 2100-01-01 00:00 UTC: the facility stays in force regardless of the test's clock. */
export const FAR_AWAY = 4_102_444_800;

const DAY_SECONDS = 86_400;

/** Adds an invoice of this buyer that is the given number of days past due. */
export async function addOverdue(
  world: World,
  buyer: string,
  days: number,
  outstandingMinor: number,
): Promise<void> {
  const { db } = world.installation;
  await inTransaction(db, (transaction) =>
    recordOverdueInvoices(transaction, [
      {
        platformId: world.platform.platform_id,
        buyerExternalId: buyer,
        invoiceExternalId: `overdue-${randomUUID()}`,
        installment: 1,
        dueAt: world.clock.now() - days * DAY_SECONDS,
        currency: 'EUR',
        outstandingMinor,
      },
    ]),
  );
}

/** Adds a version of settings with these changes to the last one; with a buyer, of those that override the platform's. */
export async function setLimits(
  world: World,
  settings: Partial<LimitPolicySettings>,
  buyerExternalId = '',
): Promise<void> {
  const { db } = world.installation;
  const key = { platformId: world.platform.platform_id, buyerExternalId };
  const last = await findCreditSettings(db, key);
  const made = { at: 1, actor: 'test', approvedBy: null, reason: 'A test.' };
  await insertCreditSettings(db, key, { ...(last ? settingsIn(last) : NO_SETTINGS), ...settings }, made);
}

export interface FacilityInput {
  buyer: string;
  totalMinor: number;
  currency?: string;
  status?: 'PENDING' | 'ACTIVE' | 'REJECTED' | 'FROZEN' | 'EXPIRED';
  expiresAt?: number;
  priceClass?: string;
  platformId?: number;
}

/** Gives a buyer a facility, regardless of any policy. */
export async function grantFacility(world: World, options: FacilityInput): Promise<void> {
  const { status = 'ACTIVE', currency = 'EUR', expiresAt = FAR_AWAY, priceClass = 'A' } = options;
  const totalMinor = status === 'PENDING' || status === 'REJECTED' ? 0 : options.totalMinor;
  await world.sql(
    `with granted as (
      insert into facilities (platform_id, buyer_external_id, status, created_at, updated_at, currency, price_class,
        expires_at, total_amount, available_amount, entry_last, frozen_at)
      values ($1, $2, $3, 1, 1, $4, $5, $6, $7, $8, 1, $9)
      returning *
    )
    insert into facility_ledger (platform_id, buyer_external_id, entry, effective_at, cause, total_change, total_amount,
      used_amount, pending_orders_amount, available_amount, available_change, actor)
    select platform_id, buyer_external_id, 1, 1, 'LIMIT_GRANTED', total_amount, total_amount, 0, 0, available_amount,
      available_amount, 'test' from granted`,
    [
      options.platformId ?? world.platform.platform_id,
      options.buyer,
      status,
      currency,
      priceClass,
      expiresAt,
      totalMinor,
      status === 'EXPIRED' ? 0 : totalMinor,
      status === 'FROZEN' ? 1 : null,
    ],
  );
}

/** Adds a buyer with a facility. */
export async function addDebtor(world: World, options: FacilityInput): Promise<void> {
  await world.post('/v1/buyers', buyerBody({ external_id: options.buyer }));
  await grantFacility(world, options);
}

/** Runs commands that have no operation, in one transaction, at the world's instant. */
export function act<T>(world: World, transitions: (context: ChangeContext) => Promise<T>): Promise<T> {
  const { db } = world.installation;
  const { platform_id: platformId } = world.platform;
  return inTransaction(db, (transaction) =>
    transitions({ db: transaction, platformId, actor: 'operator:ada', now: world.clock.now() }),
  );
}

/** Raises or lowers the limit by an amount. */
export function changeLimit(world: World, buyer: string, changeMinor: number): Promise<unknown> {
  return act(world, ({ db, platformId, actor, now }) =>
    postEntry(db, {
      platformId,
      buyerExternalId: buyer,
      cause: 'LIMIT_CHANGED',
      totalChange: changeMinor,
      actor,
      at: now,
    }),
  );
}

/** Sets the status of a facility, as if its lifecycle had led there. */
export function setFacilityStatus(
  world: World,
  buyer: string,
  status: FacilityInput['status'],
): Promise<unknown> {
  return act(world, async ({ db, platformId, actor, now }) => {
    await db
      .updateTable('facilities')
      .set({ status: status as string, frozen_at: status === 'FROZEN' ? now : null })
      .where('platform_id', '=', platformId)
      .where('buyer_external_id', '=', buyer)
      .execute();
    await postEntry(db, { platformId, buyerExternalId: buyer, cause: 'EXPIRED', actor, at: now });
  });
}

interface Facility {
  status: string;
  total: number;
  used: number;
  pending: number;
  available: number;
}

export async function facilityOf(world: World, buyer: string): Promise<Facility> {
  const [row] = await world.sql<Record<string, string>>(
    `select status, total_amount, used_amount, pending_orders_amount, available_amount from facilities
    where platform_id = $1 and buyer_external_id = $2`,
    [world.platform.platform_id, buyer],
  );
  if (!row) throw new Error(`${buyer} has no facility.`);
  return {
    status: row.status as string,
    total: Number(row.total_amount),
    used: Number(row.used_amount),
    pending: Number(row.pending_orders_amount),
    available: Number(row.available_amount),
  };
}

/** The effects of orders on a facility, oldest first: `ORDER_RESERVED order-1 pending 11900 used 0`. */
export async function entriesOf(world: World, buyer: string): Promise<string[]> {
  const rows = await world.sql<Record<string, string>>(
    `select cause, order_external_id, pending_orders_change, used_change from facility_ledger
    where platform_id = $1 and buyer_external_id = $2 and order_external_id is not null order by entry`,
    [world.platform.platform_id, buyer],
  );
  return rows.map(
    (row) =>
      `${row.cause} ${row.order_external_id} pending ${row.pending_orders_change} used ${row.used_change}`,
  );
}

/**
 * A sentence for each amount that does not add up, over all platforms; none if everything does. The database itself checks that a facility
 * matches its ledger.
 */
export async function auditCredit(world: Pick<World, 'sql'>): Promise<string[]> {
  const rows = await world.sql<{ fault: string }>(`
    select format('%s reserves %s for orders that reserve %s', f.buyer_external_id, f.pending_orders_amount, o.reserved) as fault
    from facilities f
    cross join lateral (
      select coalesce(sum(reserved_amount), 0) as reserved from orders
      where platform_id = f.platform_id and buyer_external_id = f.buyer_external_id
    ) o where o.reserved <> f.pending_orders_amount
    union all
    select format('%s %s reserves %s by its row and %s by the ledger', o.status, o.external_id, o.reserved_amount, l.reserved)
    from orders o
    cross join lateral (
      select coalesce(sum(pending_orders_change), 0) as reserved from facility_ledger
      where platform_id = o.platform_id and order_external_id = o.external_id
    ) l where l.reserved <> o.reserved_amount
    union all
    select format('%s is %s, and its last transition led to %s as version %s of %s', o.external_id, o.status, m.to_status, m.version, o.version)
    from orders o
    cross join lateral (
      select to_status, version from order_transitions
      where platform_id = o.platform_id and order_external_id = o.external_id order by version desc limit 1
    ) m where m.to_status <> o.status or m.version <> o.version`);
  return rows.map(({ fault }) => fault);
}

/** Sends a request that a person must decide first twice. */
export async function sendsTwice(
  world: World,
  buyer: string,
  what: 'renew' | 'increase',
  body?: object,
): Promise<Reply> {
  await addDebtor(world, { buyer, totalMinor: 1 });
  await world.post(`/v1/buyers/${buyer}/facility/${what}`, body);
  return world.post(`/v1/buyers/${buyer}/facility/${what}`, body);
}
