/** The legal entity of a buyer: what is read about the other buyers, and how decisions about several of them lock it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '#infra/database/transaction';
import { addEntityKeys } from '#modules/buyers';
import { buyerBody } from '#test/bodies';
import { isOnCluster } from '#test/cluster';
import { grantFacility, setFacilityStatus } from '#test/credit';
import { indexesOf, plansOf, readBy } from '#test/plans';
import { createWorld, type World } from '#test/world';
import { findEntity } from './entity-credit.queries.ts';
import { lockEntityOfBuyer } from './lock-entity.ts';

const FEW = 200;
const MANY = 5_000;

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
});
afterAll(() => world.close());

const keyOf = (name: string) => Buffer.from(name.padEnd(32));
const ofBuyer = (buyerExternalId: string) => ({
  platformId: world.platform.platform_id,
  buyerExternalId,
});

/** A buyer with these numbers of its company, and with a facility. */
async function addApplicant(
  buyer: string,
  numbers: readonly string[],
  status: 'ACTIVE' | 'REJECTED' = 'ACTIVE',
): Promise<void> {
  await world.post('/v1/buyers', buyerBody({ external_id: buyer }));
  const keys = numbers.map(keyOf);
  await addEntityKeys(world.installation.db, world.platform.platform_id, [{ externalId: buyer, keys }]);
  await grantFacility(world, { buyer, totalMinor: 1_000, status });
}

const KEYS_OF_THEIR_OWN = "decode(lpad(n::text, 64, '0'), 'hex')";

/** Adds copies of a buyer with its facility, `count` of them. `key`: an expression for the key of copy `n`. */
async function copy(buyer: string, key: string, count: number): Promise<void> {
  const copies = `cross join generate_series(1, ${count}) n where`;
  await world.sql(`insert into buyers (platform_id, external_id, created_at, updated_at, legal_name, legal_form,
      business_identifiers, business_address)
    select platform_id, '${buyer}-' || n, 1, 1, legal_name, legal_form, '[]', business_address from buyers ${copies}
      external_id = '${buyer}'`);
  await world.sql(`insert into buyer_entity_keys (platform_id, entity_key, buyer_external_id)
    select platform_id, ${key}, '${buyer}-' || n from buyer_entity_keys k ${copies} buyer_external_id = '${buyer}'
    on conflict do nothing`);
  await world.sql(`insert into facilities (platform_id, buyer_external_id, status, created_at, updated_at, currency,
      price_class, expires_at)
    select platform_id, '${buyer}-' || n, status, 1, 1, currency, price_class, expires_at from facilities ${copies}
      buyer_external_id = '${buyer}'`);
}

const othersOf = async (buyer: string) =>
  (await findEntity(world.installation.db, ofBuyer(buyer))).others.map((other) => other.buyer_external_id);

describe('the other buyers of a company', () => {
  it('are those that hold credit or apply for it', async () => {
    await addApplicant('one', ['HRB 1']);
    await addApplicant('two', ['HRB 1']);
    expect(await othersOf('one')).toEqual(['two']);
    await setFacilityStatus(world, 'two', 'REJECTED');
    expect(await othersOf('one')).toEqual([]);
    await setFacilityStatus(world, 'two', 'PENDING');
    expect(await othersOf('one')).toEqual(['two']);
  });

  // A cluster plans on the nodes.
  it.skipIf(isOnCluster())(
    'are found without reading the buyers of other companies, however few these are',
    async () => {
      await addApplicant('branch', ['HRB 4']);
      await addApplicant('other', ['HRB 5']);
      await copy('other', KEYS_OF_THEIR_OWN, FEW);
      await world.sql('vacuum analyze buyer_entity_keys, facilities');
      const { rows } = await readBy(world, (db) => findEntity(db, ofBuyer('branch')));
      expect(rows).toBeLessThan(10);
    },
  );

  it('are found without reading rejected ones, of which a company may have any number', async () => {
    await addApplicant('customer', ['HRB 2']);
    await addApplicant('holder', ['HRB 2', 'HRB 3']);
    await addApplicant('rejected', ['HRB 2'], 'REJECTED');
    // The same number of buyers of other companies hold credit.
    await copy('rejected', 'k.entity_key', MANY);
    await copy('holder', KEYS_OF_THEIR_OWN, MANY);
    await world.sql('vacuum analyze buyer_entity_keys, facilities');
    const counted = await world.sql(
      'select buyer_external_id from buyer_entity_keys where is_counted and entity_key = $1',
      [keyOf('HRB 2')],
    );
    expect(counted.map((row) => row.buyer_external_id).sort()).toEqual(['customer', 'holder']);
    const plans = await plansOf(world, async (db) => {
      const { keys, others } = await findEntity(db, ofBuyer('customer'));
      expect(keys).toEqual([keyOf('HRB 2'), keyOf('HRB 3')]);
      expect(others.map((other) => other.buyer_external_id)).toEqual(['holder']);
    });
    expect(indexesOf(plans)).toContain('buyer_entity_keys_counted');
    expect(indexesOf(plans)).not.toContain('buyer_entity_keys_pkey');
  });
});

describe('decisions about buyers of one company that cross', () => {
  it('lock its numbers in one order, and none runs again', async () => {
    // Each has its own number, and a third number between these connects the two.
    await addApplicant('first', ['cross 1', 'cross 2']);
    await addApplicant('second', ['cross 2', 'cross 3']);
    let runs = 0;
    const lock = (buyer: string) =>
      inTransaction(world.installation.db, async (transaction) => {
        runs++;
        return (await lockEntityOfBuyer(transaction, ofBuyer(buyer))).keys;
      });
    const all = ['cross 1', 'cross 2', 'cross 3'].map(keyOf);
    const locked = await Promise.all(
      Array.from({ length: 40 }, (_, nth) => lock(nth % 2 ? 'first' : 'second')),
    );
    expect(locked).toEqual(Array(40).fill(all));
    expect(runs).toBe(40);
  });
});
