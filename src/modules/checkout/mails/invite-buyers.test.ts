import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { orderOfToken } from '#test/checkout';
import { mailsOf } from '#test/mails';
import { openWorkerProcess } from '#test/worker-process';
import { createWorld, type World } from '#test/world';
import { inviteBuyers } from './invite-buyers.ts';

const NOW = 1_763_640_000;

let world: World;
let worker: Awaited<ReturnType<typeof openWorkerProcess>>;
let made = 0;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' }, platform: { name: 'Markthalle' } });
  world.clock.set(NOW);
  await world.post('/v1/merchants', merchantBody({ trading_name: 'Rösterei Nord' }));
  await world.post('/v1/buyers', buyerBody({ external_id: 'known' }));
  await world.put('/v1/buyers/known/settings', { language: 'EN' });
  worker = await openWorkerProcess(world);
  await wantInvitations(true);
});
afterAll(async () => {
  await worker.close();
  await world.close();
});

const wantInvitations = (wanted: boolean) =>
  world.sql('update platforms set sends_checkout_invitations = $1', [wanted]);

async function draft(more: object = {}): Promise<string> {
  const id = `order-${++made}`;
  const body = { external_id: id, buyer_external_id: 'known', contact_email: `${id}@example.com`, ...more };
  const { status, text } = await world.post('/v1/orders/draft', draftOrderBody(body));
  expect([status, text]).toEqual([201, expect.anything()]);
  return id;
}

const mailTo = async (id: string) => (await mailsOf(world, { to: `${id}@example.com` }))[0];
const due = () => world.sql('select external_id from orders where is_invitation_due');
const linksOf = (id: string) => world.sql('select * from checkout_links where order_external_id = $1', [id]);

describe('a new draft', () => {
  it('is followed by a mail with the link to its checkout', async () => {
    const id = await draft();
    expect(await inviteBuyers(worker, 10)).toBe(1);
    const mail = await mailTo(id);
    expect(mail).toMatchObject({
      kind: 'checkout_invitation',
      cause: `order/${id}/invitation`,
      createdAt: NOW,
      subject: `Complete your Markthalle order ${id}`,
    });
    expect(mail?.text).toContain('until 27 November 2025');
    const [, token] =
      new RegExp(`^${world.baseUrl}/checkout/([\\w-]{48})$`, 'm').exec(mail?.text ?? '') ?? [];
    expect(mail?.html).toContain(`href="${world.baseUrl}/checkout/${token}"`);
    expect(await orderOfToken(world, token as string)).toBe(id);
    expect(await due()).toEqual([]);
  });

  it('is not followed by a mail if the platform has this switched off', async () => {
    await wantInvitations(false);
    const id = await draft();
    await wantInvitations(true);
    expect(await inviteBuyers(worker, 10)).toBe(0);
    expect(await linksOf(id)).toEqual([]);
  });

  it('invites the buyer at its own address if the order has none', async () => {
    await world.post('/v1/buyers', { external_id: 'invited', contact_email: 'invited@example.com' });
    await draft({ buyer_external_id: 'invited', contact_email: undefined });
    await inviteBuyers(worker, 10);
    const [mail] = await mailsOf(world, { to: 'invited@example.com' });
    expect(mail?.text).toContain('because an order was started at Markthalle.');
  });

  it('sends nothing to a buyer without an address', async () => {
    const id = await draft({ contact_email: undefined });
    expect(await inviteBuyers(worker, 10)).toBe(1);
    expect(await linksOf(id)).toEqual([]);
    expect(await due()).toEqual([]);
  });

  it('that has been cancelled sends no invitation', async () => {
    const id = await draft();
    await world.post(`/v1/orders/${id}/cancel`);
    expect(await inviteBuyers(worker, 10)).toBe(1);
    expect(await mailTo(id)).toBeUndefined();
    expect(await linksOf(id)).toEqual([]);
    expect(await due()).toEqual([]);
  });

  it('of a disabled platform waits until it is enabled', async () => {
    const id = await draft();
    await world.sql('update platforms set disabled_at = 1 where platform_id = $1', [
      world.platform.platform_id,
    ]);
    expect(await inviteBuyers(worker, 10)).toBe(0);
    await world.sql('update platforms set disabled_at = null');
    expect(await inviteBuyers(worker, 10)).toBe(1);
    expect(await mailTo(id)).toBeDefined();
  });

  it('waits until the address of the service is known', async () => {
    const id = await draft();
    expect(await inviteBuyers({ ...worker, baseUrl: () => '' }, 10)).toBe(0);
    await inviteBuyers(worker, 10);
    expect(await mailTo(id)).toBeDefined();
  });

  it('invites once, with several workers at once', async () => {
    const ids = [];
    for (let n = 0; n < 10; n++) ids.push(await draft());
    const other = await openWorkerProcess(world);
    await Promise.all([worker, other, worker, other].map((each) => inviteBuyers(each, 100)));
    await other.close();
    for (const id of ids) {
      expect(await linksOf(id)).toHaveLength(1);
      expect(await mailsOf(world, { to: `${id}@example.com` })).toHaveLength(1);
    }
  });
});

describe('an order that is created complete', () => {
  it('needs no checkout', async () => {
    await world.post('/v1/orders', {
      ...draftOrderBody({
        external_id: 'whole',
        buyer_external_id: 'known',
        contact_email: 'whole@example.com',
      }),
      payment_method: 'TRANSFER',
      payment_term: 'PREPAYMENT',
    });
    expect(await due()).toEqual([]);
  });
});
