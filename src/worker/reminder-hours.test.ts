/** Reminders that waited, through a downtime or for the mail server, are sent in the hours of reminders. */
import { beforeEach, describe, expect, it } from 'vitest';
import { mailExamples } from '#modules/notifications';
import { useDunning } from '#test/dunning';
import { INVOICING_NOW } from '#test/invoice-setup';
import { mailsOf, queueMailFor } from '#test/mails';
import { eventually } from '#test/until';
import { openWorkerProcess } from '#test/worker-process';
import { createMailer } from './mailer.ts';

/** As in production. */
const { debtor, invoice, mailsAbout, untilInstant, world } = useDunning({ isSandbox: false });
/** The clock in Berlin, where buyers are: an hour ahead of UTC. */
const at = (day: string, time: string) => Date.parse(`${day}T${time}:00+01:00`) / 1_000;
const HOUR = 3_600;

beforeEach(async () => {
  await world().sql(`update mails set status = 'SENT', sent_at = created_at where status = 'PENDING'`);
  world().clock.set(INVOICING_NOW);
});

/** An invoice whose reminder is written at noon of a day and waits. */
async function waitingReminder(day: string): Promise<string> {
  const late = await invoice(await debtor());
  await untilInstant(at(day, '12:00'));
  return late;
}

/** Lets the mailer claim waiting mails once, at an instant. */
async function mailAt(instant: number): Promise<void> {
  world().clock.set(instant);
  await world().sql(`update mails set next_attempt_at = now() where status = 'PENDING'`);
  const { close, deps, ...parts } = await openWorkerProcess(world());
  const mailer = createMailer({
    ...{ ...parts, smtp: null, host: 'localhost', onSlotFree: () => {} },
    deps: { ...deps, isSandbox: false },
  });
  await mailer.dispatch();
  // Sent, or postponed for longer than the lease.
  await eventually(async () =>
    expect(
      await world().sql(
        `select 1 from mails where status = 'PENDING' and next_attempt_at < now() + interval '1 minute'`,
      ),
    ).toEqual([]),
  );
  await mailer.stop();
  await close();
}

/** The status of the reminder of an invoice, and the hours until its next attempt. */
async function reminder(of: string) {
  const [mail] = await mailsAbout(of);
  const [row] = await world().sql<{ hours: number }>(
    'select round(extract(epoch from next_attempt_at - now()) / 3600)::int as hours from mails where mail_id = $1',
    [mail?.mailId],
  );
  return { status: mail?.status, attempts: mail?.attempts, hours: row?.hours };
}

describe('a reminder that waited', () => {
  it.each([
    { day: 'on the next morning', from: at('2025-12-15', '18:00'), hours: 14 },
    { day: 'in the same morning', from: at('2025-12-16', '05:00'), hours: 3 },
  ])('after the hours of its day leaves $day', async ({ from, hours }) => {
    const late = await waitingReminder('2025-12-15');
    await mailAt(from);
    expect(await reminder(late)).toEqual({ status: 'PENDING', attempts: 0, hours });
    await mailAt(from + hours * HOUR);
    expect(await reminder(late)).toMatchObject({ status: 'SENT', attempts: 1 });
  });

  it('over the holidays of Christmas leaves after them', async () => {
    const late = await waitingReminder('2025-12-24');
    await mailAt(at('2025-12-24', '20:00'));
    // Until Monday, the 29th.
    expect(await reminder(late)).toMatchObject({ status: 'PENDING', hours: 4 * 24 + 12 });
  });

  it('for some minutes, or within the hours, leaves at once', async () => {
    const [one, other] = [await waitingReminder('2025-12-15'), await invoice(await debtor())];
    await mailAt(at('2025-12-15', '17:59'));
    expect(await reminder(one)).toMatchObject({ status: 'SENT' });
    await untilInstant(at('2025-12-16', '17:55'));
    await mailAt(at('2025-12-16', '18:05'));
    expect(await reminder(other)).toMatchObject({ status: 'SENT' });
  });
});

describe('a courtesy that waited', () => {
  it.each([
    { when: 'in the evening of the due day', from: at('2025-12-10', '18:00') },
    { when: 'in the hours of a later day', from: at('2025-12-11', '12:00') },
  ])('$when does not leave after it, and the reminder that follows does', async ({ from }) => {
    const due = await waitingReminder('2025-12-10');
    await mailAt(from);
    expect(await reminder(due)).toMatchObject({ status: 'WITHDRAWN', attempts: 0 });
    await untilInstant(at('2025-12-15', '12:00'));
    const mails = await mailsAbout(due);
    expect(mails.map(({ kind, status }) => `${kind} ${status}`).toSorted()).toEqual([
      'reminder_due_soon WITHDRAWN',
      'reminder_overdue PENDING',
    ]);
  });

  it('over a weekend leaves after it where the due day is later', async () => {
    const soon = await waitingReminder('2025-12-05');
    await mailAt(at('2025-12-06', '12:00'));
    expect(await reminder(soon)).toMatchObject({ status: 'PENDING', hours: 24 + 20 });
    await mailAt(at('2025-12-08', '08:00'));
    expect(await reminder(soon)).toMatchObject({ status: 'SENT', attempts: 1 });
  });
});

describe('any other mail', () => {
  it('leaves at any hour', async () => {
    const { platform_id: platformId } = world().platform;
    await queueMailFor(world(), platformId, {
      ...{ cause: 'test/pending', kind: 'order_pending', to: 'bills@cafe.example' },
      ...{ language: 'EN', formality: 'NEUTRAL', content: mailExamples.order_pending },
      now: at('2025-12-15', '12:00'),
    });
    await mailAt(at('2025-12-15', '23:00'));
    const mails = await mailsOf(world());
    expect(mails.filter(({ kind }) => kind === 'order_pending').map(({ status }) => status)).toEqual([
      'SENT',
    ]);
  });
});
