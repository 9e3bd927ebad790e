/** No reminder leaves before the bank statements of the day before are imported, or until the time that the platform sets. */
import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addMainAccount } from '#test/bank-account';
import { useDunning } from '#test/dunning';
import { INVOICING_NOW } from '#test/invoice-setup';
import { mailsOf } from '#test/mails';

const { debtor, invoice, mailsAbout, pay, setPlan, until, untilInstant, world } = useDunning();

/** The clock of the platform: Berlin is an hour ahead of UTC in December. */
const at = (day: string, time: string) => Date.parse(`${day}T${time}:00+01:00`) / 1_000;
/** Invoices are due on Wednesday, 10 December 2025, and their first reminder on Monday, 15 December. */
const MONDAY = '2025-12-15';
const FRIDAY = '2025-12-12';

async function importStatement(closingOn: string, { type = 'STATEMENT', account = 'main' } = {}) {
  await world().sql(
    `insert into bank_statements (platform_id, statement_id, bank_account, type, file_hash, position, reference_sealed,
      closing_on, entry_count, new_entry_count, imported_at, actor)
    values ($1, $2, $3, $4, $5, 1, '', $6, 0, 0, $7, 'operator:fin')`,
    [
      ...[world().platform.platform_id, randomUUID(), account, type, randomBytes(32), closingOn],
      world().clock.now(),
    ],
  );
}
const reminders = async (id: string) =>
  (await mailsAbout(id)).filter(({ kind }) => kind === 'reminder_overdue').length;
const reports = async () =>
  (await mailsOf(world())).filter(({ kind }) => kind === 'support_statements_missing');

beforeAll(async () => {
  await addMainAccount(world());
  await setPlan({ least_gap_days: 3, steps: [{ days: 5, kind: 'REMINDER' }] });
  await world().sql(
    `update platforms set time_zone = 'Europe/Berlin', wait_for_bank = '11:00',
      support_emails = '{ada@market.example,ben@market.example,cai@market.example}'`,
  );
});
beforeEach(async () => {
  world().clock.set(INVOICING_NOW);
  await world().sql('delete from bank_statements');
});

describe('a platform that waits for its bank until 11:00', () => {
  it('sends nothing until the statement of the last business day is in', async () => {
    const late = await invoice(await debtor());
    await importStatement('2025-12-11');
    await importStatement(FRIDAY, { type: 'NOTIFICATION' });
    await untilInstant(at(MONDAY, '10:59'));
    expect(await reminders(late)).toBe(0);
    await importStatement(FRIDAY);
    await untilInstant(at(MONDAY, '10:59'));
    expect(await reminders(late)).toBe(1);
    expect(await reports()).toEqual([]);
  });

  it('waits for every account', async () => {
    await world().sql(
      `insert into bank_accounts select (jsonb_populate_record(a, '{"external_id": "second", "number_mac": "\\\\x02"}')).*
      from bank_accounts a where external_id = 'main'`,
    );
    const late = await invoice(await debtor());
    await importStatement(FRIDAY);
    await untilInstant(at(MONDAY, '10:59'));
    expect(await reminders(late)).toBe(0);
    await importStatement(FRIDAY, { account: 'second' });
    await untilInstant(at(MONDAY, '10:59'));
    expect(await reminders(late)).toBe(1);
    await world().sql('delete from bank_statements');
    await world().sql(`delete from bank_accounts where external_id = 'second'`);
  });

  it('sends them then all the same, and tells its support once that day', async () => {
    const [one, other] = [await invoice(await debtor()), await invoice(await debtor())];
    const next = await invoice(await debtor(), { due_at: INVOICING_NOW + 21 * 86_400 });
    await importStatement('2025-12-11');
    await untilInstant(at(MONDAY, '10:59'));
    expect(await reports()).toEqual([]);
    await untilInstant(at(MONDAY, '11:00'));
    expect([await reminders(one), await reminders(other), await reminders(next)]).toEqual([1, 1, 0]);
    const mails = await reports();
    expect(mails.map(({ to }) => to).toSorted()).toEqual([
      ...['ada@market.example', 'ben@market.example', 'cai@market.example'],
    ]);
    for (const { text } of mails) expect(text).toMatch(/main[\s\S]*2025-12-11/);
    await until('2025-12-16');
    expect(await reminders(next)).toBe(1);
    expect(await reports()).toHaveLength(6);
  });

  it('writes the mail again within an hour where one of its invoices is paid before it leaves', async () => {
    const buyer = await debtor();
    const [paid, owed] = [await invoice(buyer), await invoice(buyer)];
    await importStatement('2025-12-11');
    await untilInstant(at(MONDAY, '11:00'));
    expect((await pay(paid, 100_000)).status).toBe(201);
    await untilInstant(at(MONDAY, '12:00'));
    const mails = (await mailsAbout(owed)).filter(({ kind }) => kind === 'reminder_overdue');
    expect(mails.map(({ status, text }) => [status, text.includes(paid)])).toEqual([
      ['WITHDRAWN', true],
      ['PENDING', false],
    ]);
  });

  it('is late for a buyer to whom it is later: what was to go out in the night there goes out at 11:00', async () => {
    const buyer = await debtor();
    await world().sql(
      `update buyers set business_address = business_address || '{"country": "JP"}' where external_id = $1`,
      [buyer],
    );
    const late = await invoice(buyer);
    await untilInstant(at(MONDAY, '10:59'));
    expect(await reminders(late)).toBe(0);
    await until(MONDAY);
    expect(await reminders(late)).toBe(1);
  });

  it('without a bank account waits for none', async () => {
    await world().sql('delete from bank_statements');
    await world().sql('delete from bank_accounts');
    const late = await invoice(await debtor());
    await untilInstant(at(MONDAY, '08:30'));
    expect(await reminders(late)).toBe(1);
  });
});
