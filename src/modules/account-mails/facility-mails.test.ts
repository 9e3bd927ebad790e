import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { positionEvents } from '#infra/database/outbox.queries';
import { notifyOfEvents } from '#modules/notifications';
import { recordEvents } from '#modules/webhooks';
import { buyerBody, merchantBody } from '#test/bodies';
import { mailsOf } from '#test/mails';
import { openWorkerProcess } from '#test/worker-process';
import { createWorld, type World } from '#test/world';
import { facilityNotifier } from './facility-mails.ts';

const NOW = 1_763_640_000;

let world: World;
let worker: Awaited<ReturnType<typeof openWorkerProcess>>;
let made = 0;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' }, platform: { name: 'Markthalle' } });
  world.clock.set(NOW);
  await world.post('/v1/merchants', merchantBody({}));
  worker = await openWorkerProcess(world);
});
afterAll(async () => {
  await worker.close();
  await world.close();
});

/** A buyer whose external_id ends with an outcome script. */
async function newBuyer(script: string): Promise<string> {
  const id = `b${++made}-${script}`;
  await world.post('/v1/buyers', buyerBody({ external_id: id, contact_email: `${id}@example.com` }));
  await world.put(`/v1/buyers/${id}/settings`, { language: 'EN' });
  return id;
}

const apply = (buyer: string) => world.post(`/v1/buyers/${buyer}/facility`, { requested_amount: 2_500_000 });

async function mailed(buyer: string) {
  const before = new Set((await mailsOf(world)).map(({ mailId }) => mailId));
  await positionEvents(world.installation.db, 1_000);
  await notifyOfEvents(worker, [facilityNotifier]);
  return (await mailsOf(world, { to: `${buyer}@example.com` })).filter(({ mailId }) => !before.has(mailId));
}

/** Records an event as facilities do. */
async function happens(buyer: string, type: string, more: object = {}) {
  const data = {
    ...{
      buyer_external_id: buyer,
      sequence: ++made,
      status: 'ACTIVE',
      previous_status: 'ACTIVE',
      currency: 'EUR',
    },
    ...{ total_amount: 2_000_000, available_amount: 0, used_amount: 0, pending_orders_amount: 0 },
    ...{ expires_at: NOW + 86_400 * 10, ...more },
  };
  await recordEvents(world.installation.db, [
    { platformId: world.platform.platform_id, type, occurredAt: NOW, data } as never,
  ]);
}

