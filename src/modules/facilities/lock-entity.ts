/**
 * Buyers of one legal entity share its exposure. A decision about one of them locks the entity, so that it sees what the
 * others were granted before it; the decision before it is committed.
 */
import type { Db } from '#infra/database/database';
import { joinEntity, lockEntityKeys } from '#modules/buyers';
import type { Assessment } from '#modules/underwriting';
import type { ChangeContext } from '#operation/operation';
import { findEntity, findEntityOfBuyer, heldMinorOf, type LegalEntity } from './entity-credit.queries.ts';
import type { FacilityKey } from './facility.queries.ts';
import type { FacilityAction } from './facility.schemas.ts';

/**
 * Locks the legal entity of an assessed buyer, before its facility. Where others of the entity hold credit or apply for
 * it, the policy judges again, with the same findings and with what the others hold now.
 */
export async function lockEntity<
  Assessed extends { request: { about: FacilityAction; buyerExternalId: string }; assessment: Assessment },
>({ db, platformId }: ChangeContext, assessed: Assessed): Promise<Assessed> {
  const { request, assessment } = assessed;
  const { entityKeys } = assessment;
  if (entityKeys.length === 0) return assessed;
  const key = { platformId, buyerExternalId: request.buyerExternalId };
  const buyer = { platformId, externalId: request.buyerExternalId };
  await joinEntity(db, buyer, entityKeys, request.about === 'CREATION');
  const { others } = await wholeEntity(db, key, entityKeys);
  if (others.length === 0) return assessed;
  const beside = others.map((other) => ({
    buyerExternalId: other.buyer_external_id,
    currency: other.currency,
    heldMinor: heldMinorOf(other),
  }));
  return { ...assessed, assessment: await assessment.judgedBeside(beside) };
}

/** Locks the legal entity of a buyer by its stored keys, before its facility. */
export async function lockEntityOfBuyer(db: Db, key: FacilityKey): Promise<LegalEntity> {
  const { keys } = await findEntityOfBuyer(db, key);
  if (keys.length === 0) return { keys, others: [] };
  await lockEntityKeys(db, key.platformId, keys);
  return wholeEntity(db, key, keys);
}

/**
 * Reads the entity under the lock. Numbers that connect it with further buyers are locked too. That is out of order, and
 * so rare that a deadlock is left to the repetition of the transaction.
 */
async function wholeEntity(db: Db, key: FacilityKey, lockedKeys: readonly Buffer[]): Promise<LegalEntity> {
  const locked = new Set(lockedKeys.map((each) => each.toString('hex')));
  for (;;) {
    const entity = await findEntity(db, key, lockedKeys);
    const more = entity.keys.filter((each) => !locked.has(each.toString('hex')));
    if (more.length === 0) return entity;
    await lockEntityKeys(db, key.platformId, more);
    for (const each of more) locked.add(each.toString('hex'));
  }
}
