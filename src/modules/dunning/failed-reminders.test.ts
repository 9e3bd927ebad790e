/** A reminder that the mail server did not accept was not sent: a retry sends what is still owed, and no harsher step comes before it. */
import { describe, expect, it } from 'vitest';
import { retryMails, takeFailedMails } from '#modules/notifications';
import { useDunning } from '#test/dunning';

/** As in production. */
const { debtor, eventsAbout, invoice, mailsAbout, pay, show, until, world } = useDunning({
  isSandbox: false,
});

const retry = () => retryMails(world().installation.db, world().platform.platform_id, null);
const reminders = async (of: string) =>
  (await mailsAbout(of)).flatMap(({ kind, status }) => (kind === 'reminder_overdue' ? [status] : []));

/** An invoice whose first reminder waits for the mail server. */
async function invoiceWithWaitingReminder(): Promise<string> {
  world().clock.set(Date.parse('2025-11-20T12:00:00Z') / 1_000);
  const external = await invoice(await debtor());
  await until('2025-12-15');
  await world().sql(
    `update mails set status = 'SENT', sent_at = created_at where kind <> 'reminder_overdue'`,
  );
  return external;
}
const fail = () => world().sql(`update mails set status = 'FAILED', attempts = 14 where status = 'PENDING'`);
const report = () => takeFailedMails(world().installation.db, 1_000, []);
/** Support knows of it some seconds later. */
async function giveUp(): Promise<void> {
  await fail();
  await report();
}

async function invoiceWithFailedReminder(): Promise<string> {
  const external = await invoiceWithWaitingReminder();
  await giveUp();
  return external;
}

describe('a reminder that failed', () => {
  it('is withdrawn with the payment of its invoice: a retry sends nothing', async () => {
    const id = await invoiceWithFailedReminder();
    expect((await pay(id, 100_000)).status).toBe(201);
    expect(await retry()).toBe(0);
    expect(await reminders(id)).toEqual(['WITHDRAWN']);
  });

  it('is sent by a retry while its invoice is owed as before', async () => {
    const id = await invoiceWithFailedReminder();
    expect(await retry()).toBe(1);
    expect(await reminders(id)).toEqual(['PENDING']);
  });
});

describe('a reminder that was given up', () => {
  it.each([
    { given: 'within its day', on: null },
    { given: 'after its day', on: '2025-12-17' },
    { given: 'after several days', on: '2025-12-19' },
  ])('$given is sent again, before the next step', async ({ on }) => {
    const id = await invoiceWithWaitingReminder();
    if (on !== null) await until(on);
    await giveUp();
    await until('2025-12-22');
    expect((await show(id)).dunning).toMatchObject({ status: 'RUNNING', step: 3 });
    expect(await eventsAbout(id)).toEqual(['STEP 3', 'STEP 3']);
    expect(await reminders(id)).toEqual(['WITHDRAWN', 'PENDING']);
  });

  it('is withdrawn only once support knows of it', async () => {
    const id = await invoiceWithWaitingReminder();
    await fail();
    await until('2025-12-16');
    expect(await reminders(id)).toEqual(['FAILED']);
    await report();
    await until('2025-12-17');
    expect(await reminders(id)).toEqual(['WITHDRAWN', 'PENDING']);
  });

  it('and was retried before it was looked at is not repeated', async () => {
    const id = await invoiceWithFailedReminder();
    await retry();
    await until('2025-12-22');
    expect(await eventsAbout(id)).toEqual(['STEP 3']);
    expect(await reminders(id)).toEqual(['PENDING']);
  });
});

describe('a reminder that waits longer than a day', () => {
  it('was not sent where its invoice is paid meanwhile: it is taken again after the payment was returned', async () => {
    const id = await invoiceWithWaitingReminder();
    await until('2025-12-17');
    expect((await pay(id, 100_000, { external_id: `p-${id}` })).status).toBe(201);
    await until('2025-12-18');
    const path = `/v1/invoices/${id}/payments/p-${id}/reverse`;
    expect((await world().post(path, { reason: 'Returned' })).status).toBe(200);
    await until('2025-12-22');
    expect(await reminders(id)).toEqual(['WITHDRAWN', 'PENDING']);
  });
});
