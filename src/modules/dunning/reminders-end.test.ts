/** Each change of the amount owed withdraws the waiting mail in its own transaction. A new mail lists the amount still owed. */
import { describe, expect, it } from 'vitest';
import { lockToSettle, recordWriteOff } from '#modules/invoices';
import { act } from '#test/credit';
import { creditNoteBody } from '#test/credit-notes';
import { useDunning } from '#test/dunning';
import { lookAgain } from './dunning-rescan.queries.ts';

const { debtor, invoice, mailsAbout, pay, show, until, world } = useDunning();
const DAY = 86_400;
const due = (day: string) => ({ due_at: Date.parse(`${day}T12:00:00Z`) / 1_000 });

const credit = (of: string, minor: number) =>
  world().post(
    '/v1/credit_notes',
    creditNoteBody({
      ...{ external_id: `credits-${of}`, invoice_external_id: of },
      amount: { net: minor, gross: minor },
    }),
  );
const writeOff = (id: string) =>
  act(world(), async (context) => {
    const locked = (await lockToSettle(context, [id])).get(id);
    if (locked) await recordWriteOff(context, locked, locked.outstanding_amount);
    return { status: 200 };
  });
const postpone = async (id: string, days: number) => {
  const stored = await show(id);
  return world().put(`/v1/invoices/${id}`, { ...stored, due_at: stored.due_at + days * DAY });
};
const dispute = (of: string, amount: number) =>
  world().post(`/v1/invoices/${of}/disputes`, { external_id: `of-${of}`, reason: 'DAMAGED', amount });

type Change = (id: string) => Promise<{ status: number }>;
/**
 * A change to one of two invoices of a waiting mail, the amount that the new mail requests for that invoice, and the status of its
 * reminders right after the change.
 */
const CHANGES: [string, Change, string | null, 'ENDED' | 'RUNNING'][] = [
  ['a payment', (id) => pay(id, 100_000), null, 'ENDED'],
  ['a payment in part', (id) => pay(id, 40_000), '600,00', 'RUNNING'],
  ['a credit note', (id) => credit(id, 100_000), null, 'ENDED'],
  ['a credit note of a part', (id) => credit(id, 25_000), '750,00', 'RUNNING'],
  [
    'the merchant, who says that it is paid',
    (id) => world().post(`/v1/invoices/${id}/paid`, {}),
    null,
    'ENDED',
  ],
  ['a refund', (id) => world().post(`/v1/invoices/${id}/refund`), null, 'ENDED'],
  ['a write-off', writeOff, null, 'ENDED'],
  ['a later due day', (id) => postpone(id, 10), null, 'ENDED'],
  ['a dispute of all', (id) => dispute(id, 100_000), null, 'RUNNING'],
  ['a dispute of a part', (id) => dispute(id, 30_000), '700,00', 'RUNNING'],
];

describe('a waiting mail is withdrawn and written again', () => {
  it.each(CHANGES)('after %s', async (_, change, stillOwed, reminders) => {
    world().clock.set(Date.parse('2025-11-20T12:00:00Z') / 1_000);
    const buyer = await debtor();
    const changed = await invoice(buyer, due('2025-12-10'));
    const other = await invoice(buyer, due('2025-12-09'));
    await until('2025-12-15');
    const [waiting] = (await mailsAbout(changed)).slice(-1);
    expect(waiting).toMatchObject({ kind: 'reminder_overdue', status: 'PENDING' });
    expect(waiting?.text).toContain(other);
    expect((await change(changed)).status).toBeLessThan(300);
    const stateOf = async () =>
      (await mailsAbout(other)).find(({ mailId }) => mailId === waiting?.mailId)?.status;
    expect(await stateOf()).toBe('WITHDRAWN');
    expect((await show(changed)).dunning?.status ?? 'ENDED').toBe(reminders);
    await until('2025-12-16');
    const pending = (await mailsAbout(other)).filter(
      ({ kind, status }) => kind === 'reminder_overdue' && status === 'PENDING',
    );
    expect(pending).toHaveLength(1);
    const [{ text } = { text: '' }] = pending;
    expect(text.includes(changed)).toBe(stillOwed !== null);
    if (stillOwed !== null) expect(text).toContain(stillOwed);
    else expect(text).not.toContain('2.000,00');
  });
});

describe('an invoice that was written off', () => {
  it('is never looked at again, also after a change of the plan or a payment in part', async () => {
    world().clock.set(Date.parse('2025-11-20T12:00:00Z') / 1_000);
    const buyer = await debtor();
    const lost = await invoice(buyer, due('2025-12-10'));
    await until('2025-12-15');
    await writeOff(lost);
    const mails = (await mailsAbout(lost)).length;
    await act(world(), ({ db, platformId, now }) =>
      lookAgain(db, platformId, { scope: 'PLATFORM', externalId: '' }, now),
    );
    await pay(lost, 10_000);
    const owed = await invoice(buyer, due('2025-12-12'));
    await until('2026-01-20');
    expect(await mailsAbout(lost)).toHaveLength(mails);
    expect((await mailsAbout(owed)).length).toBeGreaterThan(0);
  });
});
