import { beforeEach, describe, expect, it } from 'vitest';
import { useDunning } from '#test/dunning';
import { INVOICING_NOW } from '#test/invoice-setup';

const { debtor, eventsAbout, invoice, mailsAbout, pay, show, until, world } = useDunning();
const dayOf = (at: number) => new Date(at * 1_000).toISOString().slice(0, 10);
const DAY = 86_400;
const noonOf = (day: string) => Date.parse(`${day}T12:00:00Z`) / 1_000;
const SENT_IN = noonOf('2026-03-01');
const due = (day: string) => ({ invoiced_at: SENT_IN, due_at: noonOf(day) });
beforeEach(() => world().clock.set(SENT_IN));

describe('the reminders of an invoice', () => {
  it('are sent step by step at 8 where the buyer is, with the charges of the law, until it is paid', async () => {
    world().clock.set(INVOICING_NOW);
    const late = await invoice(await debtor());
    await until('2025-12-04');
    expect((await show(late)).dunning).toBeNull();
    await until('2025-12-09');
    const [first] = await mailsAbout(late);
    expect(first).toMatchObject({ kind: 'reminder_due_soon', status: 'PENDING' });
    expect(first && new Date(first.createdAt * 1_000).toISOString()).toBe('2025-12-05T07:00:00.000Z');
    expect(first?.text).toMatch(new RegExp(`${world().baseUrl}/buyer/[\\w-]{43,}`));
    expect((await show(late)).dunning).toMatchObject({ status: 'RUNNING', step: 1, kind: 'BEFORE_DUE' });
    await until('2025-12-15');
    expect((await show(late)).dunning).toMatchObject({ step: 3, kind: 'REMINDER', paused_by: null });
    expect(dayOf((await show(late)).dunning.next_at)).toBe('2025-12-29');
    await until('2026-01-20');
    const shown = await show(late);
    expect(shown).toMatchObject({ dunning: { step: 5, kind: 'LAST_REMINDER' } });
    expect(shown.late_charges.outstanding_amount).toBeGreaterThan(4_000);
    const mails = await mailsAbout(late);
    expect(mails.map(({ kind }) => kind).toSorted()).toEqual([
      ...['reminder_due_soon', 'reminder_due_soon'],
      ...['reminder_overdue', 'reminder_overdue', 'reminder_overdue'],
    ]);
    await pay(late, 100_000);
    expect((await show(late)).dunning).toBeNull();
    await until('2026-03-30');
    expect(await eventsAbout(late)).toEqual(['STEP 1', 'STEP 2', 'STEP 3', 'STEP 4', 'STEP 5', 'ENDED 5']);
    expect(await mailsAbout(late)).toHaveLength(5);
  });
});

// service.md §2, Buyer settings: "They control the language and formality of automated e-mails sent to the buyer (for example
// onboarding invitations and payment reminders)", and §4: "language (enum or null), formality (enum or null)".
describe('the language and formality of reminders', () => {
  it('are those of the settings of the buyer, and after null those of its country and of the platform', async () => {
    world().clock.set(INVOICING_NOW);
    const buyer = await debtor();
    const set = (settings: object) => world().put(`/v1/buyers/${buyer}/settings`, settings);
    expect((await set({ language: 'PL', formality: 'INFORMAL' })).status).toBe(200);
    const late = await invoice(buyer);
    await until('2025-12-05');
    expect((await set({ language: null, formality: null })).status).toBe(200);
    await world().sql("update platforms set formality = 'FORMAL'");
    await until('2025-12-10');
    const sent = (await mailsAbout(late)).map(({ locale, text }) => [locale, text.replaceAll(/\s+/g, ' ')]);
    await world().sql("update platforms set formality = 'NEUTRAL'");
    expect(sent).toEqual([
      ['pl', expect.stringContaining('zbliża się termin Twojej płatności na rzecz')],
      ['de', expect.stringMatching(/\bIhre Zahlung/)],
    ]);
    await pay(late, 100_000);
  });
});

