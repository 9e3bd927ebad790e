import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { positionEvents } from '#infra/database/outbox.queries';
import { notifyOfEvents } from '#modules/notifications';
import { buyerBody, invoiceBody, merchantBody } from '#test/bodies';
import { mailsOf } from '#test/mails';
import { openWorkerProcess } from '#test/worker-process';
import { createWorld, type World } from '#test/world';
import { disputeNotifier } from './dispute-mails.ts';
import { invoiceNotifier } from './invoice-mails.ts';

const NOW = 1_763_640_000;
const SUPPORT = ['help@m.example', 'ops@m.example', 'risk@m.example'];

let world: World;
let worker: Awaited<ReturnType<typeof openWorkerProcess>>;
beforeAll(async () => {
  world = await createWorld({
    settings: { TRADELINE_WORKER: 'off' },
    platform: { name: 'Markthalle', support_emails: SUPPORT },
  });
  world.clock.set(NOW);
  await world.post('/v1/merchants', merchantBody({ trading_name: 'Rösterei Nord' }));
  worker = await openWorkerProcess(world);
});
afterAll(async () => {
  await worker.close();
  await world.close();
});

let made = 0;
/** A dispute about an invoice of a new buyer. */
async function disputed(more: object = {}) {
  const id = `disputed-${++made}`;
  const to = `${id}@example.com`;
  await world.post('/v1/buyers', buyerBody({ external_id: id, contact_email: to }));
  await world.put(`/v1/buyers/${id}/settings`, { language: 'EN' });
  const body = { external_id: id, buyer_external_id: id, due_at: NOW + 86_400, invoice_number: `RE ${id}` };
  expect((await world.post('/v1/invoices', invoiceBody(body))).status).toBe(201);
  const path = `/v1/invoices/${id}/disputes`;
  const dispute = { external_id: `about-${id}`, reason: 'DAMAGED', amount: 5_950, ...more };
  expect((await world.post(path, dispute)).status).toBe(201);
  return { id, to, path: `${path}/about-${id}` };
}
async function queue(notifiers = [disputeNotifier]): Promise<number> {
  await positionEvents(world.installation.db, 1_000);
  return notifyOfEvents(worker, notifiers);
}
/** All mails about a dispute, the latest last. */
const mailsAbout = async (id: string) =>
  (await mailsOf(world)).filter(({ cause }) => cause.startsWith(`dispute/about-${id}/`));
const shownTo = async (id: string, to: string) =>
  (await mailsAbout(id)).find((mail) => mail.to === to && mail.status === 'PENDING');
const oneLine = (text: string | undefined) => text?.replaceAll(/\s+/g, ' ');

