import { expect, it } from 'vitest';
import { useDunning } from '#test/dunning';

const { debtor, invoice, mailsAbout, pay, untilInstant, world } = useDunning();

const BUYERS = 20;
const EACH = 5;
/** Monday, 15 December 2025, 8 o'clock in Germany. */
const FALLS_DUE = Date.parse('2025-12-15T07:00:00Z') / 1_000;
const CHECKED = FALLS_DUE + 601;

it('a reminder of 100 invoices and the payments of half of them at once: no waiting mail names a paid one, and one names each other', async () => {
  const invoices: string[] = [];
  for (let n = 0; n < BUYERS; n++) {
    const buyer = await debtor();
    for (let each = 0; each < EACH; each++) invoices.push(await invoice(buyer));
  }
  await untilInstant(FALLS_DUE - 1);
  world().clock.set(FALLS_DUE);
  // Whole mailings, single invoices of others, and none of some.
  const isPaid = (nth: number) => nth % 10 < 2 || nth % 20 < 5 || nth % 7 === 3;
  const paid = invoices.filter((_, nth) => isPaid(nth));
  const unpaid = invoices.filter((_, nth) => !isPaid(nth));
  const [, ...answers] = await Promise.all([
    untilInstant(FALLS_DUE),
    ...paid.toReversed().map((id) => pay(id, 100_000)),
  ]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  const waiting = async (id: string) => (await mailsAbout(id)).filter(({ status }) => status === 'PENDING');
  const named = async (ids: string[]) => (await Promise.all(ids.map(waiting))).map(({ length }) => length);
  expect(Math.max(...(await named(paid)))).toBe(0);
  await untilInstant(CHECKED);
  expect(Math.max(...(await named(paid)))).toBe(0);
  const reminders = async (id: string) =>
    (await waiting(id)).filter(({ kind }) => kind === 'reminder_overdue').length;
  expect(new Set(await Promise.all(unpaid.map(reminders)))).toEqual(new Set([1]));
});
