import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { positionEvents } from '#infra/database/outbox.queries';
import { buyerBody } from '#test/bodies';
import { createWorld, type World } from '#test/world';
import { sealAnswer } from './delivery-answer.ts';
import { pruneEvents, recordEvents } from './event.queries.ts';

// The worker is off: the tests number and prune events.
describe('Events and their deliveries', () => {
  let world: World;
  let platformId: number;
  beforeAll(async () => {
    world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    platformId = world.platform.platform_id;
  });
  afterEach(async () => {
    await world.sql('truncate events, event_positions, webhook_attempts cascade');
  });
  afterAll(() => world.close());

  const positions = async () =>
    (
      await world.sql<{ resource: string; position: string | null }>(
        'select resource_external_id as resource, position from events where platform_id = $1 order by position, ordinal',
        [platformId],
      )
    ).map(({ resource, position }) => `${position ?? '-'} ${resource}`);

  it('are recorded with a delivery for each active subscription of the type or a prefix of whole words', async () => {
    const subscriptions = [
      ['PAYOUT', 'ACTIVE'],
      ['PAYOUT_INSTRUCTION', 'ACTIVE'],
      ['PAYOUT_INSTRUCTION.VERIFIED', 'ACTIVE'],
      ['PAYOUT_INSTRUCTION.VERIFIED.AGAIN', 'ACTIVE'],
      ['PAYOUT_INSTRUCTION', 'UNSUBSCRIBED'],
    ];
    for (const [type, status] of subscriptions)
      await world.sql(
        `insert into webhook_subscriptions (platform_id, subscription_id, type, url, status, created_at, updated_at, secret_sealed)
        values ($1, gen_random_uuid(), $2, 'http://127.0.0.1:9/', $3, 0, 0, '')`,
        [platformId, type, status],
      );
    // A type whose first word begins with another type's.
    const type = 'PAYOUT_INSTRUCTION.VERIFIED' as 'BUYER.UPDATED';
    await recordEvents(world.installation.db, [
      { platformId, type, occurredAt: 0, data: { external_id: 'sepa', sequence: 1 } },
    ]);
    const delivered = await world.sql<{ type: string }>(
      'select s.type from webhook_deliveries join webhook_subscriptions s using (platform_id, subscription_id) order by 1',
    );
    expect(delivered.map((each) => each.type)).toEqual(['PAYOUT_INSTRUCTION', 'PAYOUT_INSTRUCTION.VERIFIED']);
    await world.sql('delete from webhook_deliveries');
    await world.sql('delete from webhook_subscription_transitions');
    await world.sql('delete from webhook_subscriptions');
  });

  describe('older than the days for which they are kept', () => {
    const prune = (batchSizeMax: number) =>
      pruneEvents(world.installation.db, { keptDays: 30, batchSizeMax });
    const age = (resource: string, days: number) =>
      world.sql(
        `update events set recorded_at = now() - interval '1 day' * $2 where resource_external_id = $1`,
        [resource, days],
      );

    it('are pruned with their deliveries and attempts, in batches; younger ones stay', async () => {
      const { db } = world.installation;
      await world.post('/v1/webhooks', { url: 'http://127.0.0.1:9/', type: 'BUYER' });
      for (const external_id of ['old-1', 'old-2', 'old-3', 'young'])
        await world.post('/v1/buyers', buyerBody({ external_id }));
      await positionEvents(db, 100);
      await world.sql("update webhook_deliveries set status = 'DELIVERED'");
      await world.sql(
        `insert into webhook_attempts (platform_id, delivery_id, attempt, started_at, duration_ms)
        select platform_id, delivery_id, 1, now(), 5 from webhook_deliveries`,
      );
      for (const resource of ['old-1', 'old-2', 'old-3']) await age(resource, 31);
      await age('young', 29);
      expect([await prune(2), await prune(2)]).toEqual([3, 0]);
      expect(await positions()).toEqual(['4 young']);
      expect(await world.sql('select 1 from webhook_deliveries')).toHaveLength(1);
      expect(await world.sql('select 1 from webhook_attempts')).toHaveLength(1);
    });

    it.each([1, 30, 400])(
      'are kept for %i days, with what receivers answered, and no longer',
      async (days) => {
        const { db, vault } = world.installation;
        const { code, data_key_wrapped } = world.platform;
        await world.post('/v1/webhooks', { url: 'http://127.0.0.1:9/', type: 'BUYER' });
        for (const name of ['older', 'kept'])
          await world.post('/v1/buyers', buyerBody({ external_id: `${name}-${days}` }));
        await positionEvents(db, 100);
        await world.sql("update webhook_deliveries set status = 'DELIVERED'");
        const rows = await world.sql<{ id: number }>('select delivery_id::int as id from webhook_deliveries');
        for (const { id } of rows)
          await world.sql(
            `insert into webhook_attempts (platform_id, delivery_id, attempt, started_at, duration_ms, answer_sealed)
          values ($1, $2, 1, now(), 5, $3)`,
            [
              platformId,
              id,
              sealAnswer(vault.forPlatform(code, data_key_wrapped), id, Buffer.from('thanks')),
            ],
          );
        const minutes = days * 24 * 60;
        await age(`older-${days}`, (minutes + 1) / (24 * 60));
        await age(`kept-${days}`, (minutes - 1) / (24 * 60));
        expect(await pruneEvents(db, { keptDays: days, batchSizeMax: 10 })).toBe(1);
        expect(await positions()).toEqual([`2 kept-${days}`]);
        expect(await world.sql('select 1 from webhook_attempts')).toHaveLength(1);
        const { items } = (await world.get('/v1/webhooks/BUYER/deliveries')).body;
        expect(items.map(({ attempts }: { attempts: object[] }) => attempts)).toMatchObject([
          [{ answer: 'thanks' }],
        ]);
      },
    );

    it('are kept while a delivery is pending or they have no position', async () => {
      const { db } = world.installation;
      await world.post('/v1/buyers', buyerBody({ external_id: 'still-pending' }));
      await positionEvents(db, 100);
      await world.sql(
        `insert into events (platform_id, event_id, type, resource_external_id, occurred_at, body)
        values ($1, $2, 'BUYER.UPDATED', 'unnumbered', 0, '{}')`,
        [platformId, randomUUID()],
      );
      await age('still-pending', 31);
      await age('unnumbered', 31);
      expect(await prune(10)).toBe(0);
    });

    it('are kept behind one with a pending delivery: who goes on behind any that is there misses none', async () => {
      const { db } = world.installation;
      await world.post('/v1/webhooks', { url: 'http://127.0.0.1:9/', type: 'BUYER' });
      const names = ['before-1', 'before-2', 'again', 'behind-1', 'behind-2', 'recent'];
      for (const external_id of names) await world.post('/v1/buyers', buyerBody({ external_id }));
      await positionEvents(db, 100);
      await world.sql("update webhook_deliveries set status = 'DELIVERED'");
      const [again] = (await world.get('/v1/events?resource_external_id=again')).body.items;
      expect((await world.post(`/v1/events/${again.id}/redeliver`)).status).toBe(200);
      for (const resource of names.slice(0, 5)) await age(resource, 31);
      expect(await prune(10)).toBe(2);
      expect(await positions()).toEqual(['3 again', '4 behind-1', '5 behind-2', '6 recent']);
      const behind = await world.get('/v1/events?after=3');
      expect(behind.body.items.map(({ position }: { position: number }) => position)).toEqual([4, 5, 6]);
      await world.sql("update webhook_deliveries set status = 'DELIVERED'");
      expect(await prune(10)).toBe(3);
      const refused = await world.get('/v1/events?after=3');
      expect([refused.status, refused.body.details.oldest]).toEqual([400, 5]);
    });
  });
});