describe('what a buyer owes', () => {
  it('is reminded of together, and each invoice is among the transitions that were made', async () => {
    const buyer = await debtor();
    const invoices: string[] = [];
    for (let nth = 0; nth < 6; nth++) invoices.push(await invoice(buyer, due('2026-06-10')));
    const made = await until('2026-06-05');
    const reminded = made.filter(({ trigger }) => trigger === 'remind').map(({ externalId }) => externalId);
    expect(reminded.filter((id) => invoices.includes(id)).toSorted()).toEqual(invoices);
    for (const id of invoices) await pay(id, 100_000);
  });

  it('is in one mail of a day, the oldest first, in the words of the latest step', async () => {
    const buyer = await debtor();
    // On Tuesday, 5 May 2026: the first reminder of one, and the second of the other.
    const younger = await invoice(buyer, due('2026-04-30'));
    const older = await invoice(buyer, due('2026-04-20'));
    await until('2026-05-04');
    const before = (await mailsAbout(younger)).length;
    await until('2026-05-05');
    const mails = (await mailsAbout(younger)).slice(before);
    expect(mails).toHaveLength(1);
    const [{ text } = { text: '' }] = mails;
    expect(text.indexOf(older)).toBeGreaterThan(-1);
    expect(text.indexOf(older)).toBeLessThan(text.indexOf(younger));
    const rows = await world().sql(
      `select kind, tone from dunning_mailings where buyer_external_id = $1 and mailed_on = '2026-05-05'`,
      [buyer],
    );
    expect(rows).toEqual([{ kind: 'REMINDER', tone: 'FIRM' }]);
    expect(await eventsAbout(younger)).toContain('STEP 3');
    expect(await eventsAbout(older)).toContain('STEP 4');
  });

  it('is counted where there are more charges than a mail lists', async () => {
    const buyer = await debtor();
    // Sixteen invoices with interest and compensation each.
    let last = '';
    for (let nth = 0; nth < 16; nth++) last = await invoice(buyer, due('2026-04-20'));
    await until('2026-05-05');
    const [mail] = (await mailsAbout(last)).filter(({ text }) => text.includes('Verzugspauschale'));
    const rows = mail?.text.split('\n') ?? [];
    const { outstanding_amount: charged } = (await show(last)).late_charges;
    expect(charged).toBeGreaterThan(0);
    expect(rows.filter((row) => row === '  …: +2')).toHaveLength(1);
  });

  it('has the day before the hand-over of what is reminded of last, whatever comes next of the rest', async () => {
    const buyer = await debtor();
    // On Wednesday, 1 April 2026: the last reminder of one, and the first of the other.
    await invoice(buyer, due('2026-03-02'));
    const younger = await invoice(buyer, due('2026-03-27'));
    await until('2026-04-01');
    const rows = await world().sql(
      `select kind, pay_by from dunning_mailings where buyer_external_id = $1 and mailed_on = '2026-04-01'`,
      [buyer],
    );
    // The sixtieth day is the first of May, a holiday, and a Friday.
    expect(rows).toEqual([{ kind: 'LAST_REMINDER', pay_by: '2026-05-03' }]);
    expect(dayOf((await show(younger)).dunning.next_at)).toBe('2026-04-13');
  });

  it('to another creditor is in a mail of its own', async () => {
    const buyer = await debtor();
    const one = await invoice(buyer, due('2026-05-20'));
    const other = await invoice(buyer, { ...due('2026-05-20'), merchant_external_id: 'other-merchant' });
    await until('2026-05-20');
    const mails = await mailsAbout(one);
    expect(mails.length).toBeGreaterThan(0);
    expect(mails.filter(({ text }) => text.includes(other))).toEqual([]);
    expect(await mailsAbout(other)).toHaveLength(mails.length);
  });

  it('and was never reminded of is in no mail about another invoice: its payment would not withdraw it', async () => {
    const buyer = await debtor();
    const reminded = await invoice(buyer, due('2026-06-01'));
    await until('2026-06-05');
    // Due yesterday, and submitted today: its first reminder is days away.
    const fresh = await invoice(buyer, due('2026-06-04'));
    await until('2026-06-08');
    const [last] = (await mailsAbout(reminded)).slice(-1);
    expect(last).toMatchObject({ kind: 'reminder_overdue', status: 'PENDING' });
    expect(last?.text).not.toContain(fresh);
    await until('2026-06-09');
    expect((await mailsAbout(fresh)).length).toBeGreaterThan(0);
  });
});

describe('a buyer', () => {
  it('without an address waits for one, and is reminded on the business day after', async () => {
    const buyer = await debtor(null);
    const late = await invoice(buyer, due('2026-06-24'));
    await until('2026-06-22');
    expect((await show(late)).dunning).toMatchObject({
      status: 'PAUSED',
      paused_by: 'NO_ADDRESS',
      step: null,
    });
    await until('2026-06-23');
    await world().post('/v1/contacts', {
      external_id: 'at-last',
      buyer_external_id: buyer,
      email: 'a@b.example',
    });
    await until('2026-06-24');
    expect((await show(late)).dunning).toMatchObject({ status: 'RUNNING', paused_by: null, kind: 'DUE' });
    expect(await mailsAbout(late)).toHaveLength(1);
  });

  it('with a hostile name is addressed by it as text', async () => {
    const buyer = await debtor();
    const name = '<script>alert(1)</script> {plural} & "Söhne"';
    const late = await invoice(buyer, due('2026-07-15'));
    const stored = (await world().get(`/v1/buyers/${buyer}`)).body;
    expect((await world().put(`/v1/buyers/${buyer}`, { ...stored, legal_name: name })).status).toBe(200);
    await until('2026-07-15');
    const mails = await mailsAbout(late);
    expect(mails.length).toBeGreaterThan(0);
    for (const { html, subject } of mails) {
      expect(html).not.toContain('<script>');
      expect(subject).not.toMatch(/[\r\n]/);
    }
  });

  it('whose payment comes back is reminded on, and of no step twice', async () => {
    const late = await invoice(await debtor(), due('2026-08-03'));
    await until('2026-08-11');
    expect((await show(late)).dunning).toMatchObject({ step: 3 });
    await world().sql(`update mails set status = 'SENT', sent_at = created_at where status = 'PENDING'`);
    const { body } = await pay(late, 100_000);
    expect((await show(late)).dunning).toBeNull();
    world().clock.set(world().clock.now() + DAY);
    const back = await world().post(`/v1/invoices/${late}/payments/${body.external_id}/reverse`, {
      reason: 'The direct debit was returned.',
    });
    expect(back.status).toBe(200);
    await until('2026-08-20');
    expect(await eventsAbout(late)).toEqual(['STEP 1', 'STEP 2', 'STEP 3', 'ENDED 3', 'STEP 4']);
  });
});
