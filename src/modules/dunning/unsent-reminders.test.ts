/** Charges and interest after a reminder was withdrawn or given up. Each invoice is due on Wednesday, 10 December 2025. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { finishMail, takeFailedMails } from '#modules/notifications';
import { addDebtor } from '#test/credit';
import { useDunning } from '#test/dunning';
import { INVOICING_NOW } from '#test/invoice-setup';
import { chargeLateInvoice } from '#test/late-charges';
import type { DunningPlan } from './dunning-plan.rules.ts';

const { debtor, eventsAbout, invoice, mailsAbout, pay, setPlan, show, until, untilInstant, world } =
  useDunning();
const PLAN: DunningPlan = {
  least_gap_days: 3,
  steps: [
    { days: 5, kind: 'REMINDER', claims_charges: true },
    { days: 20, kind: 'REMINDER', claims_charges: true },
  ],
};
const REMINDED_ON = '2025-12-15';
/** The law of Denmark: DKK 100 for a reminder, at most three times, with ten days between. */
const REMINDER_CHARGE = 10_000;
let made = 0;

beforeAll(async () => {
  await world().sql(`update platforms set financing_currencies = '{GBP,DKK}'`);
  await setPlan(PLAN);
});
beforeEach(() => world().clock.set(INVOICING_NOW));

const useLawOf = (country: string) =>
  world().sql(`update merchants set business_address = jsonb_set(business_address, '{country}', $1)`, [
    JSON.stringify(country),
  ]);

/** A buyer of invoices in DKK with `contacts` contacts for them. */
async function danishDebtor(contacts = 1): Promise<string> {
  const buyer = `danish-${++made}`;
  await addDebtor(world(), { buyer, totalMinor: 100_000_000, currency: 'DKK' });
  for (let nth = 1; nth <= contacts; nth++) {
    const contact = { external_id: `${nth}-of-${buyer}`, buyer_external_id: buyer };
    const more = { email: `bills-${nth}@${buyer}.example`, assign_to_all_invoices: true };
    expect((await world().post('/v1/contacts', { ...contact, ...more })).status).toBe(201);
  }
  return buyer;
}
const inKroner = { amount: { net: 100_000, gross: 100_000, currency: 'DKK' } };
const danishInvoice = (buyer: string) => invoice(buyer, inKroner);

interface ShownCharge {
  external_id: string;
  kind: string;
  status: string;
}
const chargesOf = async (id: string): Promise<ShownCharge[]> =>
  (await world().get(`/v1/invoices/${id}/charges`)).body.items;
const reminderCharges = async (id: string) =>
  (await chargesOf(id)).flatMap(({ kind, status }) => (kind === 'REMINDER' ? [status] : []));
/** The history of the charge for the reminder of an invoice. */
const historyOf = (id: string) =>
  world().sql(
    `select h.trigger, h.actor, h.reason from late_charge_transitions h
     join late_charges c on c.platform_id = h.platform_id and c.external_id = h.late_charge_external_id
     where c.invoice_external_id = $1 and c.kind = 'REMINDER' order by c.ordinal, h.version`,
    [id],
  );
const claimed = { trigger: 'claim', actor: 'service', reason: 'A step of the plan of reminders.' };
const waived = (reason: string) => ({ trigger: 'waive', actor: 'service', reason });

const waitingMails = async (id: string) =>
  (await mailsAbout(id)).filter(({ kind, status }) => kind === 'reminder_overdue' && status === 'PENDING');

/** The mail server accepts the waiting mails, refuses their addresses, or fails every attempt. */
async function finish(
  mails: Awaited<ReturnType<typeof waitingMails>>,
  outcome: 'SENT' | 'REFUSED' | 'FAILED',
) {
  const { db, vault } = world().installation;
  const ofPlatform = vault.forPlatform(world().platform.code, world().platform.data_key_wrapped);
  const isSent = outcome === 'SENT';
  for (const { platformId, mailId, attempts, to } of mails)
    await finishMail(db, {
      ...{ platformId, mailId, attempt: attempts + 1, status: isSent ? 'SENT' : 'FAILED' },
      ...{ sentAt: isSent ? world().clock.now() : null, delaySeconds: null, replySealed: null },
      failure: isSent ? null : outcome === 'REFUSED' ? 'RECIPIENT_REFUSED 550' : 'DEFERRED 450',
      addressMac: outcome === 'REFUSED' ? ofPlatform.mac('refused_addresses', to) : null,
    });
  await takeFailedMails(db, 1_000, []);
}
const later = (seconds: number) => untilInstant(world().clock.now() + seconds);
const HOUR = 3_600;

