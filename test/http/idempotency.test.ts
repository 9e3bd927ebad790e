import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pruneStoredAnswers } from '#operation/idempotency.queries';
import { buyerBody } from '#test/bodies';
import { EVERY_POST, prepareEveryPost } from '#test/every-post';
import { expectProblem } from '#test/problem';
import { createWorld, type Reply, type World } from '#test/world';
import { v1 } from '../../src/api/v1.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off', TRADELINE_LOG_LEVEL: 'silent' } });
  await prepareEveryPost(world);
});
afterAll(() => world.close());

let keysMade = 0;
const newKey = () => `key ${++keysMade}`;
const keyed = (key: string, more: object = {}) => ({ headers: { 'idempotency-key': key }, ...more });

describe('the same request with the same Idempotency-Key', () => {
  it('is tested with every POST', () => {
    const all = v1.filter(([method]) => method === 'POST').map(([, , operation]) => operation.id);
    expect(Object.keys(EVERY_POST).sort()).toEqual(all.sort());
  });

  it.each(Object.entries(EVERY_POST))(
    '%s is done once, and answered in the same bytes',
    async (id, { path, body }) => {
      const key = newKey();
      const isReading = v1.some(([, , operation]) => operation.id === id && operation.effect === 'read');
      const before = await everyRow();
      const first = await world.post(path, body, keyed(key));
      expect([200, 201, 202]).toContain(first.status);
      expect(first.headers.has('idempotency-replayed')).toBe(false);
      const after = await everyRow();
      if (isReading) expect(after).toEqual(before);
      else expect(after).not.toEqual(before);

      const again = await world.post(path, body, keyed(key));
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect([again.status, again.text]).toEqual([first.status, first.text]);
      expect(lasting(again)).toEqual(lasting(first));
      expect(again.headers.get('request-id')).not.toBe(first.headers.get('request-id'));
      expect(await everyRow()).toEqual(after);
    },
  );

  it('gets the first answer, even if the resource has changed since', async () => {
    const key = newKey();
    const body = buyerBody({ external_id: 'changing' });
    const first = await world.post('/v1/buyers', body, keyed(key));
    const { external_id: _, ...rest } = buyerBody({ legal_name: 'Another Name', business_identifiers: [] });
    expect((await world.put('/v1/buyers/changing', rest)).status).toBe(200);
    const again = await world.post('/v1/buyers', body, keyed(key));
    expect(again.text).toBe(first.text);
    expect(again.headers.get('etag')).toBe('"1"');
    expect(again.headers.get('location')).toBe('/v1/buyers/changing');
  });
});

describe('another request with a used Idempotency-Key', () => {
  it('is refused with 422, and does nothing', async () => {
    const key = newKey();
    const body = buyerBody({ external_id: 'used' });
    expect((await world.post('/v1/buyers', body, keyed(key))).status).toBe(201);
    const before = await everyRow();
    const others = [
      await world.post('/v1/buyers', { ...body, legal_name: 'Other' }, keyed(key)),
      await world.post('/v1/buyers', `${JSON.stringify(body)} `, keyed(key)),
      await world.post('/v1/contacts', { external_id: 'x', buyer_external_id: 'b1' }, keyed(key)),
      await world.post('/v1/webhooks/MERCHANT/test', undefined, keyed(key)),
    ];
    for (const reply of others) {
      expectProblem(reply, 'UNPROCESSABLE_ENTITY', 'IDEMPOTENCY_KEY_REUSED');
      expect(reply.headers.has('idempotency-replayed')).toBe(false);
    }
    expect(await everyRow()).toEqual(before);
  });
});