describe('a credit limit', () => {
  it('that is granted is mailed with its amount and its last day', async () => {
    const buyer = await newBuyer('accepted');
    expect((await apply(buyer)).status).toBe(201);
    const [mail, ...more] = await mailed(buyer);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ kind: 'facility_granted', subject: 'Credit limit granted – Markthalle' });
    expect(mail?.text).toMatch(/ {2}Credit limit: €[\d,]+\.00\n {2}Valid until: \d+ February 2026/);
  });

  it('that is refused is a notice with the way to a person', async () => {
    const buyer = await newBuyer('rejected');
    await apply(buyer);
    const [mail] = await mailed(buyer);
    expect(mail).toMatchObject({
      kind: 'facility_refused',
      subject: 'Credit limit not granted – Markthalle',
    });
    expect(mail?.text).toContain('We can’t offer a credit limit, or a higher one, at the moment.');
    expect(mail?.text).toContain('just reply to this email.');
    expect(await world.sql('select kind from notices where buyer_external_id = $1', [buyer])).toEqual([
      { kind: 'facility_refused' },
    ]);
  });

  it('that the checkout has refused is not refused twice', async () => {
    const buyer = await newBuyer('rejected');
    await world.sql(
      `insert into notices (platform_id, notice_id, cause, kind, buyer_external_id, recipient_masked, language, text_sha256, created_at)
      values ($1, gen_random_uuid(), 'x', 'credit_refused', $2, 'x', 'EN', '\\x00', $3)`,
      [world.platform.platform_id, buyer, NOW],
    );
    await apply(buyer);
    expect(await mailed(buyer)).toEqual([]);
  });

  it.each([
    [
      'FACILITY.RENEWAL.ACCEPTED',
      { previous_total_amount: 2_000_000 },
      'facility_renewed',
      'has been renewed',
    ],
    [
      'FACILITY.RENEWAL.ACCEPTED',
      { previous_total_amount: 2_500_000 },
      'facility_lowered',
      'has been reduced',
    ],
    ['FACILITY.LIMIT.CHANGED', { previous_total_amount: 2_500_000 }, 'facility_lowered', 'has been reduced'],
    ['FACILITY.LIMIT.CHANGED', { previous_total_amount: 1 }, 'facility_granted', 'can now buy on credit'],
    [
      'FACILITY.INCREASE.REJECTED',
      { reasons: ['OVERDUE_INVOICES'] },
      'facility_refused',
      'There are overdue',
    ],
    [
      'FACILITY.RENEWAL.REJECTED',
      { reasons: ['OVERDUE_INVOICES'] },
      'facility_expiring',
      'expires on 30 November',
    ],
    [
      'FACILITY.RENEWAL.IN_REVIEW',
      { reasons: ['NEEDS_REVIEW'] },
      'facility_expiring',
      'expires on 30 November',
    ],
    ['FACILITY.EXPIRED', { status: 'EXPIRED' }, 'facility_expired', 'has expired'],
    ['FACILITY.FROZEN', { status: 'FROZEN' }, 'facility_frozen', 'is on hold'],
  ])('%s %j is told as %s', async (type, more, kind, sentence) => {
    const buyer = await newBuyer('x');
    await happens(buyer, type, more);
    const mails = await mailed(buyer);
    expect(mails.map((mail) => mail.kind)).toEqual([kind]);
    expect(mails[0]?.text.replaceAll(/\s+/g, ' ')).toContain(sentence);
    expect(mails[0]?.text.includes('Credit limit:')).toBe(!('status' in more));
  });

  it('whose renewal a person decides says so, and asks nobody to object', async () => {
    const buyer = await newBuyer('x');
    await happens(buyer, 'FACILITY.RENEWAL.IN_REVIEW', { reasons: ['NEEDS_REVIEW'] });
    const [mail] = await mailed(buyer);
    expect(mail?.text.match(/A member of our team is reviewing the application\./g)).toHaveLength(1);
    expect(mail?.text).not.toContain('just reply');
    // The review is decided before the mail leaves.
    await happens(buyer, 'FACILITY.RENEWAL.ACCEPTED', { previous_total_amount: 2_000_000 });
    expect((await mailed(buyer)).map(({ kind }) => kind)).toEqual(['facility_renewed']);
    const [expiring] = await mailsOf(world, { to: `${buyer}@example.com` });
    expect(expiring).toMatchObject({ kind: 'facility_expiring', status: 'WITHDRAWN' });
  });

  it.each([
    ['an early renewal that a person decides', { expires_at: NOW + 86_400 * 15 }],
    ['the renewal of one that has expired and that a person decides', { status: 'EXPIRED' }],
  ])('expires no sooner by %s: nothing is told', async (_, more) => {
    const buyer = await newBuyer('x');
    await happens(buyer, 'FACILITY.RENEWAL.IN_REVIEW', more);
    expect(await mailed(buyer)).toEqual([]);
  });

  it('on hold whose renewal is refused expires on its day', async () => {
    const buyer = await newBuyer('x');
    await happens(buyer, 'FACILITY.RENEWAL.REJECTED', { status: 'FROZEN', reasons: ['OVERDUE_INVOICES'] });
    const [mail] = await mailed(buyer);
    expect(mail?.kind).toBe('facility_expiring');
    expect(mail?.text.replaceAll(/\s+/g, ' ')).toContain('expires on 30 November 2025');
    expect(mail?.text).not.toContain('Credit limit:');
  });

  it('that has expired and is not renewed is refused', async () => {
    const buyer = await newBuyer('x');
    await happens(buyer, 'FACILITY.RENEWAL.REJECTED', { status: 'EXPIRED', reasons: ['OVERDUE_INVOICES'] });
    const [mail] = await mailed(buyer);
    expect(mail?.kind).toBe('facility_refused');
    expect(`${mail?.subject}${mail?.text}`).not.toMatch(/expires|1970/);
  });

  it('that is no longer frozen when the mail leaves is not told as frozen', async () => {
    const buyer = await newBuyer('x');
    await happens(buyer, 'FACILITY.FROZEN', { status: 'FROZEN' });
    await mailed(buyer);
    await happens(buyer, 'FACILITY.UNFROZEN');
    expect(await mailed(buyer)).toEqual([]);
    const [mail] = await mailsOf(world, { to: `${buyer}@example.com` });
    expect(mail).toMatchObject({ kind: 'facility_frozen', status: 'WITHDRAWN' });
  });
});
