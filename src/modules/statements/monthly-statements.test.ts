import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { translatorOf } from '#messages';
import { buyerBody, invoiceBody, merchantBody } from '#test/bodies';
import { grossOf } from '#test/invoice-setup';
import { type MailServer, startMailServer } from '#test/mail-server';
import { mailsOf, type StoredMail } from '#test/mails';
import { plainOf, readPdf } from '#test/pdf';
import { sendMails } from '#test/send-mails';
import { openWorkerProcess } from '#test/worker-process';
import { createWorld, type World } from '#test/world';
import { queueMonthlyStatements } from './monthly-statements.ts';

const at = (instant: string) => Date.parse(instant) / 1_000;

let world: World;
let worker: Awaited<ReturnType<typeof openWorkerProcess>>;
let server: MailServer;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' }, platform: { name: 'Markthalle' } });
  worker = await openWorkerProcess(world);
  server = await startMailServer();
  world.clock.set(at('2025-11-20T10:00:00Z'));
  await world.post('/v1/merchants', merchantBody({}));
});
afterAll(async () => {
  await server.close();
  await worker.close();
  await world.close();
});
beforeEach(async () => {
  await world.sql(
    "update platforms set sends_monthly_statements = true, time_zone = 'Europe/Berlin', mails_off = '{}'",
  );
  await world.sql('truncate statement_runs, mails cascade');
});

let made = 0;
/** A buyer who reads English. */
async function newBuyer(): Promise<string> {
  const id = `buyer-${String(++made).padStart(3, '0')}`;
  const body = buyerBody({ external_id: id, contact_email: `${id}@example.com` });
  expect((await world.post('/v1/buyers', body)).status).toBe(201);
  await world.put(`/v1/buyers/${id}/settings`, { language: 'EN' });
  return id;
}
async function invoice(buyer: string, minor: number, more: object = {}): Promise<string> {
  const external_id = `invoice-${++made}`;
  const due_at = world.clock.now() + 30 * 86_400;
  const body = invoiceBody({ external_id, buyer_external_id: buyer, due_at, ...grossOf(minor), ...more });
  expect((await world.post('/v1/invoices', body)).status).toBe(201);
  return external_id;
}
/** Queues the statements that are due at an instant. Returns the number of mails. */
async function queueAt(instant: string): Promise<number> {
  world.clock.set(at(instant));
  return queueMonthlyStatements(worker);
}
const mailsTo = async (buyer: string): Promise<StoredMail[]> =>
  mailsOf(world, { to: `${buyer}@example.com` });

describe('a platform that sends monthly statements', () => {
  it('begins with the month that ends next, and sends each once', async () => {
    const buyer = await newBuyer();
    world.clock.set(at('2025-11-20T10:00:00Z'));
    await invoice(buyer, 11_900);
    expect(await queueAt('2025-11-20T11:00:00Z')).toBe(0);
    // In Berlin the month ends an hour earlier.
    expect(await queueAt('2025-11-30T22:59:59Z')).toBe(0);
    expect(await queueAt('2025-11-30T23:00:00Z')).toBe(1);
    expect(await queueAt('2025-12-15T12:00:00Z')).toBe(0);
    const [mail] = await mailsTo(buyer);
    expect(mail).toMatchObject({
      kind: 'statement_issued',
      subject: 'Statement of account – Markthalle',
      files: [{ documentId: `statement/2025-11-01/${buyer}`, name: 'statement-2025-11.pdf' }],
    });
    expect(mail?.text).toContain('Your statement of account is attached as a PDF.');
    expect(mail?.text).toMatch(/From: 1 November 2025\n +To: 30 November 2025\n +Closing balance: €119\.00/);
  });

  it('attaches the statement of the month, whenever it is sent', async () => {
    const buyer = await newBuyer();
    world.clock.set(at('2025-11-20T10:00:00Z'));
    const id = await invoice(buyer, 23_800);
    await queueAt('2025-11-21T10:00:00Z');
    await queueAt('2025-12-01T10:00:00Z');
    await world.post(`/v1/invoices/${id}/payments`, { amount: 23_800, received_by: 'PLATFORM' });
    const sent = await sendMails(world, server);
    const [file] = sent.find(({ to }) => to === `${buyer}@example.com`)?.files ?? [];
    expect(file).toMatchObject({ filename: 'statement-2025-11.pdf', mimeType: 'application/pdf' });
    const { money, text } = translatorOf('EN', 'NEUTRAL');
    const said = plainOf((await readPdf(file?.bytes as Buffer)).text);
    expect(said).toContain(plainOf(`${text('document.closing_balance')}${money(23_800, 'EUR')}`));
  });

  it('writes to who owes something, or where something changed, and to nobody else', async () => {
    const [owing, paid, idle] = [await newBuyer(), await newBuyer(), await newBuyer()];
    world.clock.set(at('2026-01-10T10:00:00Z'));
    await invoice(owing, 1_000);
    const settled = await invoice(paid, 2_000);
    await queueAt('2026-01-11T10:00:00Z');
    await world.post(`/v1/invoices/${settled}/paid`, { received_by: 'PLATFORM' });
    const written = async () =>
      (await Promise.all([owing, paid, idle].map(mailsTo))).map((mails) => mails.length);
    await queueAt('2026-02-01T10:00:00Z');
    expect(await written()).toEqual([1, 1, 0]);
    await queueAt('2026-03-01T10:00:00Z');
    expect(await written()).toEqual([2, 1, 0]);
  });

  it('writes to many buyers in batches, also by several workers at once', async () => {
    world.clock.set(at('2026-04-10T10:00:00Z'));
    const buyers: string[] = [];
    for (let count = 0; count < 45; count++) buyers.push(await newBuyer());
    for (const buyer of buyers) await invoice(buyer, 1_000);
    await queueAt('2026-04-11T10:00:00Z');
    world.clock.set(at('2026-05-02T10:00:00Z'));
    await Promise.all([queueMonthlyStatements(worker), queueMonthlyStatements(worker)]);
    const counts = (await Promise.all(buyers.map(mailsTo))).map((mails) => mails.length);
    expect(counts).toEqual(buyers.map(() => 1));
    expect(await world.sql('select month_on, finished_at is null as unfinished from statement_runs')).toEqual(
      [
        { month_on: '2026-03-01', unfinished: false },
        { month_on: '2026-04-01', unfinished: false },
      ],
    );
  });

  it('sends the last month only, if several have ended', async () => {
    const buyer = await newBuyer();
    world.clock.set(at('2026-06-10T10:00:00Z'));
    await invoice(buyer, 1_000);
    await queueAt('2026-06-11T10:00:00Z');
    await queueAt('2026-09-02T10:00:00Z');
    expect((await mailsTo(buyer)).map(({ cause }) => cause)).toEqual([`statement/${buyer}/2026-08-01`]);
  });

  it('sends none where the kind of mail, or the setting, is off', async () => {
    await queueAt('2026-10-11T10:00:00Z');
    await world.sql("update platforms set mails_off = '{statement_issued}'");
    expect(await queueAt('2026-11-02T10:00:00Z')).toBe(0);
    await world.sql("update platforms set mails_off = '{}', sends_monthly_statements = false");
    expect(await queueAt('2026-12-02T10:00:00Z')).toBe(0);
  });
});