describe('the charge for a reminder', () => {
  beforeAll(() => useLawOf('DK'));

  it('that was withdrawn by a payment is waived by the service, once, and what was booked with it', async () => {
    const id = await danishInvoice(await danishDebtor());
    await world().sql('update invoices set is_financed = true where external_id = $1', [id]);
    await until(REMINDED_ON);
    expect(await reminderCharges(id)).toEqual(['OPEN']);
    const before = (await show(id)).late_charges;
    expect((await pay(id, 100_000)).status).toBe(201);
    await later(HOUR);
    await until('2025-12-20');
    expect(await historyOf(id)).toEqual([claimed, waived('The reminder was withdrawn before it was sent.')]);
    expect(await show(id)).toMatchObject({
      status: 'CLOSED',
      late_charges: {
        amount: before.amount,
        waived_amount: REMINDER_CHARGE,
        outstanding_amount: before.amount - REMINDER_CHARGE,
      },
    });
    const [booked] = await world().sql(
      `select sum(l.amount)::int as amount from ledger_lines l join ledger_entries e using (platform_id, entry_id)
       where e.invoice_external_id = $1 and l.account = 'late_charge_receivable'`,
      [id],
    );
    expect(booked).toEqual({ amount: before.amount - REMINDER_CHARGE });
  });

  it('is claimed for the reminder that is sent instead after the payment was returned', async () => {
    const id = await danishInvoice(await danishDebtor());
    await until(REMINDED_ON);
    const { body } = await pay(id, 100_000);
    await until('2025-12-16');
    const path = `/v1/invoices/${id}/payments/${body.external_id}/reverse`;
    expect((await world().post(path, { reason: 'Returned' })).status).toBe(200);
    await until('2025-12-19');
    expect((await eventsAbout(id)).filter((event) => event.startsWith('STEP'))).toEqual(['STEP 1', 'STEP 1']);
    expect(await reminderCharges(id)).toEqual(['WAIVED', 'OPEN']);
  });

  it('that is written again about what is left stays', async () => {
    const buyer = await danishDebtor();
    const [paid, owed] = [await danishInvoice(buyer), await danishInvoice(buyer)];
    await until(REMINDED_ON);
    expect((await pay(paid, 100_000)).status).toBe(201);
    await later(HOUR);
    expect(await reminderCharges(paid)).toEqual(['WAIVED']);
    expect(await reminderCharges(owed)).toEqual(['OPEN']);
    expect(await waitingMails(owed)).toHaveLength(1);
  });

  it('that no address accepted is waived, and the step is not repeated', async () => {
    const id = await danishInvoice(await danishDebtor(2));
    await until(REMINDED_ON);
    await finish(await waitingMails(id), 'REFUSED');
    await later(HOUR);
    await until('2025-12-20');
    expect(await historyOf(id)).toEqual([
      claimed,
      waived('The reminder could not be delivered to any address.'),
    ]);
    expect((await chargesOf(id)).map(({ kind, status }) => `${kind} ${status}`)).toContain(
      'COMPENSATION OPEN',
    );
    expect(await eventsAbout(id)).toEqual(['STEP 1']);
  });

  it('that was given up is waived, and claimed for the one that is sent instead', async () => {
    const id = await danishInvoice(await danishDebtor());
    await until(REMINDED_ON);
    await finish(await waitingMails(id), 'FAILED');
    await until('2025-12-19');
    expect(await reminderCharges(id)).toEqual(['WAIVED', 'OPEN']);
  });

  it('that one of two addresses accepted stays', async () => {
    const id = await danishInvoice(await danishDebtor(2));
    await until(REMINDED_ON);
    const [one, ...others] = await waitingMails(id);
    expect(others).toHaveLength(1);
    await finish(others, 'SENT');
    await finish(one ? [one] : [], 'REFUSED');
    await until('2025-12-20');
    expect(await reminderCharges(id)).toEqual(['OPEN']);
  });
});

describe('a hand-over', () => {
  it('claims no charge for a reminder', async () => {
    await useLawOf('DK');
    const buyer = await danishDebtor();
    const steps: DunningPlan['steps'] = [{ days: 5, kind: 'HAND_OVER', claims_charges: true }];
    await setPlan({ least_gap_days: 3, steps }, { buyerExternalId: buyer });
    const id = await danishInvoice(buyer);
    await until(REMINDED_ON);
    expect((await chargesOf(id)).map(({ kind }) => kind)).toEqual(['INTEREST', 'COMPENSATION']);
  });
});

describe('interest where the law wants a reminder first', () => {
  beforeAll(() => useLawOf('CH'));

  /** The interest claimed by a day, or claimed on it: the first day of each line and its amount. */
  async function interestOn(day: string, id: string) {
    await until(day);
    const { charges } = await chargeLateInvoice(world(), id, { kinds: ['INTEREST'] });
    return charges.flatMap(({ computation }) =>
      computation.lines.map(({ from, interest }) => [from, interest]),
    );
  }

  it('does not begin with a reminder that waits or was given up, but with the next one', async () => {
    const id = await invoice(await debtor());
    await until(REMINDED_ON);
    expect(await interestOn('2025-12-18', id)).toEqual([]);
    await finish(await waitingMails(id), 'FAILED');
    expect(await interestOn('2025-12-20', id)).toEqual([]);
    await until('2025-12-30');
    await finish(await waitingMails(id), 'SENT');
    // 31 December to 3 January, 4 days: 100,000 × 0.05 × 4 / 365 = 54.79.
    expect(await interestOn('2026-01-04', id)).toEqual([['2025-12-31', 55]]);
  });

  it('begins on the day after the mail server has accepted the reminder', async () => {
    const id = await invoice(await debtor());
    await until('2025-12-17');
    await finish(await waitingMails(id), 'SENT');
    // 18 and 19 December: 100,000 × 0.05 × 2 / 365 = 27.40.
    expect(await interestOn('2025-12-20', id)).toEqual([['2025-12-18', 27]]);
  });

  it('begins on the day after a reminder that an operator names, where no plan sent one before', async () => {
    const id = await invoice(await debtor());
    await until('2025-12-20');
    const request = { kinds: ['INTEREST'], remindedOn: '2025-12-17' } as const;
    const { charges } = await chargeLateInvoice(world(), id, request);
    expect(charges).toMatchObject([{ amount: 27, accrued_until: '2025-12-19' }]);
  });
});
