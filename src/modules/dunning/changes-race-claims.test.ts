/** Invoices that are paid, reopened, credited and disputed within the second in which the mailer claims their reminders. */
import { expect, it, vi } from 'vitest';
import { claimMails, finishMail } from '#modules/notifications';
import { creditNoteBody } from '#test/credit-notes';
import { useDunning } from '#test/dunning';
import { mailsOf } from '#test/mails';
import { patience } from '#test/patience';

const { debtor, invoice, mailsAbout, pay, until, world } = useDunning();

const INVOICES = 24;
vi.setConfig({ testTimeout: patience(30) });

/** Leaves 450.00 of 1,000.00: everything is paid and reversed, 250.00 are credited, and 300.00 disputed. */
async function changeAll(id: string, onFirst: () => void): Promise<void> {
  const statuses: number[] = [];
  const paid = await pay(id, 100_000);
  onFirst();
  const path = `/v1/invoices/${id}`;
  const reversal = `${path}/payments/${paid.body.external_id}/reverse`;
  statuses.push(paid.status, (await world().post(reversal, { reason: 'Returned' })).status);
  const note = creditNoteBody({
    ...{ external_id: `credits-${id}`, invoice_external_id: id, amount: { net: 25_000, gross: 25_000 } },
  });
  statuses.push((await world().post('/v1/credit_notes', note)).status);
  const dispute = { external_id: `of-${id}`, reason: 'DAMAGED', amount: 30_000 };
  statuses.push((await world().post(`${path}/disputes`, dispute)).status);
  expect(statuses).toEqual([201, 200, 201, 201]);
}

it('no reminder is claimed after the first change, and later ones are about what is left', async () => {
  world().clock.set(Date.parse('2025-11-20T12:00:00Z') / 1_000);
  const invoices: string[] = [];
  for (let nth = 0; nth < INVOICES; nth++)
    invoices.push(await invoice(await debtor(), { due_at: Date.parse('2025-12-10T12:00:00Z') / 1_000 }));
  await until('2025-12-15');
  const reminders = async () => (await mailsOf(world())).filter(({ kind }) => kind === 'reminder_overdue');
  const waiting = (await reminders()).filter(({ status }) => status === 'PENDING');
  expect(waiting).toHaveLength(INVOICES);
  // Mails outside the race are never due.
  await world().sql(`update mails set next_attempt_at = 'infinity' where kind <> 'reminder_overdue'`);

  const changed = new Set<string>();
  const claimed = new Set<string>();
  let isDone = false;
  const changing = async () => {
    const inTurns = invoices.map((id) => async () => {
      const mail = waiting.find(({ text }) => text.includes(id));
      await changeAll(id, () => changed.add(mail?.mailId as string));
    });
    // Four at a time, from the end of the list: claims begin at its start.
    const lane = async () => {
      for (let next = inTurns.pop(); next; next = inTurns.pop()) await next();
    };
    await Promise.all([lane(), lane(), lane(), lane()]);
    isDone = true;
  };
  const { db } = world().installation;
  const claiming = async () => {
    for (;;) {
      const before = new Set(changed);
      const wasDone = isDone;
      const mails = await claimMails(db, { batchSizeMax: 1, leaseSeconds: 60 });
      for (const { platform_id: platformId, mail_id: mailId } of mails) {
        expect(before).not.toContain(mailId);
        expect(claimed).not.toContain(mailId);
        claimed.add(mailId);
        await finishMail(db, {
          ...{ platformId, mailId, attempt: 1, status: 'SENT', failure: null },
          ...{ sentAt: world().clock.now(), delaySeconds: null, replySealed: null, addressMac: null },
        });
      }
      if (wasDone && mails.length === 0) return;
    }
  };
  await Promise.all([changing(), claiming()]);
  expect(claimed.size).toBeGreaterThan(0);

  // The reminders of a reopened invoice continue with its next step, 15 days after its due day. A withdrawn step is taken first.
  await until('2025-12-30');
  for (const id of invoices) {
    const about = (await mailsAbout(id)).filter(({ kind }) => kind === 'reminder_overdue');
    const [first, ...later] = about;
    expect(first?.status).toBe(claimed.has(first?.mailId as string) ? 'SENT' : 'WITHDRAWN');
    expect(first?.text).toContain('1.000,00');
    expect(later.map(({ status }) => status)).toEqual(
      first?.status === 'SENT' ? ['PENDING'] : ['PENDING', 'PENDING'],
    );
    for (const { text } of later) expect(text).toContain('450,00');
  }
});
