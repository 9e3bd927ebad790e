/** Payments in the second in which reminders fall due. `RACING_INVOICES` sets the number of invoices. */
import { expect, it, vi } from 'vitest';
import { useDunning } from '#test/dunning';
import { mailsOf, type StoredMail } from '#test/mails';
import { patience } from '#test/patience';

const { debtor, invoice, pay, untilInstant, world } = useDunning();

const EACH = 5;
const BUYERS = Number(process.env.RACING_INVOICES ?? 100) / EACH;
vi.setConfig({ testTimeout: patience(10 + BUYERS * EACH * 0.1) });
/** Monday, 15 December 2025, 8 o'clock in Germany. */
const FALLS_DUE = Date.parse('2025-12-15T07:00:00Z') / 1_000;
const CHECKED = FALLS_DUE + 601;

it(`reminders of ${BUYERS * EACH} invoices and the payments of half of them at once: no waiting mail names a paid one, and one names each other`, async () => {
  const invoices: string[] = [];
  for (let n = 0; n < BUYERS; n++) {
    const buyer = await debtor();
    for (let each = 0; each < EACH; each++) invoices.push(await invoice(buyer));
  }
  await untilInstant(FALLS_DUE - 1);
  world().clock.set(FALLS_DUE);
  // All invoices of some mailings, single ones of others, and none of the rest.
  const isPaid = (nth: number) => nth % 10 < 2 || nth % 20 < 5 || nth % 7 === 3;
  const paid = invoices.filter((_, nth) => isPaid(nth));
  const unpaid = invoices.filter((_, nth) => !isPaid(nth));
  const [, ...answers] = await Promise.all([
    untilInstant(FALLS_DUE),
    ...paid.toReversed().map((id) => pay(id, 100_000)),
  ]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  const waiting = async () => (await mailsOf(world())).filter(({ status }) => status === 'PENDING');
  const namesPaid = ({ text }: StoredMail) => paid.some((id) => text.includes(id));
  expect((await waiting()).filter(namesPaid)).toEqual([]);
  await untilInstant(CHECKED);
  expect((await waiting()).filter(namesPaid)).toEqual([]);
  const reminders = (await waiting()).filter(({ kind }) => kind === 'reminder_overdue');
  const naming = (id: string) => reminders.filter(({ text }) => text.includes(id)).length;
  expect(new Set(unpaid.map(naming))).toEqual(new Set([1]));
});
