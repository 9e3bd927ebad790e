/**
 * The facts about the buyer and its facility that a decision reads. One statement reads them all, so that they are as of one
 * instant; that is why it reads tables of other modules.
 */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { type BuyerRow, buyersTable, type ContactRow, contactsTable } from '#modules/buyers';
import type { ReasonCode } from '#modules/underwriting';
import type { Standing } from './credit.rules.ts';
import { type StandingColumns, standingColumns, toStanding } from './credit-settings.queries.ts';
import { type FacilityKey, lastDecidedOf } from './facility.queries.ts';
import { isFirstOrderOf } from './first-order.queries.ts';

export interface Applicant {
  buyer: BuyerRow;
  standing: Standing;
  /** The version of the facility's last transition by a decision; 0 without one. */
  lastDecided: number;
  /** The last decision by which a person granted credit; null without one, and after a change of the buyer's identity. */
  confirmation: { decisionId: string; at: number } | null;
  /** As `isFirstOrderOf` says. */
  isFirstOrder: boolean;
  /** Whether any facts about the buyer's payments exist. If not, none needs to be read. */
  hasPayingFacts: boolean;
  contacts: ContactRow[];
  /** Whether the platform has facilities whose buyers have no keys of their legal entity yet. */
  hasFormerFacilities: boolean;
}

const BY_PERSONS = ['DECIDED_BY_PERSON', 'OVERRIDDEN_BY_PERSONS'] satisfies ReasonCode[];

const BUYER = sql.ref('b.external_id');

interface Row extends BuyerRow, StandingColumns {
  last_decided: number;
  confirmation: Applicant['confirmation'];
  is_first_order: boolean;
  has_paying_facts: boolean;
  contacts: object[];
  has_former_facilities: boolean;
}

/** The facts as of `at` (unix seconds); undefined for an unknown buyer. */
export async function findApplicant(
  db: Db,
  { platformId, buyerExternalId, at }: FacilityKey & { at: number },
): Promise<Applicant | undefined> {
  const platform = sql`${platformId}::int`;
  const { rows } = await sql<Row>`
    select ${buyersTable.of('b')}, ${standingColumns(platform, BUYER, sql`${at}::bigint`)},
      ${lastDecidedOf(platform, BUYER)} as last_decided,
      (
        select json_build_object('decisionId', d.decision_id, 'at', d.decided_at) from credit_decisions d
        where d.platform_id = ${platform} and d.buyer_external_id = b.external_id and d.outcome = 'ACCEPT'
          and d.subject not in ('ORDER', 'FINANCING') and d.reasons && ${BY_PERSONS}::text[]
          and d.decided_at >= coalesce(b.identity_changed_at, 0)
        order by d.decided_at desc limit 1
      ) as confirmation,
      ${isFirstOrderOf(platform, BUYER)} as is_first_order,
      exists (select from closed_orders o where o.platform_id = ${platform} and o.buyer_external_id = b.external_id)
        or exists (select from paid_invoices i where i.platform_id = ${platform} and i.buyer_external_id = b.external_id)
        or exists (select from invoice_defaults d where d.platform_id = ${platform} and d.buyer_external_id = b.external_id)
        as has_paying_facts,
      coalesce((
        select json_agg(c order by c.created_at desc, c.external_id) from contacts c where c.platform_id = ${platform} and c.buyer_external_id = b.external_id
      ), '[]') as contacts,
      exists (
        select from facilities f where f.platform_id = ${platformId} and not f.has_entity_keys
      ) as has_former_facilities
    from buyers b
    where b.platform_id = ${platformId} and b.external_id = ${buyerExternalId}`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const { facility, platform_settings, buyer_settings, overdue, time_zone, ...rest } = row;
  const { last_decided, confirmation, is_first_order, has_former_facilities, ...others } = rest;
  const { has_paying_facts, contacts, ...buyer } = others;
  return {
    buyer,
    standing: toStanding({ facility, platform_settings, buyer_settings, overdue, time_zone }, at),
    lastDecided: last_decided,
    confirmation,
    isFirstOrder: is_first_order,
    hasPayingFacts: has_paying_facts,
    contacts: contacts.map((contact) => contactsTable.fromJson(contact)),
    hasFormerFacilities: has_former_facilities,
  };
}
