import { beforeAll, describe, expect, it } from 'vitest';
import { positionEvents } from '#infra/database/outbox.queries';
import { notifyOfEvents } from '#modules/notifications';
import { merchantBody } from '#test/bodies';
import { mailsOf } from '#test/mails';
import { sepaBody } from '#test/payees';
import { addPayee, PAYING_NOW, usePayouts } from '#test/payouts';
import { openWorkerProcess } from '#test/worker-process';
import { merchantNotifier } from './merchant-mails.ts';

const DAY = 86_400;
const payouts = usePayouts();
const { world, merchant, advance, payoutsOf } = payouts;

let monday = PAYING_NOW;
beforeAll(async () => {
  await world().sql(
    `update platforms set name = 'Markthalle', support_emails = '{help@m.example,ops@m.example,risk@m.example}', communication_bcc_email = 'archive@m.example'`,
  );
});

/** The mails from one more run of the notifier. */
async function mailed() {
  const before = new Set((await mailsOf(world())).map(({ mailId }) => mailId));
  const worker = await openWorkerProcess(world());
  await positionEvents(world().installation.db, 1_000);
  await notifyOfEvents(worker, [merchantNotifier]);
  await worker.close();
  return (await mailsOf(world())).filter(({ mailId }) => !before.has(mailId));
}

const body = (id: string, emails: string[]) =>
  merchantBody({ external_id: id, legal_name: 'Nordlicht GmbH', contact_emails: emails });
const replaceMerchant = (id: string, emails: string[]) => {
  const { external_id: _, ...replacement } = body(id, emails);
  return world().put(`/v1/merchants/${id}`, replacement);
};

/** A payout of 100.00 that the bank has been instructed to make, to a merchant with an address. */
async function instructed(): Promise<string> {
  world().clock.set(monday);
  const of = await merchant();
  await replaceMerchant(of, ['books@shop.example']);
  await advance(of);
  await payouts.until(monday + 2.5 * DAY);
  monday += 7 * DAY;
  const [{ external_id: id }] = await payoutsOf(of);
  await mailed();
  await simulate(id, 'instruct');
  return id;
}
const simulate = (external_id: string, trigger: string) =>
  world().post('/v1/sandbox/payouts', { external_id, trigger });

describe('a merchant', () => {
  it('that is enrolled is mailed, without a copy to the platform', async () => {
    await world().post('/v1/merchants', body('new', ['a@new.example', 'b@new.example']));
    const mails = (await mailed()).filter(({ kind }) => kind === 'merchant_enrolled');
    expect(mails.map(({ to, bcc, subject }) => [to, bcc, subject]).sort()).toEqual([
      ['a@new.example', null, 'Welcome to Markthalle'],
      ['b@new.example', null, 'Welcome to Markthalle'],
    ]);
  });

  it('whose bank details change hears of it at its addresses, and at those that were removed before', async () => {
    await world().post('/v1/merchants', body('robbed', ['owner@robbed.example']));
    const account = await addPayee(world(), 'robbed');
    const first = (await mailed()).filter(({ to }) => to === 'owner@robbed.example');
    expect(first.map(({ kind }) => kind).sort()).toEqual(['merchant_account_changed', 'merchant_enrolled']);
    await replaceMerchant('robbed', ['middle@robbed.example']);
    await replaceMerchant('robbed', ['thief@robbed.example']);
    const details = sepaBody({});
    const replacement = { ...details, iban: 'DE02120300000000202051', bic: 'BYLADEM1001' };
    expect((await world().put(`/v1/payout_instructions/${account}`, replacement)).status).toBe(200);
    const mails = await mailed();
    expect(mails.map(({ kind, to }) => `${kind} ${to}`).sort()).toEqual([
      'merchant_account_changed middle@robbed.example',
      'merchant_account_changed owner@robbed.example',
      'merchant_account_changed thief@robbed.example',
    ]);
    for (const { text } of mails) {
      expect(text.replaceAll(/\s+/g, ' ')).toContain(
        'If this is unexpected, contact Markthalle immediately.',
      );
      expect(text).not.toMatch(/DE\d\d/);
    }
    world().clock.set(world().clock.now() + 31 * DAY);
    monday = Math.max(monday, PAYING_NOW + 35 * DAY);
    await world().put(`/v1/payout_instructions/${account}`, details);
    expect((await mailed()).map(({ to }) => to)).toEqual(['thief@robbed.example']);
  });
});

describe('a payout', () => {
  it('that is paid is mailed with what it is made of', async () => {
    const id = await instructed();
    await simulate(id, 'confirm');
    const [mail, ...more] = await mailed();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      ...{ kind: 'merchant_payout_paid', to: 'books@shop.example' },
      subject: 'Payout of €100.00 – Markthalle',
    });
    expect(mail?.text).toMatch(
      new RegExp(`Payout: ${id}\\n {2}Invoice invoice-\\d+: €100\\.00\\n {2}Total: €100\\.00`),
    );
  });

  it('that fails is mailed to the merchant and to each support address, once', async () => {
    const id = await instructed();
    await simulate(id, 'fail');
    const mails = await mailed();
    expect(mails.map(({ kind, to }) => `${kind} ${to}`).sort()).toEqual([
      'merchant_payout_failed books@shop.example',
      'support_payout_failed help@m.example',
      'support_payout_failed ops@m.example',
      'support_payout_failed risk@m.example',
    ]);
    expect(mails.find(({ kind }) => kind === 'support_payout_failed')?.text.replaceAll(/\s+/g, '')).toContain(
      id,
    );
    expect(await mailed()).toEqual([]);
  });
});