describe('the key itself', () => {
  it.each([
    ['one character', 'k'],
    ['255 characters', 'k'.repeat(255)],
    ['every printable character', ` !"#$%&'()*+,-./09:;<=>?@AZ[\\]^_\`az{|}~`.trim()],
    ['what looks like a path', '../../x'],
    ['a name of the inside', 'tradeline/event-positions'],
  ])('may be %s', async (_, key) => {
    const body = buyerBody({ external_id: `k${++keysMade}` });
    expect((await world.post('/v1/buyers', body, keyed(key))).status).toBe(201);
    const again = await world.post('/v1/buyers', body, keyed(key));
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
  });

  it.each([
    ['empty', ''],
    ['256 characters', 'k'.repeat(256)],
    ['a letter beyond ASCII', 'k\u00e9'],
    ['a tab', 'k\tk'],
  ])('must not be %s', async (_, key) => {
    const { issues } = expectProblem(await postWithKey(key, '{}'), 'BAD_REQUEST');
    expect(issues[0]).toMatchObject({ code: 'INVALID_FORMAT', path: 'headers.idempotency-key' });
    // Reported together with the issues of the body.
    expect(issues).toContainEqual({ code: 'REQUIRED', path: 'body.external_id', message: 'is required' });
  });

  it('is ignored by other methods', async () => {
    expect((await world.get('/v1/platform', keyed('k'.repeat(256)))).status).toBe(200);
    const settings = { language: 'DE' };
    const key = newKey();
    for (const body of [settings, { language: 'FR' }, settings]) {
      const reply = await world.put('/v1/buyers/b1/settings', body, keyed(key));
      expect([reply.status, reply.body.language]).toEqual([200, body.language]);
    }
  });

  /** fetch would not send these. */
  function postWithKey(
    key: string,
    body: string,
  ): Promise<{ status: number; headers: Headers; text: string }> {
    return new Promise((resolve, reject) => {
      const sent = request(`${world.baseUrl}/v1/buyers`, { method: 'POST' }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: new Headers(response.headers as Record<string, string>),
            text: Buffer.concat(chunks).toString(),
          }),
        );
      });
      sent.on('error', reject);
      sent.setHeader('authorization', `Bearer ${world.apiKey}`);
      sent.setHeader('content-type', 'application/json');
      sent.setHeader('idempotency-key', key);
      sent.end(body);
    });
  }
});

describe('a refused request', () => {
  it('does not use up its key: the corrected request can use it', async () => {
    const key = newKey();
    const contact = { external_id: 'late', buyer_external_id: 'late-buyer' };
    expect((await world.post('/v1/contacts', { ...contact, x: 1 }, keyed(key))).status).toBe(400);
    expect((await world.post('/v1/contacts', contact, keyed(key))).status).toBe(422);
    expect((await world.post('/v1/contacts', { ...contact, external_id: 'c1' }, keyed(key))).status).toBe(
      422,
    );
    await world.post('/v1/buyers', buyerBody({ external_id: 'late-buyer' }));
    const mended = await world.post('/v1/contacts', contact, keyed(key));
    expect([mended.status, mended.headers.has('idempotency-replayed')]).toEqual([201, false]);
  });

  it.each([
    ['409', () => world.post('/v1/buyers', buyerBody({ external_id: 'b1' }), keyed('refused')), 409],
    ['404', () => world.post('/v1/webhooks/NOBODY/test', undefined, keyed('refused')), 404],
  ])('is not stored: %s', async (_, send, status) => {
    expect((await send()).status).toBe(status);
    expect(await world.sql("select from idempotency_keys where idempotency_key = 'refused'")).toEqual([]);
  });
});

