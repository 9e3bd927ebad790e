import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { selfSignedCertificate } from '#test/certificates';
import { untilFinished } from '#test/deliveries';
import { onEachRequest, startRawServer } from '#test/raw-server';
import { type Receiver, startReceiver } from '#test/receiver';
import { until } from '#test/until';
import { createWorld, type World } from '#test/world';

describe('GET /v1/webhooks/{type}/deliveries', () => {
  let world: World;
  let receiver: Receiver;
  beforeAll(async () => {
    world = await createWorld();
    receiver = await startReceiver();
    for (const type of ['BUYER', 'BUYER.CREATED'])
      await world.post('/v1/webhooks', { url: receiver.url, type });
    for (const external_id of ['b1', 'b2', 'b3']) await world.post('/v1/buyers', buyerBody({ external_id }));
    const { external_id: _, ...changed } = buyerBody({
      external_id: 'b1',
      legal_name: 'Another',
      business_identifiers: [],
    });
    expect((await world.put('/v1/buyers/b1', changed)).status).toBe(200);
    await untilFinished(world);
    // An event may arrive before it has its position in the list.
    await until(async () => (await world.get('/v1/events?type=BUYER.UPDATED')).body.items.length > 0);
  });
  afterAll(async () => {
    await world.close();
    await receiver.close();
  });

  const list = (query = '', type = 'BUYER') => world.get(`/v1/webhooks/${type}/deliveries${query}`);
  const seen = ({ body }: Awaited<ReturnType<typeof list>>) =>
    body.items.map((item: Record<string, string>) => `${item.event_type} ${item.resource_external_id}`);

  describe('200', () => {
    it('lists the deliveries of the subscription, the newest first, with every field', async () => {
      const answered = await list();
      expect(seen(answered)).toEqual([
        'BUYER.UPDATED b1',
        'BUYER.CREATED b3',
        'BUYER.CREATED b2',
        'BUYER.CREATED b1',
      ]);
      expect(answered.body).toMatchObject({ limit: 100, next: null });
      const [event] = (await world.get('/v1/events?type=BUYER.UPDATED')).body.items;
      expect(answered.body.items[0]).toEqual({
        event_id: event.id,
        event_type: 'BUYER.UPDATED',
        resource_external_id: 'b1',
        status: 'DELIVERED',
        round: 1,
        created_at: expect.any(Number),
        waiting_since: expect.any(Number),
        next_attempt_at: null,
        finished_at: expect.any(Number),
        attempts: [
          {
            round: 1,
            attempt: 1,
            started_at: expect.any(Number),
            duration_ms: expect.any(Number),
            status_code: 200,
            failure: null,
            failure_detail: null,
            url: receiver.url,
            address: '127.0.0.1',
            answer: null,
          },
        ],
      });
      expect((await list('', 'BUYER.CREATED')).body.items).toHaveLength(3);
    });

    it('pages: next is the before of the next page', async () => {
      const first = await list('?limit=3');
      const second = await list(`?limit=3&before=${first.body.next}`);
      expect([...seen(first), ...seen(second)]).toEqual(seen(await list()));
      expect(second.body.next).toBeNull();
    });

    it.each([
      ['status=DELIVERED', 4],
      ['status=PENDING,FAILED', 0],
      ['event_type=BUYER.UPDATED', 1],
      ['event_type=BUYER', 4],
      ['created_at=..1000', 0],
      ['created_at=1000..', 4],
      ['event_id=none', 0],
    ])('with %s lists %i', async (query, count) => {
      expect((await list(`?${query}`)).body.items).toHaveLength(count);
    });

    it('finds the deliveries of an event', async () => {
      const [event] = (await world.get('/v1/events?resource_external_id=b2')).body.items;
      expect(seen(await list(`?event_id=${event.id}`))).toEqual(['BUYER.CREATED b2']);
    });

    it('shows what the receiver answered, at most 4 KB of it, and stores that encrypted', async () => {
      const answer = `account DE89370400440532013000 ${'x'.repeat(5_000)}`;
      const raw = await startRawServer((socket) =>
        onEachRequest(socket, () =>
          socket.end(`HTTP/1.1 500 No\r\ncontent-length: ${answer.length}\r\n\r\n${answer}`),
        ),
      );
      await world.post('/v1/webhooks', { url: `http://127.0.0.1:${raw.port}/`, type: 'WEBHOOK' });
      await world.post('/v1/webhooks/WEBHOOK/test');
      const { items } = await until(async () => {
        const { body } = await list('', 'WEBHOOK');
        return body.items[0]?.attempts.length > 0 ? body : undefined;
      });
      expect(items[0]).toMatchObject({
        status: 'PENDING',
        next_attempt_at: expect.any(Number),
        finished_at: null,
      });
      expect(items[0].attempts[0]).toMatchObject({ status_code: 500, failure: null });
      expect(items[0].attempts[0].answer).toBe(answer.slice(0, 4_096));
      const [stored] = await world.sql(
        'select answer_sealed::text as text from webhook_attempts where status_code = 500',
      );
      expect(JSON.stringify(stored)).not.toContain(Buffer.from('DE8937').toString('hex'));
      await raw.close();
    });

    it('says why there was no answer', async () => {
      await world.post('/v1/webhooks', { url: 'http://127.0.0.1:9/', type: 'MERCHANT.ENROLLED' });
      await world.post('/v1/webhooks/MERCHANT.ENROLLED/test');
      const attempt = await until(
        async () => (await list('', 'MERCHANT.ENROLLED')).body.items[0]?.attempts[0],
      );
      expect(attempt).toMatchObject({
        status_code: null,
        failure: 'CONNECTION',
        failure_detail: 'The receiver refused the connection.',
        address: '127.0.0.1',
        answer: null,
      });
    });

    it('shows what arrived of an answer that was not complete', async () => {
      const raw = await startRawServer((socket) =>
        onEachRequest(socket, () =>
          socket.end(`HTTP/1.1 500 No\r\ncontent-length: 9000\r\n\r\n${'x'.repeat(3_000)}`),
        ),
      );
      await world.post('/v1/webhooks', { url: `http://127.0.0.1:${raw.port}/`, type: 'ORDER' });
      await world.post('/v1/webhooks/ORDER/test');
      const attempt = await until(async () => (await list('', 'ORDER')).body.items[0]?.attempts[0]);
      expect(attempt).toMatchObject({
        status_code: 500,
        failure: 'CONNECTION',
        failure_detail: 'The receiver closed the connection before its answer was complete.',
        address: '127.0.0.1',
        answer: 'x'.repeat(3_000),
      });
      await world.delete('/v1/webhooks/ORDER/unsubscribe');
      await raw.close();
    });

    it('says what is wrong with a certificate, and where', async () => {
      const raw = await startRawServer(() => {}, { tls: selfSignedCertificate });
      await world.post('/v1/webhooks', { url: `https://127.0.0.1:${raw.port}/`, type: 'ORDER' });
      await world.post('/v1/webhooks/ORDER/test');
      const attempt = await until(async () => (await list('', 'ORDER')).body.items[0]?.attempts[0]);
      expect(attempt).toMatchObject({
        status_code: null,
        failure: 'TLS',
        failure_detail: "The receiver's certificate is self-signed.",
        address: '127.0.0.1',
        answer: null,
      });
      await world.delete('/v1/webhooks/ORDER/unsubscribe');
      await raw.close();
    });
  });

  it.each([
    ['before=-1', 'TOO_SMALL query.before'],
    ['limit=0', 'TOO_SMALL query.limit'],
    ['status=LOST', 'INVALID_ENUM query.status'],
    ['offset=1', 'UNRECOGNIZED_KEYS query.offset'],
  ])('400 for %s', async (query, issue) => {
    const { status, body } = await list(`?${query}`);
    expect(status).toBe(400);
    expect(body.issues.map(({ code, path }: Record<string, string>) => `${code} ${path}`)).toEqual([issue]);
  });

  it('404 for a type that is not subscribed, and for the subscription of another platform', async () => {
    expect((await list('', 'ORDER')).status).toBe(404);
    const { apiKey } = await world.addPlatform();
    expect((await world.get('/v1/webhooks/BUYER/deliveries', { key: apiKey })).status).toBe(404);
  });

  it('with the cursor of another platform shows what is its own', async () => {
    const { apiKey: key } = await world.addPlatform({ code: 'other-deliveries' });
    await world.post('/v1/webhooks', { url: receiver.url, type: 'BUYER' }, { key });
    await world.post('/v1/webhooks/BUYER/test', undefined, { key });
    await world.post('/v1/webhooks/BUYER/test', undefined, { key });
    const theirs = await until(async () => {
      const { body } = await world.get('/v1/webhooks/BUYER/deliveries?limit=1', { key });
      return body.next === null ? undefined : body;
    });
    const { body } = await list(`?before=${theirs.next}`);
    expect(body.items.map(({ event_type }: { event_type: string }) => event_type)).not.toContain(
      'WEBHOOK.TEST',
    );
    expect(body.items).toEqual((await list()).body.items);
  });

  it('403 for a key of one merchant', async () => {
    const key = await world.addKey({ merchantExternalId: 'm1' });
    expect((await world.get('/v1/webhooks/BUYER/deliveries', { key })).body.reason).toBe(
      'MERCHANT_NOT_ALLOWED',
    );
  });
});
