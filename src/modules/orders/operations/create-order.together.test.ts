import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import {
  addDebtor,
  auditCredit,
  entriesOf,
  facilityOf,
  grantFacility,
  setFacilityStatus,
} from '#test/credit';
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const BUYERS = Array.from({ length: 8 }, (_, index) => `buyer-${index}`);

// Orders that arrive at the same time share a transaction: a fault in one must not affect another.
describe('POST /v1/orders, 64 at once', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_LOG_LEVEL: 'silent' } });
    await world.post('/v1/merchants', merchantBody({}));
    for (const buyer of BUYERS) await addDebtor(world, { buyer, totalMinor: 1_000_000_000 });
  });
  afterAll(async () => {
    expect(await auditCredit(world)).toEqual([]);
    await world.close();
  });

  const at = (more: object, key = world.apiKey) =>
    world.post(
      '/v1/orders',
      draftOrderBody({
        buyer_external_id: BUYERS[0] as string,
        payment_method: 'TRANSFER',
        payment_term: 'DEFER_30D',
        ...more,
      }),
      { key },
    );
  const placeAll = (bodies: object[]) => Promise.all(bodies.map((more) => at(more)));
  const numbered = (prefix: string) => Array.from({ length: 64 }, (_, index) => `${prefix}-${index}`);
  const buyerOf = (index: number) => BUYERS[index % BUYERS.length] as string;
  const count = async (pattern: string) =>
    (await world.sql('select external_id from orders where external_id like $1', [pattern])).length;
  const pendingOf = async () => {
    const facilities = await Promise.all(BUYERS.map((buyer) => facilityOf(world, buyer)));
    return facilities.reduce((sum, { pending }) => sum + pending, 0);
  };

  it('places each of them, with its own answer', async () => {
    const before = await pendingOf();
    const ids = numbered('each');
    const replies = await placeAll(
      ids.map((external_id, index) => ({
        external_id,
        buyer_external_id: buyerOf(index),
        amount: { net: index + 1, gross: index + 1 },
      })),
    );
    expect(replies.map(({ body }) => [body.external_id, body.buyer_external_id, body.amount.gross])).toEqual(
      ids.map((id, index) => [id, buyerOf(index), index + 1]),
    );
    expect(await pendingOf()).toBe(before + (64 * 65) / 2);
    for (const id of ids) expect(await recordedEvents(world, id)).toHaveLength(1);
  });

  it('accepts exactly one if one buyer’s orders all use the same external_id', async () => {
    const before = await facilityOf(world, 'buyer-0');
    const replies = await placeAll(numbered('race').map(() => ({ external_id: 'race' })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(63).fill(409)]);
    expect((await facilityOf(world, 'buyer-0')).pending).toBe(before.pending + 11_900);
    expect((await entriesOf(world, 'buyer-0')).filter((entry) => entry.includes(' race '))).toHaveLength(1);
  });

  it('accepts exactly one if the orders of different buyers use the same external_id', async () => {
    const before = await pendingOf();
    const replies = await placeAll(
      numbered('shared').map((_, index) => ({ external_id: 'shared', buyer_external_id: buyerOf(index) })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(63).fill(409)]);
    expect(await pendingOf()).toBe(before + 11_900);
    const winner = replies.find(({ status }) => status === 201);
    expect((await world.get('/v1/orders/shared')).text).toBe(winner?.text);
  });

  it('refuses the repetition of an order as a duplicate, not for its credit', async () => {
    for (let round = 0; round < 10; round++) {
      const buyer = `exhausted-${round}`;
      await addDebtor(world, { buyer, totalMinor: 11_900 });
      const twice = { external_id: buyer, buyer_external_id: buyer };
      const replies = await Promise.all([at(twice), at(twice), at(twice)]);
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    }
  });

  it('places the others if some are refused, each for its own reason', async () => {
    await placeAll([{ external_id: 'mixed-2' }]);
    await addDebtor(world, { buyer: 'poor', totalMinor: 1 });
    await addDebtor(world, { buyer: 'frozen', totalMinor: 1_000_000 });
    await setFacilityStatus(world, 'frozen', 'FROZEN');
    const bodies: object[] = numbered('mixed').map((external_id, index) => ({
      external_id,
      buyer_external_id: buyerOf(index),
    }));
    bodies[0] = { external_id: 'mixed-0', buyer_external_id: 'nobody' };
    bodies[1] = { external_id: 'mixed-1', merchant_external_id: 'nobody' };
    bodies[3] = { external_id: 'mixed-3', buyer_external_id: 'poor' };
    bodies[4] = { external_id: 'mixed-4', buyer_external_id: 'frozen' };
    const replies = await placeAll(bodies);
    expect(replies.map(({ status }) => status)).toEqual([404, 422, 409, 422, 422, ...Array(59).fill(201)]);
    expect(replies[3]?.body.reason).toBe('FACILITY_EXCEEDED_AVAILABLE_AMOUNT');
    expect(replies[4]?.body.reason).toBe('FACILITY_FROZEN');
  });

  it('gives the last cents of a facility to as many as fit, and answers the rest with the available amount', async () => {
    await addDebtor(world, { buyer: 'contested', totalMinor: 100_000 });
    const replies = await placeAll(
      numbered('contested').map((external_id) => ({
        external_id,
        buyer_external_id: 'contested',
        amount: { net: 9_999, gross: 9_999 },
      })),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(10);
    const refused = replies.filter(({ status }) => status === 422);
    expect(refused).toHaveLength(54);
    for (const { body } of refused) {
      expect(body.reason).toBe('FACILITY_EXCEEDED_AVAILABLE_AMOUNT');
      expect(body.details).toMatchObject({ requested: 9_999, available: 10 });
    }
    expect(await facilityOf(world, 'contested')).toMatchObject({ pending: 99_990, available: 10 });
  });

  it('places the others if the database refuses one', async () => {
    await world.sql("alter table orders add constraint no_poison check (external_id <> 'poison-40')");
    const replies = await placeAll(
      numbered('poison').map((external_id, index) => ({ external_id, buyer_external_id: buyerOf(index) })),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(63);
    expect(replies[40]?.status).toBe(500);
    expect(await count('poison-%')).toBe(63);
  });

  it('keeps platforms apart that send the same external_ids at the same time', async () => {
    const { platform, apiKey } = await world.addPlatform();
    const name = { external_id: 'buyer-0', legal_name: 'The other buyer' };
    await world.post('/v1/buyers', buyerBody(name), { key: apiKey });
    await world.post('/v1/merchants', merchantBody({}), { key: apiKey });
    await grantFacility(world, {
      buyer: 'buyer-0',
      totalMinor: 11_900 * 16,
      platformId: platform.platform_id,
    });
    const replies = await Promise.all(
      numbered('both').map((_, index) =>
        at({ external_id: `both-${index >> 1}` }, index % 2 ? apiKey : world.apiKey),
      ),
    );
    const statuses = (theirs: boolean) =>
      replies.filter((_, index) => (index % 2 === 1) === theirs).map(({ status }) => status);
    expect(statuses(false)).toEqual(Array(32).fill(201));
    expect(statuses(true).filter((status) => status === 201)).toHaveLength(16);
    expect(statuses(true).filter((status) => status === 422)).toHaveLength(16);
  });
});
