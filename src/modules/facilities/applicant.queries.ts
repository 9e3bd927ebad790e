/**
 * What a decision reads of the buyer and its facility. One statement reads it all, so that the facts are of one instant;
 * that is why it reads tables of other modules.
 */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { type BuyerRow, buyersTable } from '#modules/buyers';
import type { Standing } from './credit.rules.ts';
import { type StandingColumns, standingColumns, toStanding } from './credit-settings.queries.ts';
import { type FacilityKey, lastDecidedOf } from './facility.queries.ts';

export interface Applicant {
  buyer: BuyerRow;
  standing: Standing;
  /** The version of the facility's last transition by a decision; 0 without one. */
  lastDecided: number;
}

const PLATFORM = sql.ref('b.platform_id');
const BUYER = sql.ref('b.external_id');
const STANDING = standingColumns(PLATFORM, BUYER);
const LAST_DECIDED = lastDecidedOf(PLATFORM, BUYER);

interface Row extends BuyerRow, StandingColumns {
  last_decided: number;
}

/** Undefined for an unknown buyer. `at` is in unix seconds. */
export async function findApplicant(
  db: Db,
  { platformId, buyerExternalId, at }: FacilityKey & { at: number },
): Promise<Applicant | undefined> {
  const { rows } = await sql<Row>`
    select ${buyersTable.of('b')}, ${STANDING}, ${LAST_DECIDED} as last_decided
    from buyers b
    where b.platform_id = ${platformId} and b.external_id = ${buyerExternalId}`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const { facility, settings, overdue, last_decided, ...buyer } = row;
  return {
    buyer,
    standing: toStanding({ facility, settings, overdue }, at),
    lastDecided: last_decided,
  };
}