describe('who a key belongs to', () => {
  it('two platforms can use the same key', async () => {
    const key = newKey();
    const body = buyerBody({ external_id: 'shared' });
    const other = await world.addPlatform();
    const ours = await world.post('/v1/buyers', body, keyed(key));
    const theirs = await world.post(
      '/v1/buyers',
      { ...body, legal_name: 'Theirs' },
      keyed(key, { key: other.apiKey }),
    );
    expect([ours.status, theirs.status]).toEqual([201, 201]);
    expect(theirs.headers.has('idempotency-replayed')).toBe(false);
    const again = await world.post('/v1/buyers', body, keyed(key));
    expect(again.text).toBe(ours.text);
  });

  it('another API key of the platform gets the answer, one restricted to a merchant does not', async () => {
    const key = newKey();
    const body = buyerBody({ external_id: 'rotated' });
    const first = await world.post('/v1/buyers', body, keyed(key));
    const second = await world.post('/v1/buyers', body, keyed(key, { key: await world.addKey() }));
    expect([second.text, second.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
    const restricted = await world.addKey({ merchantExternalId: 'm1' });
    const third = await world.post('/v1/buyers', body, keyed(key, { key: restricted }));
    expectProblem(third, 'UNPROCESSABLE_ENTITY', 'IDEMPOTENCY_KEY_REUSED');
  });

  it('a key without the scope does not see the answer', async () => {
    const path = '/v1/webhooks/MERCHANT/signature_key';
    const key = newKey();
    const { body } = await world.post(path, undefined, keyed(key));
    const reading = await world.addKey({ scopes: ['read'] });
    const reply = await world.post(path, undefined, keyed(key, { key: reading }));
    expectProblem(reply, 'FORBIDDEN', 'INSUFFICIENT_SCOPE');
    expect(reply.text).not.toContain(body.signing_secret);
  });
});

describe('what is stored', () => {
  it('is encrypted: the database has no readable byte of the answer', async () => {
    const key = newKey();
    const { body, text } = await world.post('/v1/webhooks/MERCHANT/signature_key', undefined, keyed(key));
    const rows = await world.sql<{ row: string; sealed: Buffer }>(
      'select idempotency_keys::text as row, body_sealed as sealed from idempotency_keys where idempotency_key = $1',
      [key],
    );
    const bytes = Buffer.concat([Buffer.from(rows[0]?.row ?? ''), rows[0]?.sealed ?? Buffer.alloc(0)]);
    expect(bytes.length).toBeGreaterThan(text.length);
    const secret = body.signing_secret as string;
    expect(secret.length).toBeGreaterThan(20);
    for (const form of [
      secret,
      Buffer.from(secret).toString('hex'),
      Buffer.from(secret).toString('base64').slice(0, -4),
    ])
      expect(bytes.includes(form)).toBe(false);
    expect(bytes.includes('MERCHANT')).toBe(false);
  });

  it('does not open under another key', async () => {
    const [one, other] = [newKey(), newKey()];
    const body = (id: string) => buyerBody({ external_id: id });
    await world.post('/v1/buyers', body('sealed-1'), keyed(one));
    await world.post('/v1/buyers', body('sealed-2'), keyed(other));
    await world.sql(
      `update idempotency_keys set body_sealed = (
         select body_sealed from idempotency_keys where platform_id = $3 and idempotency_key = $1
       ) where platform_id = $3 and idempotency_key = $2`,
      [one, other, world.platform.platform_id],
    );
    expect((await world.post('/v1/buyers', body('sealed-2'), keyed(other))).status).toBe(500);
  });

  it('is kept for 72 hours, then deleted', async () => {
    const [young, old] = [newKey(), newKey()];
    const body = (id: string) => buyerBody({ external_id: id });
    await world.post('/v1/buyers', body('young'), keyed(young));
    await world.post('/v1/buyers', body('old'), keyed(old));
    const age = (key: string, hours: string) =>
      world.sql('update idempotency_keys set created_at = now() - $2::interval where idempotency_key = $1', [
        key,
        hours,
      ]);
    await age(young, '71 hours 59 minutes');
    await age(old, '72 hours 1 minute');
    expect(await pruneStoredAnswers(world.installation.db)).toBe(1);
    expect(
      (await world.post('/v1/buyers', body('young'), keyed(young))).headers.get('idempotency-replayed'),
    ).toBe('true');
    expect((await world.post('/v1/buyers', body('old'), keyed(old))).status).toBe(409);
  });
});

/** Every row that a second effect would change, except the stored keys. */
async function everyRow(): Promise<unknown[]> {
  const tables = [
    'buyers',
    'merchants',
    'contacts',
    'orders',
    'order_transitions',
    'facilities',
    'facility_ledger',
    'facility_transitions',
    'platforms',
    'events',
    'webhook_subscriptions',
    'webhook_deliveries',
    'webhook_recoveries',
    'payout_instructions',
    'payouts',
    'bank_transactions',
    'dunning_stops',
  ];
  return Promise.all(
    tables.map((table) =>
      world.sql(`select md5(string_agg(t::text, '' order by t::text)) as sum, count(*) from ${table} t`),
    ),
  );
}

/** Headers without those that differ in each answer. */
function lasting({ headers }: Reply): string[][] {
  return [...headers].filter(([name]) => !['request-id', 'date', 'idempotency-replayed'].includes(name));
}
