/** Facilities for tests: buyers that the default policy accepts, and actions of persons and the clock. */

import { randomUUID } from 'node:crypto';
import { inTransaction } from '#infra/database/transaction';
import { systemClock } from '#infra/time/clock';
import {
  type AssessedFacility,
  applyDecision,
  assessFacility,
  type FacilityDecision,
  type FacilityRow,
  facilityExpiries,
  facilityRenewals,
  lockFacility,
  type NewEntry,
  type RenewalDeps,
} from '#modules/facilities';
import { localRiskSource } from '#modules/underwriting';
import type { ChangeContext } from '#operation/operation';
import { buyerBody } from './bodies.ts';
import { makeDue } from './due.ts';
import { registeredCompany } from './registered-company.ts';
import type { Reply, World } from './world.ts';

/** The row of a facility of 1,000.00 EUR, granted `now` (unix seconds) for a day. */
export function facilityRow(now: number, changes: Partial<FacilityRow> = {}): FacilityRow {
  return {
    platform_id: 1,
    buyer_external_id: 'buyer',
    status: 'ACTIVE',
    version: 1,
    created_at: now,
    updated_at: now,
    currency: 'EUR',
    total_amount: 100_000,
    used_amount: 0,
    pending_orders_amount: 0,
    available_amount: 100_000,
    entry_last: 1,
    risk_band: 'B1',
    price_class: 'B',
    reviewed_at: now,
    expires_at: now + 86_400,
    renewal_due_at: null,
    decision_id: null,
    registry_company_id: null,
    has_entity_keys: true,
    frozen_at: null,
    ...changes,
  };
}

/** The limit that the default policy grants to an ordinary company of the registry: 30,000.00. */
export const ORDINARY_LIMIT = 3_000_000;

/** Adds a fifteen-year-old limited company of the registry. */
export async function addBuyer(
  world: World,
  externalId: string,
  more: object = {},
  { key = world.apiKey }: { key?: string } = {},
): Promise<string> {
  const body = await registeredCompany(
    world,
    buyerBody({
      external_id: externalId,
      legal_name: 'Kontor Nord GmbH',
      legal_form: 'LIMITED_COMPANY' as const,
      incorporated_at: 1_262_304_000,
      ...more,
    }),
  );
  const { status, text } = await world.post('/v1/buyers', body, { key });
  if (status !== 201) throw new Error(text);
  return externalId;
}

/** A buyer that has requested a facility; its external_id may name a script of the sandbox. */
export async function addFacility(world: World, externalId: string, body: object = {}): Promise<Reply> {
  await addBuyer(world, externalId);
  return world.post(`/v1/buyers/${externalId}/facility`, body);
}

/** The facility as events and other operations show it: without the other buyers of the company. */
export async function facilityOf(world: World, externalId: string) {
  const { entity: _, ...facility } = (await world.get(`/v1/buyers/${externalId}/facility`)).body;
  return facility;
}

/** Runs the work as an operator, in a transaction that holds the lock of the facility. */
export function onFacility<T>(
  world: World,
  externalId: string,
  work: (context: ChangeContext, facility: FacilityRow) => Promise<T>,
): Promise<T> {
  const key = { platformId: world.platform.platform_id, buyerExternalId: externalId };
  return inTransaction(world.installation.db, async (transaction) => {
    const facility = await lockFacility(transaction, key);
    if (!facility) throw new Error(`${externalId} has no facility.`);
    const { platformId } = key;
    return work({ db: transaction, platformId, actor: 'operator:ada', now: world.clock.now() }, facility);
  });
}

/** An assessment without any consequences so far. */
export function assessNow(
  world: World,
  buyerExternalId: string,
  about: FacilityDecision['about'],
): Promise<AssessedFacility> {
  const { db, vault } = world.installation;
  const { platform_id: platformId, code, data_key_wrapped } = world.platform;
  const context = {
    ...{ db, platformId, now: world.clock.now(), isSandbox: true },
    vault: vault.forPlatform(code, data_key_wrapped),
    registries: { lookUp: async () => false },
    risk: { source: localRiskSource, onFailure: 'error' as const, elapsedMs: () => 0 },
  };
  return assessFacility(context, { about, buyerExternalId, currency: 'EUR', requestedMinor: null });
}

/** Decides a review like a person. */
export function decide(
  world: World,
  externalId: string,
  about: FacilityDecision['about'],
  outcome: 'ACCEPT' | 'REJECT',
  limitMinor = ORDINARY_LIMIT,
): Promise<FacilityRow> {
  return onFacility(world, externalId, (context, facility) =>
    applyDecision(
      context,
      facility,
      {
        about,
        outcome,
        decisionId: randomUUID(),
        buyerReasons: outcome === 'ACCEPT' ? ['LIMIT_GRANTED'] : ['NOT_POSSIBLE_NOW'],
        limitMinor,
        riskBand: 'C1',
        priceClass: 'C',
      },
      'It is so.',
    ),
  );
}

/** Makes all transitions of facilities due by an instant (unix seconds), like the worker. */
export function makeDueOfFacilities(
  world: World,
  until: number,
  risk: RenewalDeps['risk'] = {
    source: localRiskSource,
    onFailure: 'error',
    elapsedMs: systemClock.elapsedMs,
  },
) {
  return makeDue<RenewalDeps, 'facility'>(world, [facilityRenewals, facilityExpiries], until, {
    vault: world.installation.vault,
    registries: { lookUp: async () => false },
    risk,
    isSandbox: true,
  });
}

/** `LIMIT_GRANTED total +2500000` for every entry, oldest first: its change and the available amount after it. */
export async function ledgerOf(world: World, externalId: string): Promise<string[]> {
  const { body } = await world.get(`/v1/buyers/${externalId}/facility/ledger`);
  return body.items.toReversed().map((entry: Record<string, number | string>) =>
    [
      entry.cause,
      ...['total', 'used', 'pending_orders'].flatMap((name) => {
        const change = entry[`${name}_change`] as number;
        return change === 0 ? [] : [`${name} ${change > 0 ? '+' : ''}${change}`];
      }),
      `available ${entry.available_amount}`,
    ].join(' '),
  );
}

/** Every facility whose amounts are not the sum of its entries; none if the ledger is complete. */
export const unexplainedFacilities = (world: World) =>
  world.sql(`select f.buyer_external_id from facilities f
    cross join lateral (
      select coalesce(sum(total_change), 0) as total, coalesce(sum(used_change), 0) as used,
        coalesce(sum(pending_orders_change), 0) as pending, coalesce(sum(available_change), 0) as available, count(*) as entries
      from facility_ledger l where l.platform_id = f.platform_id and l.buyer_external_id = f.buyer_external_id
    ) l where (f.total_amount, f.used_amount, f.pending_orders_amount, f.available_amount, f.entry_last)
      is distinct from (l.total, l.used, l.pending, l.available, l.entries)`);

/** An entry of the ledger for a test to post. `at` is in unix seconds. */
export function ledgerEntry(
  world: World,
  buyerExternalId: string,
  more: Partial<NewEntry> & { at: number },
): NewEntry {
  return {
    platformId: world.platform.platform_id,
    buyerExternalId,
    cause: 'ORDER_RESERVED',
    actor: 'test',
    ...more,
  };
}

/** An entry that reserves an amount within the limit. */
export function reservingEntry(
  world: World,
  buyerExternalId: string,
  amountMinor: number,
  more: Partial<NewEntry> & { at: number },
): NewEntry {
  return ledgerEntry(world, buyerExternalId, {
    pendingOrdersChange: amountMinor,
    tolerancePercent: 0,
    ...more,
  });
}
