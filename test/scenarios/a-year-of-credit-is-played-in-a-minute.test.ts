/**
 * An integrator plays the life of one credit facility in a sandbox, with the real program: she sets the clock, the service makes
 * the due transitions, and a receiver that verifies signatures gets every event.
 */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, merchantBody } from '#test/bodies';
import { endPrograms, type RunningProgram, runCommand, startProgram } from '#test/program';
import { post } from '#test/program-requests';
import { type Received, type Receiver, startReceiver } from '#test/receiver';
import type { Method, Reply } from '#test/world';

const DAY = 86_400;
const BUYER = '/v1/buyers/hotel';

describe('A year of credit, played in a minute', () => {
  let program: RunningProgram;
  let receiver: Receiver;
  const secrets: Record<string, string> = {};
  /** The time at which the facility was granted and its first period began. */
  let grantedAt: number;

  beforeAll(async () => {
    [program, receiver] = await Promise.all([startProgram({ args: ['--empty'] }), startReceiver()]);
    for (const type of ['BUYER', 'FACILITY', 'ORDER']) {
      const { status, body } = await send('POST', '/v1/webhooks', { type, url: `${receiver.url}/${type}` });
      expect(status).toBe(201);
      secrets[type] = body.signing_secret;
    }
    await send('POST', '/v1/merchants', merchantBody({ external_id: 'brewery' }));
  });
  afterAll(async () => {
    await receiver?.close();
    await endPrograms();
  });

  async function send(method: Method, path: string, body?: unknown): Promise<Reply> {
    if (method === 'POST') return post(program, path, body ?? {});
    const response = await fetch(program.baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${program.apiKey}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
  }
  const facility = async () => (await send('GET', `${BUYER}/facility`)).body;
  const ledger = async (query = '') => (await send('GET', `${BUYER}/facility/ledger${query}`)).body;
  const setClock = async (now: number) => (await send('POST', '/v1/sandbox/clock', { now })).body;
  /** Sets how the policy or the risk source judges this buyer from now on. */
  const judgeAs = async (script: string) => {
    const contact = { buyer_external_id: 'hotel', email: `${script}@hotel.example` };
    expect((await send('PUT', '/v1/contacts/owner', contact)).status).toBe(200);
  };
  const order = (external_id: string, gross: number, payment_term = 'DEFER_30D') =>
    send('POST', '/v1/orders', {
      external_id,
      buyer_external_id: 'hotel',
      merchant_external_id: 'brewery',
      amount: { net: gross, tax: 0, gross },
      payment_method: 'TRANSFER',
      payment_term,
    });

  /** Waits for the event and verifies its signature. */
  const hear = async (type: string, data: object = {}): Promise<Received['event']> => {
    const [heard] = await receiver.waitFor(
      1,
      ({ event }) =>
        event.type === type && Object.entries(data).every(([name, value]) => event.data[name] === value),
    );
    const { raw, t, digests, path, event } = heard as Received;
    const secret = secrets[path.split('/').at(-1) as string] as string;
    expect(digests).toEqual([createHmac('sha256', secret).update(`${raw}.${t}`).digest('hex')]);
    return event;
  };

  it('a buyer is registered and requests a facility that the policy refers', async () => {
    const sent = buyerBody({
      external_id: 'hotel',
      legal_form: 'LIMITED_COMPANY',
      business_identifiers: [{ type: 'VAT_ID', value: 'DE136695976', country: 'DE' }],
    });
    expect((await send('POST', '/v1/buyers', sent)).status).toBe(201);
    const contact = { external_id: 'owner', buyer_external_id: 'hotel', email: 'anna@hotel.example' };
    expect((await send('POST', '/v1/contacts', contact)).status).toBe(201);
    const { status, body } = await send('POST', `${BUYER}/facility`, { requested_amount: 900_000_00 });
    expect(status).toBe(202);
    expect(body).toMatchObject({
      status: 'PENDING',
      total_amount: 0,
      pending_actions: [{ type: 'CREATION' }],
    });
    await hear('FACILITY.CREATION.IN_REVIEW', { status: 'PENDING', previous_status: null });
    expect(await order('too-early', 100_00)).toMatchObject({
      status: 422,
      body: { reason: 'NO_ACTIVE_FACILITY' },
    });
  });

  it('a person accepts it', async () => {
    const { stdout: waiting } = await runCommand(['review', 'list'], program.env);
    const review = /[\da-f-]{36}/.exec(waiting)?.[0] as string;
    expect(waiting).toMatch(/FACILITY_CREATION +hotel/);
    const decide = ['review', 'decide', '--review', review, '--outcome', 'accept', '--limit', '5,000.00'];
    const why = ['--reason', 'Knows the owner, and the house is full.'];
    const decided = await runCommand([...decide, ...why], program.env);
    expect(decided).toMatchObject({ code: 0, stderr: '' });
    expect(decided.stdout).toContain('accepted, 5,000.00 EUR');

    const event = await hear('FACILITY.CREATION.ACCEPTED', { status: 'ACTIVE', total_amount: 500_000 });
    grantedAt = event.occurred_at;
    expect(await facility()).toMatchObject({
      status: 'ACTIVE',
      available_amount: 500_000,
      expires_at: grantedAt + 90 * DAY,
      pending_actions: [],
    });
    expect((await ledger()).items[0]).toMatchObject({ cause: 'LIMIT_GRANTED', actor: 'operator:ada' });
  });

  it('an order is confirmed, and takes its amount of the facility', async () => {
    expect((await order('beer', 400_000)).body).toMatchObject({ status: 'CONFIRMED' });
    await hear('ORDER.CONFIRMED', { external_id: 'beer' });
    expect(await facility()).toMatchObject({ pending_orders_amount: 400_000, available_amount: 100_000 });
    const again = await send('POST', `${BUYER}/facility`);
    expect(again).toMatchObject({ status: 409, body: { reason: 'ACTIVE_FACILITY_EXISTS' } });
  });

  it('after a month the order expires and releases its reservation', async () => {
    const { transitions } = await setClock(grantedAt + 31 * DAY);
    expect(transitions).toMatchObject([{ resource: 'order', external_id: 'beer', trigger: 'expire' }]);
    await hear('ORDER.EXPIRED', { external_id: 'beer', previous_status: 'CONFIRMED' });
    expect(await facility()).toMatchObject({ available_amount: 500_000 });
  });

  it('fourteen days before the end the service renews the facility, with a lower limit', async () => {
    expect((await order('wine', 300_000)).status).toBe(201);
    await hear('ORDER.CONFIRMED', { external_id: 'wine' });
    await judgeAs('renewal-lower');
    expect((await setClock(grantedAt + 75 * DAY)).transitions).toMatchObject([
      { resource: 'order', external_id: 'wine', trigger: 'expire' },
    ]);
    await hear('ORDER.EXPIRED', { external_id: 'wine' });
    expect((await order('linen', 300_000)).status).toBe(201);

    const renewalAt = grantedAt + 76 * DAY;
    const { transitions } = await setClock(renewalAt + 3_600);
    expect(transitions).toEqual([
      { at: renewalAt, resource: 'facility', external_id: 'hotel', trigger: 'renew' },
    ]);
    const event = await hear('FACILITY.RENEWAL.ACCEPTED', { status: 'ACTIVE' });
    expect(event).toMatchObject({
      occurred_at: renewalAt,
      data: { total_amount: 250_000, previous_total_amount: 500_000, available_amount: 0 },
    });
    // Lower than the reserved amount: no reservation is withdrawn.
    expect(await facility()).toMatchObject({
      total_amount: 250_000,
      pending_orders_amount: 300_000,
      available_amount: 0,
      // Where the first period ends.
      expires_at: grantedAt + 180 * DAY,
    });
    expect(await send('GET', '/v1/orders/linen')).toMatchObject({ body: { status: 'CONFIRMED' } });
  });

  it('a new order is refused with the requested and the available amount', async () => {
    const refused = await order('towels', 1_00);
    expect(refused).toMatchObject({
      status: 422,
      body: { reason: 'FACILITY_EXCEEDED_AVAILABLE_AMOUNT', details: { requested: 1_00, available: 0 } },
    });
    expect((await send('GET', '/v1/orders/towels')).status).toBe(404);
    expect((await send('POST', '/v1/orders/linen/cancel', { reason: 'BUYER' })).status).toBe(200);
    await hear('ORDER.CANCELLED', { external_id: 'linen' });
    expect(await facility()).toMatchObject({ available_amount: 250_000 });
  });

  it('the next renewal is rejected; the period stays usable to its end, and expires', async () => {
    await judgeAs('rejected');
    const renewalAt = grantedAt + (90 + 76) * DAY;
    const rejected = await setClock(renewalAt);
    expect(rejected.transitions).toMatchObject([{ at: renewalAt, resource: 'facility', trigger: 'renew' }]);
    await hear('FACILITY.RENEWAL.REJECTED', { status: 'ACTIVE' });
    expect((await order('last', 50_000)).body).toMatchObject({ status: 'CONFIRMED' });
    await hear('ORDER.CONFIRMED', { external_id: 'last' });

    const expired = await setClock(renewalAt + 20 * DAY);
    expect(expired.transitions).toEqual([
      { at: renewalAt + 14 * DAY, resource: 'facility', external_id: 'hotel', trigger: 'expire' },
    ]);
    await hear('FACILITY.EXPIRED', { previous_status: 'ACTIVE', available_amount: 0 });
    expect(await facility()).toMatchObject({
      status: 'EXPIRED',
      total_amount: 250_000,
      pending_orders_amount: 50_000,
      available_amount: 0,
    });
  });

  it('then no order on credit passes, but prepayment does', async () => {
    expect(await order('after', 100)).toMatchObject({ status: 422, body: { reason: 'FACILITY_EXPIRED' } });
    expect((await order('paid-before', 700_000, 'PREPAYMENT')).body).toMatchObject({ status: 'CONFIRMED' });
    await hear('ORDER.CONFIRMED', { external_id: 'paid-before' });
    const terms = await send(
      'GET',
      `${BUYER}/payment_terms?merchant_external_id=brewery&currency=EUR&gross_amount=1000`,
    );
    expect(terms.body.payment_terms.map((each: { payment_term: string }) => each.payment_term)).toEqual([
      'PREPAYMENT',
    ]);
  });

  it('the ledger explains every change, now and as of any day', async () => {
    const { items } = await ledger();
    const seen = items
      .toReversed()
      .map((entry: Record<string, unknown>) => [
        entry.cause,
        entry.order_external_id,
        entry.available_change,
        entry.available_amount,
      ]);
    expect(seen).toEqual([
      ['LIMIT_GRANTED', null, 500_000, 500_000],
      ['ORDER_RESERVED', 'beer', -400_000, 100_000],
      ['ORDER_FREED', 'beer', 400_000, 500_000],
      ['ORDER_RESERVED', 'wine', -300_000, 200_000],
      ['ORDER_FREED', 'wine', 300_000, 500_000],
      ['ORDER_RESERVED', 'linen', -300_000, 200_000],
      ['RENEWED', null, -200_000, 0],
      ['ORDER_FREED', 'linen', 250_000, 250_000],
      ['ORDER_RESERVED', 'last', -50_000, 200_000],
      ['EXPIRED', null, -200_000, 0],
    ]);
    const then = await ledger(`?at=${grantedAt + 40 * DAY}`);
    expect(then.items[0]).toMatchObject({ cause: 'ORDER_RESERVED', order_external_id: 'wine' });
  });

  it('every event came once, and of each resource in the order of its sequence', async () => {
    const events = receiver.received.map(({ event }) => event);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    const ofResource = Map.groupBy(
      events,
      ({ type, data }) => `${type.split('.')[0]} ${data.external_id ?? data.buyer_external_id}`,
    );
    expect(ofResource.get('FACILITY hotel')?.map(({ type }) => type)).toEqual([
      'FACILITY.CREATION.IN_REVIEW',
      'FACILITY.CREATION.ACCEPTED',
      'FACILITY.RENEWAL.ACCEPTED',
      'FACILITY.RENEWAL.REJECTED',
      'FACILITY.EXPIRED',
    ]);
    for (const [resource, seen] of ofResource) {
      const sequences = seen.map(({ data }) => data.sequence);
      expect(sequences, resource).toEqual([...new Set(sequences)].sort((a, b) => a - b));
      const instants = seen.map(({ occurred_at }) => occurred_at);
      expect(instants, resource).toEqual(instants.toSorted((a, b) => a - b));
    }
  });
});
