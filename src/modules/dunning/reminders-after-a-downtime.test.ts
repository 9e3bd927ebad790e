/** Reminders that were due while no worker ran leave in the hours of reminders, one step at a time. */
import { beforeEach, describe, expect, it } from 'vitest';
import { addMainAccount } from '#test/bank-account';
import { useDunning } from '#test/dunning';
import { INVOICING_NOW } from '#test/invoice-setup';

/** As in production. */
const { debtor, eventsAbout, invoice, mailsAbout, pay, show, untilInstant, world } = useDunning({
  isSandbox: false,
});
/** The clock in Berlin, where buyers are: an hour ahead of UTC. */
const at = (day: string, time: string) => Date.parse(`${day}T${time}:00+01:00`) / 1_000;
/** Friday. */
const DUE = { due_at: at('2025-12-05', '12:00') };

beforeEach(() => world().clock.set(INVOICING_NOW));

/** An invoice for which the worker made no look from 1 December on. */
async function neglectedInvoice(): Promise<string> {
  const late = await invoice(await debtor(), DUE);
  await untilInstant(at('2025-12-01', '12:00'));
  return late;
}
const mailedAt = async (id: string) =>
  (await mailsAbout(id)).map(({ kind, createdAt }) => [kind, new Date(createdAt * 1_000).toISOString()]);

describe('a worker that is back in a night of a weekend', () => {
  it('sends nothing before Monday, and then only the first reminder', async () => {
    const late = await neglectedInvoice();
    await untilInstant(at('2025-12-20', '03:00'));
    expect((await show(late)).status).toBe('DUE');
    expect(await mailsAbout(late)).toEqual([]);
    await untilInstant(at('2025-12-22', '07:59'));
    expect(await mailsAbout(late)).toEqual([]);
    await untilInstant(at('2025-12-22', '08:00'));
    expect(await mailedAt(late)).toEqual([['reminder_overdue', '2025-12-22T07:00:00.000Z']]);
    expect(await eventsAbout(late)).toEqual(['STEP 3']);
  });

  it('keeps the gap to the reminder as it was sent', async () => {
    const late = await neglectedInvoice();
    await untilInstant(at('2025-12-20', '03:00'));
    await untilInstant(at('2025-12-22', '08:00'));
    // The second reminder is due on Saturday, 20 December. The 25th and 26th are holidays.
    expect((await show(late)).dunning).toMatchObject({ step: 3, next_at: at('2025-12-29', '08:00') });
    await untilInstant(at('2025-12-29', '08:00'));
    expect(await eventsAbout(late)).toEqual(['STEP 3', 'STEP 4']);
  });
});

describe('a worker that is back in the evening', () => {
  it('sends what was due in the morning on the next business day', async () => {
    const late = await neglectedInvoice();
    await untilInstant(at('2025-12-10', '18:00'));
    expect(await mailsAbout(late)).toEqual([]);
    await untilInstant(at('2025-12-11', '08:00'));
    expect(await mailedAt(late)).toEqual([['reminder_overdue', '2025-12-11T07:00:00.000Z']]);
  });
});

describe('a mail that is withdrawn while no worker runs', () => {
  it('is written again on the next business day', async () => {
    const buyer = await debtor();
    const [paid, owed] = [await invoice(buyer, DUE), await invoice(buyer, DUE)];
    await untilInstant(at('2025-12-01', '12:00'));
    await untilInstant(at('2025-12-02', '08:00'));
    world().clock.set(at('2025-12-02', '08:05'));
    expect((await pay(paid, 100_000)).status).toBe(201);
    await untilInstant(at('2025-12-02', '19:00'));
    const statuses = async () => (await mailsAbout(owed)).map(({ status }) => status);
    expect(await statuses()).toEqual(['WITHDRAWN']);
    await untilInstant(at('2025-12-03', '08:00'));
    expect(await statuses()).toEqual(['WITHDRAWN', 'PENDING']);
    expect((await mailsAbout(owed)).at(-1)?.text).not.toContain(paid);
  });
});

describe('a worker that is back in the hours of reminders', () => {
  it('sends at once what holds then', async () => {
    const late = await neglectedInvoice();
    await untilInstant(at('2025-12-05', '10:30'));
    expect(await mailedAt(late)).toEqual([['reminder_due_soon', '2025-12-05T09:30:00.000Z']]);
    expect(await eventsAbout(late)).toEqual(['STEP 2']);
  });

  it('is not late after a few minutes', async () => {
    const late = await neglectedInvoice();
    await untilInstant(at('2025-12-02', '08:10'));
    expect(await mailedAt(late)).toEqual([['reminder_due_soon', '2025-12-02T07:00:00.000Z']]);
  });
});

describe('a platform that waits for its bank', () => {
  it('waits for the statements of the present day', async () => {
    await addMainAccount(world());
    await world().sql(`update platforms set time_zone = 'Europe/Berlin', wait_for_bank = '11:00'`);
    const late = await neglectedInvoice();
    await untilInstant(at('2025-12-11', '09:00'));
    expect(await mailsAbout(late)).toEqual([]);
    await untilInstant(at('2025-12-11', '11:00'));
    expect(await eventsAbout(late)).toEqual(['STEP 3']);
  });

  it('sends in the night to a buyer to whom it is later, as ever', async () => {
    const buyer = await debtor();
    await world().sql(
      `update buyers set business_address = business_address || '{"country": "JP"}' where external_id = $1`,
      [buyer],
    );
    const late = await invoice(buyer, DUE);
    await untilInstant(at('2025-12-09', '12:00'));
    await untilInstant(at('2025-12-10', '10:59'));
    expect(await mailsAbout(late)).toEqual([]);
    await untilInstant(at('2025-12-10', '11:00'));
    expect(await eventsAbout(late)).toEqual(['STEP 3']);
  });
});
