import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { untilFinished } from '#test/deliveries';
import { type Receiver, startReceiver } from '#test/receiver';
import { until } from '#test/until';
import { createWorld, type World } from '#test/world';
import { findDeliveryBacklog } from '../backlog.queries.ts';
import { recoverDeliveries } from '../recovery.queries.ts';

describe('POST /v1/webhooks/{type}/recover', () => {
  let world: World;
  let receiver: Receiver;
  beforeEach(async () => {
    world = await createWorld();
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await world.close();
    await receiver.close();
  });

  const create = async (...ids: string[]) => {
    for (const external_id of ids) await world.post('/v1/buyers', buyerBody({ external_id }));
    const last = async () => (await world.get('/v1/events')).body.items.at(-1)?.data.external_id;
    await until(async () => (await last()) === ids.at(-1));
  };
  const subscribe = (type = 'BUYER') => world.post('/v1/webhooks', { url: receiver.url, type });
  const recover = (after: number, type = 'BUYER') => world.post(`/v1/webhooks/${type}/recover`, { after });
  const put = (recover_after: number) =>
    world.put('/v1/webhooks/BUYER', { url: receiver.url, recover_after });
  const received = () => receiver.received.map(({ event }) => event.data.external_id).sort();
  /** As if the transactions that were open at the time of the request had ended. */
  const finishRecovery = async () => {
    await world.sql("update webhook_recoveries set requested_at = now() - interval '1 minute'");
    await until(async () => (await world.sql('select 1 from webhook_recoveries')).length === 0);
  };

  it('delivers what happened before the subscription existed, once', async () => {
    await create('b1', 'b2', 'b3');
    await subscribe();
    const { status, body } = await recover(1);
    expect(status).toBe(200);
    expect(body).toEqual({ type: 'BUYER', after: 1, newest: 3 });
    await receiver.waitFor(2);
    await finishRecovery();
    expect((await recover(0)).status).toBe(200);
    await receiver.waitFor(3);
    await finishRecovery();
    await untilFinished(world);
    expect(received()).toEqual(['b1', 'b2', 'b3']);
  });

  it('puts back what failed or was discarded, and repeats nothing that was delivered', async () => {
    await subscribe();
    await create('b1', 'b2', 'b3', 'b4');
    await untilFinished(world);
    await world.sql(
      `update webhook_deliveries d set status = case e.position when 2 then 'FAILED' else 'DISCARDED' end
      from events e where e.platform_id = d.platform_id and e.event_id = d.event_id and e.position in (2, 4)`,
    );
    await recover(0);
    await receiver.waitFor(6);
    await finishRecovery();
    await untilFinished(world);
    expect(received()).toEqual(['b1', 'b2', 'b2', 'b3', 'b4', 'b4']);
    const { items } = (await world.get('/v1/webhooks/BUYER/deliveries')).body;
    expect(items.map(({ round }: { round: number }) => round)).toEqual([2, 1, 2, 1]);
  });

  it('takes only events of the type', async () => {
    await create('b1');
    await subscribe('MERCHANT');
    await recover(0, 'MERCHANT');
    await finishRecovery();
    expect(await world.sql('select 1 from webhook_deliveries')).toEqual([]);
  });

  it('many at once, from several positions, deliver each event once', async () => {
    await create('b1', 'b2', 'b3', 'b4');
    await subscribe();
    const replies = await Promise.all([3, 0, 2, 0, 1, 3].map((after) => recover(after)));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    await receiver.waitFor(4);
    await finishRecovery();
    await untilFinished(world);
    expect(received()).toEqual(['b1', 'b2', 'b3', 'b4']);
  });

  it('finds an event whose transaction was open when it was asked for', async () => {
    const open = await world.installation.db.startTransaction().execute();
    const { platform_id } = world.platform;
    const { recordEvents } = await import('../event.queries.ts');
    await recordEvents(open, [
      {
        platformId: platform_id,
        type: 'BUYER.CREATED',
        occurredAt: 1,
        data: { external_id: 'late', sequence: 1 },
      },
    ]);
    await create('b1');
    await subscribe();
    await recover(0);
    await receiver.waitFor(1);
    await open.commit().execute();
    await receiver.waitFor(2);
    expect(received()).toEqual(['b1', 'late']);
  });

  it('of thousands goes on in steps, beside few pending deliveries, and two at once make each once', async () => {
    const stopped = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    const { platform_id } = stopped.platform;
    await stopped.sql(
      `insert into events (platform_id, event_id, position, type, resource_external_id, occurred_at, body)
      select $1, gen_random_uuid(), n, 'BUYER.CREATED', 'x', 1, '{}' from generate_series(1, 1000) n`,
      [platform_id],
    );
    await stopped.sql('insert into event_positions values ($1, 1000)', [platform_id]);
    await stopped.post('/v1/webhooks', { url: receiver.url, type: 'BUYER' });
    for (const after of [500, 0]) await stopped.post('/v1/webhooks/BUYER/recover', { after });
    const { db } = stopped.installation;
    const pending = async () => {
      const [row] = await stopped.sql<{ n: string }>(
        "select count(*) as n from webhook_deliveries where status = 'PENDING'",
      );
      return Number(row?.n);
    };
    expect(await Promise.all([recoverDeliveries(db, 10), recoverDeliveries(db, 10)])).toContain(200);
    expect(await pending()).toBe(200);
    expect(await recoverDeliveries(db, 10)).toBe(null);
    expect(await pending()).toBe(200);
    const progress = async () => (await stopped.get('/v1/webhooks')).body.items[0].health.recovery;
    expect(await progress()).toEqual({ after: 200, newest: 1_000 });
    for (let step = 2; step <= 5; step++) {
      await stopped.sql("update webhook_deliveries set status = 'DELIVERED', finished_at = now()");
      await recoverDeliveries(db, 10);
    }
    expect(
      await stopped.sql('select count(*) as n, count(distinct event_id) as events from webhook_deliveries'),
    ).toEqual([{ n: '1000', events: '1000' }]);
    expect(await stopped.sql('select position_next, position_until from webhook_recoveries')).toEqual([
      { position_next: '1001', position_until: null },
    ]);
    expect(await progress()).toEqual({ after: 1_000, newest: 1_000 });
    await stopped.sql("update webhook_deliveries set status = 'DELIVERED', finished_at = now()");
    await stopped.sql("update webhook_recoveries set requested_at = now() - interval '1 minute'");
    await recoverDeliveries(db, 10);
    expect(await progress()).toBe(null);
    await stopped.close();
  });

  it('with few events left is not behind one with many', async () => {
    const stopped = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    await stopped.sql(
      `insert into events (platform_id, event_id, position, type, resource_external_id, occurred_at, body)
      select $1, gen_random_uuid(), n, (array['BUYER.CREATED', 'ORDER.CREATED'])[1 + n % 2], 'x', 1, '{}'
      from generate_series(1, 1000) n`,
      [stopped.platform.platform_id],
    );
    await stopped.sql('insert into event_positions values ($1, 1000)', [stopped.platform.platform_id]);
    for (const [type, after] of [
      ['BUYER', 0],
      ['ORDER', 900],
    ] as const) {
      await stopped.post('/v1/webhooks', { url: receiver.url, type });
      await stopped.post(`/v1/webhooks/${type}/recover`, { after });
    }
    const { db } = stopped.installation;
    expect(await recoverDeliveries(db, 1)).toBe(50);
    // Waiting for events without a position is not a step.
    for (let step = 1; step <= 2; step++) expect(await recoverDeliveries(db, 1)).toBe(100);
    expect(await recoverDeliveries(db, 1)).toBe(null);
    await stopped.close();
  });

  it('of ten million events is answered at once, and makes two hundred at a time', async () => {
    const stopped = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
    await stopped.sql(
      `insert into events (platform_id, event_id, position, type, resource_external_id, occurred_at, body)
      select $1, gen_random_uuid(), n, 'BUYER.CREATED', 'x', 1, '{}'
      from (select generate_series(1, 400) union all select 10000000) e(n)`,
      [stopped.platform.platform_id],
    );
    await stopped.sql('insert into event_positions values ($1, 10000000)', [stopped.platform.platform_id]);
    await stopped.post('/v1/webhooks', { url: receiver.url, type: 'BUYER' });
    const { status, body } = await stopped.post('/v1/webhooks/BUYER/recover', { after: 0 });
    expect([status, body.newest]).toEqual([200, 10_000_000]);
    const { db } = stopped.installation;
    await recoverDeliveries(db, 10);
    await recoverDeliveries(db, 10);
    expect(await findDeliveryBacklog(db)).toMatchObject({ pending: 200, recoveries: 1 });
    expect(await stopped.sql('select position_next from webhook_recoveries')).toEqual([
      { position_next: '201' },
    ]);
    await stopped.close();
  });

  it('comes with the new url of a disabled subscription', async () => {
    await subscribe();
    await world.sql("update webhook_subscriptions set status = 'DISABLED'");
    await create('b1', 'b2');
    expect(receiver.received).toEqual([]);
    const refused = await recover(0);
    expect([refused.status, refused.body.reason]).toEqual([409, 'INVALID_STATUS_TRANSITION']);
    const replaced = await world.put('/v1/webhooks/BUYER', { url: receiver.url, recover_after: 1 });
    expect([replaced.status, replaced.body.status]).toEqual([200, 'ACTIVE']);
    await receiver.waitFor(1);
    expect(received()).toEqual(['b2']);
  });

  it('ends with the subscription', async () => {
    await create('b1');
    await subscribe();
    await world.sql('update webhook_deliveries set status = status');
    await recover(0);
    await world.delete('/v1/webhooks/BUYER/unsubscribe');
    expect(await world.sql('select 1 from webhook_recoveries')).toEqual([]);
  });

  it('400 for a cursor whose events are deleted, and for one that no event has', async () => {
    await create('b1', 'b2', 'b3');
    await subscribe();
    await world.sql('delete from events where position <= 2');
    for (const send of [recover, put]) {
      const [old, unknown] = [await send(1), await send(4)];
      expect([old.status, old.body.issues[0].code, old.body.details.oldest]).toEqual([400, 'TOO_SMALL', 2]);
      expect([unknown.status, unknown.body.issues[0].code]).toEqual([400, 'TOO_BIG']);
    }
  });

  it.each([
    ['a recovery', () => recover(0)],
    ['a new url', () => put(0)],
  ])('from 0 brings all that is kept, whatever is deleted: %s', async (_name, send) => {
    await create('b1', 'b2', 'b3');
    await subscribe();
    await world.sql('delete from events where position = 1');
    expect((await send()).status).toBe(200);
    await receiver.waitFor(2);
    await finishRecovery();
    await untilFinished(world);
    expect(received()).toEqual(['b2', 'b3']);
  });

  it('404, 403: as all of webhooks', async () => {
    await subscribe();
    const { apiKey } = await world.addPlatform();
    const send = (key: string) => world.post('/v1/webhooks/BUYER/recover', { after: 0 }, { key });
    expect((await send(apiKey)).status).toBe(404);
    expect((await send(await world.addKey({ merchantExternalId: 'm' }))).status).toBe(403);
    expect((await send(await world.addKey({ scopes: ['read'] }))).status).toBe(403);
  });
});
