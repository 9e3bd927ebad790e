/**
 * Services, payouts and payout instructions go through every transition of their lifecycles, over HTTP and with a simulated bank. A
 * receiver gets the event of each transition that has one, with a signature that it verifies as in the guide.
 */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Lifecycle } from '#kernel/lifecycle';
import { payoutInstructionEvents, payoutInstructionLifecycle } from '#modules/payees';
import { payoutEvents, payoutLifecycle, retryPayout } from '#modules/payouts';
import {
  collectionLifecycle,
  financingLifecycle,
  insuranceLifecycle,
  type ServiceType,
  serviceEvents,
} from '#modules/services';
import { merchantBody } from '#test/bodies';
import { act, addDebtor } from '#test/credit';
import {
  addFinanceableInvoice,
  addVerifiedAccount,
  DAY,
  FINANCING_STARTS,
  requestFinancing,
} from '#test/financing';
import { sepaBody } from '#test/payees';
import { type Received, type Receiver, startReceiver } from '#test/receiver';
import { createWorld, type Method, type World } from '#test/world';

const GROSS = 11_900;
/** Each has its own payout. */
const MERCHANTS = ['paid', 'failed', 'returned', 'withdrawn', 'refused', 'netted'];

describe('every event of a service, a payout and a payout instruction', () => {
  let world: World;
  let receiver: Receiver;
  const secrets: Record<string, string> = {};
  beforeAll(async () => {
    [world, receiver] = await Promise.all([createWorld(), startReceiver()]);
    world.clock.set(FINANCING_STARTS);
    await addDebtor(world, { buyer: 'buyer', totalMinor: 100_000_000 });
    for (const type of ['INVOICE', 'PAYOUT', 'PAYOUT_INSTRUCTION']) {
      const { body } = await world.post('/v1/webhooks', { type, url: `${receiver.url}/${type}` });
      secrets[type] = body.signing_secret;
    }
    for (const external_id of MERCHANTS) {
      await world.post('/v1/merchants', merchantBody({ external_id }));
      await addVerifiedAccount(world, external_id);
    }
  });
  afterAll(async () => {
    await world.close();
    await receiver.close();
  });

  async function does(method: Method, path: string, body: object, status = 200) {
    const reply = await world.send(method, path, { body });
    expect(`${method} ${path} ${reply.status} ${reply.text}`).toContain(`${path} ${status}`);
    return reply.body;
  }
  const invoice = async (external_id: string, merchant = 'paid') => {
    const { body } = await world.get('/v1/sandbox/clock');
    const parties = { merchant_external_id: merchant, buyer_external_id: 'buyer' };
    await addFinanceableInvoice(world, { external_id, ...parties, due_at: body.now + 30 * DAY });
  };
  const simulate = (invoice_external_id: string, service_type: ServiceType, trigger: string) =>
    does('POST', '/v1/sandbox/services', { invoice_external_id, service_type, trigger });
  const payout = (external_id: string, trigger: string) =>
    does('POST', '/v1/sandbox/payouts', { external_id, trigger });
  const payoutOf = async (merchant: string): Promise<string> => {
    const { body } = await world.get(`/v1/payouts?merchant_external_id=${merchant}&status=SCHEDULED`);
    expect(body.items).toHaveLength(1);
    return body.items[0].external_id;
  };
  const pay = (id: string, payment: string) =>
    does('POST', `/v1/invoices/${id}/payments`, { external_id: payment, amount: GROSS }, 201);
  const tenDaysLater = async () => {
    const { body } = await world.get('/v1/sandbox/clock');
    await does('POST', '/v1/sandbox/clock', { now: body.now + 10 * DAY });
  };

  it.each<[ServiceType, string[]]>([
    ['INSURANCE', ['accept', 'notify_claim', 'assess', 'pay_claim']],
    ['INSURANCE', ['accept', 'notify_claim', 'assess', 'deny_claim']],
    ['INSURANCE', ['accept', 'expire']],
    ['INSURANCE', ['accept', 'cancel']],
    ['INSURANCE', ['reject']],
    ['INSURANCE', ['cancel']],
    ['COLLECTION', ['accept', 'escalate', 'collect']],
    ['COLLECTION', ['accept', 'escalate', 'give_up']],
    ['COLLECTION', ['accept', 'collect']],
    ['COLLECTION', ['accept', 'cancel']],
    ['COLLECTION', ['reject']],
  ])('is caused over HTTP: %s %j', async (type, triggers) => {
    const id = `${type.toLowerCase()}-${triggers.join('-').replaceAll('_', '-')}`;
    await invoice(id);
    await does('POST', `/v1/invoices/${id}/services/${type}`, { terms_accepted_at: FINANCING_STARTS }, 201);
    for (const trigger of triggers) await simulate(id, type, trigger);
  });

  it('is caused over HTTP: financings before their payout', async () => {
    for (const trigger of ['reject', 'cancel']) {
      await invoice(`waiting-${trigger}`);
      await does('DELETE', `/v1/invoices/waiting-${trigger}/files/file`, {});
      await requestFinancing(world, `waiting-${trigger}`);
      await simulate(`waiting-${trigger}`, 'FINANCING', trigger);
    }
    await invoice('refused', 'refused');
    await requestFinancing(world, 'refused');
    await simulate('refused', 'FINANCING', 'reject');
  });

  it('is caused over HTTP: payouts of each end, and financings after them', async () => {
    for (const merchant of MERCHANTS.filter((each) => each !== 'refused')) {
      await invoice(`of-${merchant}`, merchant);
      expect((await requestFinancing(world, `of-${merchant}`)).body.status).toBe('ACCEPTED');
    }
    await tenDaysLater();
    await does('POST', '/v1/invoices/of-withdrawn/services/FINANCING/cancel', {});
    for (const merchant of ['paid', 'failed', 'returned', 'netted']) {
      const id = await payoutOf(merchant);
      await payout(id, 'instruct');
      await payout(id, merchant === 'failed' ? 'fail' : 'confirm');
      if (merchant === 'returned') await payout(id, 'return');
      if (merchant === 'failed')
        await act(world, (context) => retryPayout(context, id, { reason: 'Again.' }));
    }
    await pay('of-paid', 'paid');
    await does('POST', '/v1/invoices/of-paid/payments/paid/reverse', { reason: 'It bounced.' });
    await simulate('of-paid', 'FINANCING', 'default');
    await pay('of-paid', 'paid-again');
  });

  it('is caused over HTTP: a payout of which debts of the merchant take all', async () => {
    await pay('of-netted', 'to-the-merchant');
    await world.sql("update facilities set status = 'ACTIVE', frozen_at = null");
    await invoice('netted-again', 'netted');
    expect((await requestFinancing(world, 'netted-again')).body).toMatchObject({ advance: { value: 0 } });
    await tenDaysLater();
  });

  it('is caused over HTTP: payout instructions', async () => {
    await world.post('/v1/merchants', merchantBody({ external_id: 'owner' }));
    const add = (external_id: string) =>
      does('POST', '/v1/payout_instructions', sepaBody({ external_id, merchant_external_id: 'owner' }), 201);
    const simulated = (external_id: string, trigger: string) =>
      does('POST', '/v1/sandbox/payout_instructions', { external_id, trigger });
    for (const from of ['UNVERIFIED', 'VERIFIED', 'REJECTED'])
      for (const end of ['replace', 'delete']) {
        const id = `${from.toLowerCase()}-${end}`;
        await add(id);
        if (from === 'VERIFIED') await simulated(id, 'verify');
        if (from === 'REJECTED') await simulated(id, 'unverify');
        await does(
          end === 'replace' ? 'PUT' : 'DELETE',
          `/v1/payout_instructions/${id}`,
          end === 'replace' ? sepaBody() : {},
        );
      }
    await add('unmasked');
    await simulated('unmasked', 'verify');
    await simulated('unmasked', 'unverify');
  });

  interface Made {
    id: string;
    version: number;
    from: string | null;
    trigger: string;
    to: string;
  }
  const madeIn = (table: string, key: string, join = '') =>
    world.sql<Made & Record<string, unknown>>(
      `select t.${key} as id, t.version, t.from_status as "from", t.trigger, t.to_status as "to" from ${table} t ${join}`,
    );
  const ofType = (type: ServiceType) =>
    madeIn(
      'invoice_service_transitions',
      'external_id',
      `join invoice_services s on s.platform_id = t.platform_id and s.external_id = t.external_id and s.service_type = '${type}'`,
    );

  it.each<[string, Lifecycle<string, string>, () => Promise<Made[]>]>([
    ['financing', financingLifecycle, () => ofType('FINANCING')],
    ['insurance', insuranceLifecycle, () => ofType('INSURANCE')],
    ['collection', collectionLifecycle, () => ofType('COLLECTION')],
    ['payout', payoutLifecycle, () => madeIn('payout_transitions', 'payout_external_id')],
    [
      'payout instruction',
      payoutInstructionLifecycle,
      () => madeIn('payout_instruction_transitions', 'external_id'),
    ],
  ])('arrives once for each transition of a %s, of which all were made', async (_, lifecycle, find) => {
    const made = await find();
    const nameOf = ({ from, trigger, to }: { from: string | null; trigger: string; to: string }) =>
      `${from} ${trigger} ${to}`;
    expect([...new Set(made.map(nameOf))].sort()).toEqual(lifecycle.transitions.map(nameOf).sort());
    for (const { id, version, ...transition } of made) {
      const { event } = lifecycle.transitions.find(
        (each) => nameOf(each) === nameOf(transition),
      ) as (typeof lifecycle.transitions)[number];
      const ofVersion = ({ event: { data } }: Received) =>
        data.external_id === id && data.sequence === version;
      if (event === null) continue;
      const [heard, ...more] = await receiver.waitFor(1, ofVersion);
      expect(more).toEqual([]);
      expect(heard?.event).toMatchObject({
        type: event,
        data: { status: transition.to, previous_status: transition.from },
      });
    }
    const silent = made.filter(
      (each) => lifecycle.transitions.find((one) => nameOf(one) === nameOf(each))?.event === null,
    );
    const heardOf = receiver.received.map(({ event: { data } }) => `${data.external_id} ${data.sequence}`);
    for (const { id, version } of silent) expect(heardOf).not.toContain(`${id} ${version}`);
  });

  it('is of every type that there is, and has a signature over its bytes and its time', () => {
    const types = [serviceEvents, payoutEvents, payoutInstructionEvents].flatMap(Object.keys);
    const heard = receiver.received.map(({ event }) => event.type);
    expect([...new Set(heard)].filter((type) => types.includes(type)).sort()).toEqual(types.sort());
    for (const { raw, t, digests, path, headers, event } of receiver.received) {
      const secret = secrets[path.split('/').at(-1) as string] as string;
      expect(digests).toEqual([createHmac('sha256', secret).update(`${raw}.${t}`).digest('hex')]);
      expect(headers['webhook-id']).toBe(event.id);
    }
    const ids = receiver.received.map(({ event }) => event.id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