describe('a dispute', () => {
  it('is confirmed to the buyer, and told to each support address', async () => {
    const { id, to } = await disputed();
    await queue();
    const mail = await shownTo(id, to);
    expect(mail).toMatchObject({ kind: 'dispute_opened', subject: 'Dispute received – Markthalle' });
    expect(oneLine(mail?.text)).toContain(
      `We’ve received the dispute over €59.50 on invoice RE ${id} from Rösterei Nord and are looking into it. ` +
        'Payment of this amount can wait until there’s a decision.',
    );
    for (const address of SUPPORT) {
      const waiting = await shownTo(id, address);
      expect(waiting).toMatchObject({
        kind: 'support_dispute_waiting',
        subject: 'Markthalle: a dispute is waiting',
      });
      expect(waiting?.text).toContain(`about-${id}: ${id}`);
    }
    expect(await queue()).toBe(0);
  });

  it('promises no delay where the platform does not pause disputes', async () => {
    await world.sql('update platforms set disputes_pause = false');
    const { id, to } = await disputed();
    await world.sql('update platforms set disputes_pause = true');
    await queue();
    expect((await shownTo(id, to))?.text).not.toContain('can wait');
  });

  it('that is accepted says what need not be paid, and is kept as a notice', async () => {
    const { id, to, path } = await disputed();
    await queue();
    await world.post(`${path}/accept`, { amount: { net: 1_000, tax: 190, gross: 1_190 }, comment: 'Sorry.' });
    await queue();
    const mail = await shownTo(id, to);
    expect(mail).toMatchObject({ kind: 'dispute_decided', subject: 'Dispute accepted – Markthalle' });
    expect(oneLine(mail?.text)).toContain('was accepted: €11.90 no longer has to be paid.');
    expect(mail?.text).toContain('Sorry.');
    expect(await world.sql('select kind from notices where buyer_external_id = $1', [id])).toEqual([
      { kind: 'dispute_decided' },
    ]);
    // The mail that waited for the decision has not left.
    expect((await mailsAbout(id)).map(({ kind, status }) => `${kind} ${status}`).sort()).toEqual([
      'dispute_decided PENDING',
      'dispute_opened WITHDRAWN',
      ...SUPPORT.map(() => 'support_dispute_waiting WITHDRAWN'),
    ]);
  });

  it('that is accepted makes one mail: the decision, the credit note, and how to pay the rest', async () => {
    const { id, to, path } = await disputed();
    await queue([disputeNotifier, invoiceNotifier]);
    await world.post(`${path}/accept`, { amount: { net: 1_000, tax: 190, gross: 1_190 } });
    await queue([disputeNotifier, invoiceNotifier]);
    const mails = (await mailsOf(world, { to })).filter(({ status }) => status === 'PENDING');
    expect(mails.map(({ kind }) => kind)).toEqual(['invoice_issued', 'dispute_decided']);
    const text = mails.at(-1)?.text ?? '';
    expect(oneLine(text)).toContain('was accepted: €11.90 no longer has to be paid.');
    expect(oneLine(text)).toContain(`Rösterei Nord has issued a credit note of €11.90 for invoice RE ${id}.`);
    expect(text).toMatch(/Still to pay: €107\.10/);
    expect(text).toMatch(/Payment reference: RF\w+\n/);
    expect(text).toMatch(/Pay by: \d+ \w+ 2025/);
  });

  it('whose decision is not mailed leaves the mail about the credit note', async () => {
    await world.sql("update platforms set mails_off = array['dispute_decided']");
    const { to, path } = await disputed();
    await world.post(`${path}/accept`, {});
    await queue([disputeNotifier, invoiceNotifier]);
    await world.sql("update platforms set mails_off = '{}'");
    const kinds = (await mailsOf(world, { to })).map(({ kind }) => kind);
    expect(kinds).toContain('credit_note_issued');
    expect(kinds).not.toContain('dispute_decided');
  });

  it('about a payment is accepted without a credit note', async () => {
    const { id, to, path } = await disputed({ reason: 'PAID_ALREADY', amount: 1_190 });
    await world.post(`/v1/invoices/${id}/payments`, { amount: 1_190 });
    expect((await world.post(`${path}/accept`)).status).toBe(200);
    await queue();
    const mail = await shownTo(id, to);
    expect(mail?.text).toContain('Dispute accepted');
    expect(mail?.text).not.toContain('credit note');
    expect(mail?.text).toMatch(/Still to pay: €107\.10/);
  });

  it('that is rejected says why and that it has to be paid', async () => {
    const { id, to, path } = await disputed();
    await world.post(`${path}/reject`, { comment: 'All bags were\n<b>whole</b>.' });
    await queue();
    const mail = await shownTo(id, to);
    expect(mail).toMatchObject({ subject: 'Dispute declined – Markthalle' });
    expect(oneLine(mail?.text)).toContain('The dispute over €59.50 on invoice RE');
    expect(mail?.text).toMatch(/Payment reference: RF\w+\n/);
    expect(mail?.html).toContain('&lt;b&gt;whole');
  });

  it('that the buyer withdraws is told to nobody, and no mail about it leaves', async () => {
    const { id, path } = await disputed();
    await queue();
    await world.post(`${path}/withdraw`);
    await queue();
    expect((await mailsAbout(id)).map(({ status }) => status)).toEqual(
      ['buyer', ...SUPPORT].map(() => 'WITHDRAWN'),
    );
  });
});
