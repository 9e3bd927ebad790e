/** A step whose mail was withdrawn was never sent: it is taken again before a harsher one. */
import { describe, expect, it } from 'vitest';
import { useDunning } from '#test/dunning';

const { debtor, eventsAbout, invoice, mailsAbout, pay, show, until, untilInstant, world } = useDunning();
const NOON = Date.parse('2025-12-15T12:00:00Z') / 1_000;

/** An invoice whose first reminder, step 3, waits for the mail server. */
async function remindedInvoice(): Promise<string> {
  world().clock.set(Date.parse('2025-11-20T12:00:00Z') / 1_000);
  const external = await invoice(await debtor());
  await until('2025-12-15');
  expect((await show(external)).dunning).toMatchObject({ status: 'RUNNING', step: 3 });
  return external;
}

const pays = async (of: string, minor = 100_000, nth = 1) => {
  expect((await pay(of, minor, { external_id: `p${nth}-${of}` })).status).toBe(201);
};
const isReturned = async (of: string, nth = 1) => {
  const path = `/v1/invoices/${of}/payments/p${nth}-${of}/reverse`;
  expect((await world().post(path, { reason: 'Returned' })).status).toBe(200);
};
const stepsOf = async (of: string) => (await eventsAbout(of)).filter((event) => event.startsWith('STEP'));
const reminders = async (of: string) =>
  (await mailsAbout(of)).flatMap(({ kind, status }) => (kind === 'reminder_overdue' ? [status] : []));

describe('an invoice that was paid before its reminder left', () => {
  it('and whose payment is returned gets that reminder, then the next', async () => {
    const id = await remindedInvoice();
    await pays(id);
    expect(await reminders(id)).toEqual(['WITHDRAWN']);
    await until('2025-12-17');
    await isReturned(id);
    await until('2025-12-19');
    expect((await show(id)).dunning).toMatchObject({ status: 'RUNNING', step: 3 });
    expect(await reminders(id)).toEqual(['WITHDRAWN', 'PENDING']);
    expect(await stepsOf(id)).toEqual(['STEP 1', 'STEP 2', 'STEP 3', 'STEP 3']);
    await until('2026-01-20');
    expect((await stepsOf(id)).slice(3)).toEqual(['STEP 3', 'STEP 4', 'STEP 5']);
  });

  it('gets it once more however often that happens', async () => {
    const id = await remindedInvoice();
    for (const [nth, returnedOn] of ['2025-12-16', '2025-12-17'].entries()) {
      await pays(id, 100_000, nth);
      // The next look takes the step: its mail waits again.
      await until(returnedOn);
      await isReturned(id, nth);
      await untilInstant(world().clock.now() + 60);
    }
    expect(await stepsOf(id)).toEqual(['STEP 1', 'STEP 2', 'STEP 3', 'STEP 3', 'STEP 3']);
    expect(await reminders(id)).toEqual(['WITHDRAWN', 'WITHDRAWN', 'PENDING']);
  });

  it('gets it on the next day where the payment is returned at once', async () => {
    const id = await remindedInvoice();
    await pays(id);
    await untilInstant(NOON + 300);
    await isReturned(id);
    await until('2025-12-17');
    expect(await stepsOf(id)).toEqual(['STEP 1', 'STEP 2', 'STEP 3', 'STEP 3']);
    expect(await reminders(id)).toEqual(['WITHDRAWN', 'PENDING']);
  });
});

describe('a reminder that is written again', () => {
  it('was taken once: of an invoice that was paid in part', async () => {
    const id = await remindedInvoice();
    await pays(id, 40_000);
    await until('2025-12-19');
    expect(await reminders(id)).toEqual(['WITHDRAWN', 'PENDING']);
    expect(await stepsOf(id)).toEqual(['STEP 1', 'STEP 2', 'STEP 3']);
  });
});

describe('an invoice that was disputed before its reminder left', () => {
  it('gets that reminder once the dispute is rejected', async () => {
    const id = await remindedInvoice();
    const dispute = { external_id: `of-${id}`, reason: 'DAMAGED', amount: 100_000 };
    expect((await world().post(`/v1/invoices/${id}/disputes`, dispute)).status).toBe(201);
    await until('2025-12-18');
    const rejected = await world().post(`/v1/invoices/${id}/disputes/of-${id}/reject`, {
      comment: 'Delivered',
    });
    expect(rejected.status).toBe(200);
    await until('2025-12-22');
    expect((await show(id)).dunning).toMatchObject({ status: 'RUNNING', step: 3 });
    expect(await stepsOf(id)).toEqual(['STEP 1', 'STEP 2', 'STEP 3', 'STEP 3']);
    expect(await reminders(id)).toEqual(['WITHDRAWN', 'PENDING']);
  });
});
