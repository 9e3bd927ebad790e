/**
 * An integrator's first afternoon, with the real program and over real sockets: from her first API key to a webhook whose
 * signature she verified, and to the end of the subscription.
 */
import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attachToRunningPostgres } from '#infra/embedded-postgres/embedded-postgres';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { receiverCertificate, testAuthorityPath } from '#test/certificates';
import { processesBelow } from '#test/embedded-postgres-processes';
import { endPrograms, type RunningProgram, runCommand, startProgram } from '#test/program';
import { startRawServer } from '#test/raw-server';
import { type Received, type Receiver, startReceiver } from '#test/receiver';
import { until } from '#test/until';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

describe('From the first key to a verified webhook', () => {
  let program: RunningProgram;
  let receiver: Receiver;
  let key: string;
  const secrets: Record<string, string> = {};

  beforeAll(async () => {
    program = await startProgram({ args: ['--empty'], env: { WEBHOOK_CA_FILE: testAuthorityPath } });
    receiver = await startReceiver(receiverCertificate);
  });
  afterAll(async () => {
    await receiver?.close();
    await endPrograms();
  });

  const send = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(program.baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the step expects it to be.
    return { status: response.status, body: (await response.json()) as any };
  };
  const received = (path: string, id?: string) => (one: Received) =>
    one.path === `/hooks/${path}` && (id === undefined || one.event.id === id);

  /** As a receiver does: over the received bytes, with Node and with the command line of OpenSSL. */
  const expectGenuine = ({ raw, t, digests, headers }: Received, secret: string) => {
    const expected = createHmac('sha256', secret).update(`${raw}.${t}`).digest('hex');
    expect(digests).toEqual([expected]);
    expect(Math.abs(Date.now() / 1_000 - t)).toBeLessThan(300);
    expect(headers['service-signature']).toBe(`t=${t},v1=${expected}`);
    if (!hasOpenssl) return;
    const { stdout } = spawnSync('openssl', ['dgst', '-sha256', '-hmac', secret], { input: `${raw}.${t}` });
    expect(stdout.toString().trim().split(' ').at(-1)).toBe(expected);
  };

  it('a platform is created by a command beside the running server, which prints its key', async () => {
    const args = '--code market --name Market --country DE --currency EUR'.split(' ');
    const { code, stdout, stderr } = await runCommand(['platform', 'create', ...args], program.env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    key = /tl_test_\w+/.exec(stdout)?.[0] ?? '';
    expect(await send('GET', '/v1/platform')).toMatchObject({ status: 200, body: { code: 'market' } });
  });

  it('a buyer is registered with two contacts, and replaced', async () => {
    const sent = buyerBody({
      external_id: 'cafe',
      business_identifiers: [{ type: 'VAT_ID', value: 'DE136695976', country: 'DE' }],
    });
    expect((await send('POST', '/v1/buyers', sent)).status).toBe(201);
    for (const external_id of ['jane', 'joe']) {
      const contact = { external_id, buyer_external_id: 'cafe', email: `${external_id}@cafe.example` };
      expect((await send('POST', '/v1/contacts', contact)).status).toBe(201);
    }
    const { external_id: _, ...replacement } = { ...sent, trading_name: 'Café Morgenrot' };
    expect((await send('PUT', '/v1/buyers/cafe', replacement)).body.trading_name).toBe('Café Morgenrot');
    const { body } = await send('GET', '/v1/buyers/cafe?expand=contacts');
    expect(body.contacts.map(({ email }: { email: string }) => email).sort()).toEqual([
      'jane@cafe.example',
      'joe@cafe.example',
    ]);
  });

  it('her settings are put in place', async () => {
    const settings = { language: 'DE', formality: 'FORMAL' };
    expect(await send('PUT', '/v1/buyers/cafe/settings', settings)).toEqual({ status: 200, body: settings });
  });

  it('an order of two lines is drafted', async () => {
    await send('POST', '/v1/merchants', merchantBody({ external_id: 'roastery' }));
    const line_items = [
      { name: 'Espresso', category: 'Coffee', price: 2_500, quantity: 4 },
      { name: 'Discount', category: 'Discount', price: -100, quantity: 1 },
    ];
    const { status, body } = await send(
      'POST',
      '/v1/orders/draft',
      draftOrderBody({
        external_id: 'o1',
        buyer_external_id: 'cafe',
        merchant_external_id: 'roastery',
        line_items,
      }),
    );
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: 'DRAFT', buyer: { legal_name: 'Café Morgenrot eG' }, line_items });
  });

  it('every filter of the list finds it, or does not', async () => {
    const { body: order } = await send('GET', '/v1/orders/o1');
    const at = order.created_at;
    for (const [hit, miss] of [
      ['external_id=o1,o2', 'external_id=o2'],
      ['buyer_external_id=cafe', 'buyer_external_id=bar'],
      ['merchant_external_id=roastery', 'merchant_external_id=bakery'],
      ['status=DRAFT,CONFIRMED', 'status=CONFIRMED'],
      [`created_at=..${at}`, `created_at=${at + 1}..`],
      [`updated_at=${at}`, `updated_at=..${at - 1}`],
      [`ordered_at=${at}..${at}`, `ordered_at=${at + 1}..${at + 2}`],
      ['amount_gross=11900..', 'amount_gross=..11899'],
      ['currency=EUR', 'currency=USD,JPY'],
    ]) {
      expect((await send('GET', `/v1/orders?${hit}&sort_by=-amount_gross`)).body).toEqual({
        items: [order],
        total: 1,
        limit: 100,
        offset: 0,
        next: null,
      });
      expect((await send('GET', `/v1/orders?${miss}`)).body).toMatchObject({ items: [], total: 0 });
    }
    const { body: expanded } = await send('GET', '/v1/orders?expand=buyer');
    expect(expanded.items[0].buyer.trading_name).toBe('Café Morgenrot');
  });

  it('limit=101 is refused and not clamped', async () => {
    const { status, body } = await send('GET', '/v1/orders?limit=101');
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'BAD_REQUEST',
      error: '1 validation issue',
      issues: [{ code: 'TOO_BIG', path: 'query.limit' }],
    });
  });

  it('BUYER and BUYER.UPDATED are subscribed, and both hear of a change under the same id', async () => {
    for (const type of ['BUYER', 'BUYER.UPDATED']) {
      const { status, body } = await send('POST', '/v1/webhooks', { type, url: `${receiver.url}/${type}` });
      expect(status).toBe(201);
      secrets[type] = body.signing_secret;
    }
    await send('PUT', '/v1/buyers/cafe/settings', { language: 'FR', formality: 'NEUTRAL' });
    const [byPrefix] = await receiver.waitFor(1, received('BUYER'));
    const [byType] = await receiver.waitFor(1, received('BUYER.UPDATED'));
    expect(byPrefix?.event).toMatchObject({ type: 'BUYER.UPDATED', data: { external_id: 'cafe' } });
    expect(byType?.raw).toBe(byPrefix?.raw);
    expectGenuine(byPrefix as Received, secrets.BUYER as string);
    expectGenuine(byType as Received, secrets['BUYER.UPDATED'] as string);
  });

  it('a receiver that answers 500 twice gets the event a third time, with a fresh t', async () => {
    await send('DELETE', '/v1/webhooks/BUYER.UPDATED/unsubscribe');
    receiver.answerNext(500, 500);
    const { body } = await send('POST', '/v1/webhooks/BUYER/test');
    const fits = received('BUYER', body.event_id);
    for (const attempt of [1, 2]) {
      const [last] = (await receiver.waitFor(attempt, fits)).slice(-1);
      // `t` has whole seconds, so the next attempt has another one only in the next second.
      await until(() => Math.floor(Date.now() / 1_000) > (last?.t ?? 0));
      await letNextAttemptCome(program.dataDir, attempt);
    }
    const attempts = await receiver.waitFor(3, fits);
    expect(attempts.map(({ headers }) => headers['webhook-attempt'])).toEqual(['1', '2', '3']);
    expect(new Set(attempts.map(({ raw }) => raw)).size).toBe(1);
    expect(new Set(attempts.map(({ t }) => t)).size).toBe(3);
    for (const attempt of attempts) expectGenuine(attempt, secrets.BUYER as string);
  });

  it('after a rotation the new secret signs', async () => {
    const { status, body } = await send('POST', '/v1/webhooks/BUYER/signature_key');
    expect(status).toBe(200);
    expect(body.signing_secret).not.toBe(secrets.BUYER);
    const { body: test } = await send('POST', '/v1/webhooks/BUYER/test');
    const [delivery] = await receiver.waitFor(1, received('BUYER', test.event_id));
    expectGenuine(delivery as Received, body.signing_secret);
  });

  it('once unsubscribed, no subscription is left to send to', async () => {
    expect(await send('DELETE', '/v1/webhooks/BUYER/unsubscribe')).toEqual({ status: 200, body: null });
    expect((await send('GET', '/v1/webhooks')).body).toMatchObject({ items: [], total: 0 });
    expect((await send('POST', '/v1/webhooks/BUYER/test')).status).toBe(404);
  });

  it('Ctrl-C ends it well, though a receiver has not answered, and leaves no process', async () => {
    const silent = await startRawServer(() => {}, { host: '127.0.0.1' });
    await send('POST', '/v1/webhooks', { type: 'WEBHOOK', url: `http://127.0.0.1:${silent.port}/` });
    await send('POST', '/v1/webhooks/WEBHOOK/test');
    await until(() => silent.connections === 1);
    expect(await program.stop('SIGINT')).toBe(0);
    await silent.close();
    expect(() => process.kill(program.pid, 0)).toThrow('ESRCH');
    expect(processesBelow(program.dataDir)).toEqual([]);
    await expect(fetch(program.baseUrl)).rejects.toThrow();
  });
});

/** Waits until the current attempt is recorded, and lets the time to the next attempt pass. */
async function letNextAttemptCome(dataDir: string, attempts: number): Promise<void> {
  const postgres = await attachToRunningPostgres(dataDir);
  const client = new pg.Client(postgres?.endpoint('owner'));
  await client.connect();
  await until(async () => {
    const { rowCount } = await client.query(
      `update webhook_deliveries set next_attempt_at = now()
      where status = 'PENDING' and attempts = $1 and not exists (select from webhook_leases)`,
      [attempts],
    );
    return rowCount === 1;
  });
  await client.end();
}
