/** A reminder that the mail server did not take is not sent by a retry once the invoice is paid. */
import { describe, expect, it } from 'vitest';
import { retryMails } from '#modules/notifications';
import { useDunning } from '#test/dunning';

const { debtor, invoice, mailsAbout, pay, until, world } = useDunning();

const retry = () => retryMails(world().installation.db, world().platform.platform_id, null);
const reminders = async (of: string) =>
  (await mailsAbout(of)).flatMap(({ kind, status }) => (kind === 'reminder_overdue' ? [status] : []));

/** An invoice whose first reminder was given up. */
async function invoiceWithFailedReminder(): Promise<string> {
  world().clock.set(Date.parse('2025-11-20T12:00:00Z') / 1_000);
  const external = await invoice(await debtor());
  await until('2025-12-15');
  await world().sql(
    `update mails set status = 'SENT', sent_at = created_at where kind <> 'reminder_overdue'`,
  );
  await world().sql(`update mails set status = 'FAILED', attempts = 14 where status = 'PENDING'`);
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
