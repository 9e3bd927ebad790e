/**
 * Buyers of one legal entity share its exposure. A decision about one of them locks the entity, so that earlier decisions are
 * committed and it sees what the others were granted.
 */
import type { Db } from '#infra/database/database';
import { RunAgain } from '#infra/database/transaction';
import { joinEntity, lockEntityKeys } from '#modules/buyers';
import { type Assessment, type EntityBuyer, lockStandingInsolvency } from '#modules/underwriting';
import type { ChangeContext } from '#operation/operation';
import { findEntity, heldMinorOf, type LegalEntity, selectEntityKeys } from './entity-credit.queries.ts';
import type { FacilityKey } from './facility.queries.ts';
import type { FacilityAction } from './facility.schemas.ts';

/**
 * Locks the legal entity of an assessed buyer and the buyer's insolvency, before its facility. If other buyers of the entity hold
 * credit or apply for it, or an insolvency is recorded, the policy judges the same findings again, with the present standing.
 */
export async function lockEntity<
  Assessed extends { request: { about: FacilityAction; buyerExternalId: string }; assessment: Assessment },
>({ db, platformId }: ChangeContext, assessed: Assessed): Promise<Assessed> {
  const { request, assessment } = assessed;
  const key = { platformId, buyerExternalId: request.buyerExternalId };
  const beside = await lockOthers(db, key, request.about, assessment.entityKeys);
  const insolvency = await lockStandingInsolvency(db, key);
  if (beside.length === 0 && insolvency === undefined) return assessed;
  return { ...assessed, assessment: await assessment.judgedOn({ beside, insolvency }) };
}

/** The other buyers of the entity, and what they hold. */
async function lockOthers(
  db: Db,
  key: FacilityKey,
  about: FacilityAction,
  entityKeys: Buffer[],
): Promise<EntityBuyer[]> {
  if (entityKeys.length === 0) return [];
  const buyer = { platformId: key.platformId, externalId: key.buyerExternalId };
  const locked = await joinEntity(db, buyer, entityKeys, {
    entityKeys: selectEntityKeys(key, entityKeys),
    isFirst: about === 'CREATION',
  });
  const { others } = await readLocked(db, key, locked);
  return others.map((other) => ({
    buyerExternalId: other.buyer_external_id,
    currency: other.currency,
    heldMinor: heldMinorOf(other),
  }));
}

/** Locks the legal entity of a buyer by its stored keys, before its facility. */
export async function lockEntityOfBuyer(db: Db, key: FacilityKey): Promise<LegalEntity> {
  return readLocked(db, key, await lockEntityKeys(db, key.platformId, selectEntityKeys(key)));
}

/**
 * Reads the entity under the lock. If another decision has added numbers to it while this one waited, the transaction runs
 * again, because locking those now would be out of order.
 */
async function readLocked(db: Db, key: FacilityKey, lockedKeys: readonly Buffer[]): Promise<LegalEntity> {
  if (lockedKeys.length === 0) return { keys: [], others: [] };
  const entity = await findEntity(db, key, lockedKeys);
  if (entity.keys.length > lockedKeys.length) throw new RunAgain('The legal entity has grown');
  return entity;
}
