import { describe, expect, it } from 'vitest';
import {
  applyPayment,
  findLateCharge,
  invoiceEquations,
  type LateCharge,
  type LateChargeRow,
  waiveLateCharge,
} from '#modules/invoices';
import { invoiceBody } from '#test/bodies';
import { INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';
import { chargeLateInvoice, lateInvoiceBody } from '#test/late-charges';
import { actAs } from '#test/operators';
import type { ChargeRequest } from './charge-invoice.ts';

const DAY = 86_400;
const { create, world } = useInvoicing();

const claimed = (invoice: string, more?: Partial<ChargeRequest>) => chargeLateInvoice(world(), invoice, more);

async function waive(externalId: string): Promise<LateChargeRow> {
  return actAs(world(), 'fin', async (context) => {
    const charge = await findLateCharge(context.db, context.platformId, externalId);
    return waiveLateCharge(context, charge as LateChargeRow, 'Goodwill.');
  });
}

const read = async (path: string) => (await world().get(`/v1/invoices/${path}`)).body;
const pay = async (invoice: string, amount: number, more: object = {}) =>
  (await world().post(`/v1/invoices/${invoice}/payments`, { amount, received_by: 'PLATFORM', ...more })).body;
const unequal = async () => {
  const { db } = world().installation;
  const checks = invoiceEquations.filter(({ code }) => code === 'CHARGES' || code === 'E4');
  return (await Promise.all(checks.map(({ check }) => check(db, world().platform.platform_id)))).flat();
};
/** Balances of the accounts that late charges touch. */
const booked = async (invoice: string) =>
  Object.fromEntries(
    (
      await world().sql<{ account: string; amount: string }>(
        `select l.account, sum(l.amount)::text as amount from ledger_lines l join ledger_entries e using (platform_id, entry_id)
         where e.invoice_external_id = $1 and e.cause like 'LATE_CHARGE%' group by 1 having sum(l.amount) <> 0`,
        [invoice],
      )
    ).map(({ account, amount }) => [account, Number(amount)]),
  );

let made = 0;
/** An invoice of EUR 10,000.00 that was due on 31 October 2025, twenty days ago. */
async function late({ isFinanced = false } = {}): Promise<string> {
  const external_id = `late-${++made}`;
  expect((await create(lateInvoiceBody(external_id))).status).toBe(201);
  if (isFinanced)
    await world().sql('update invoices set is_financed = true where external_id = $1', [external_id]);
  return external_id;
}

// 1 to 19 November 2025: 19 days at 1.27 + 9 = 10.27 %: 1,000,000 × 0.1027 × 19 / 365 = 5,346.03, so EUR 53.46.
const INTEREST = 5_346;
const COMPENSATION = 4_000;
const BOTH = INTEREST + COMPENSATION;

describe('late charges', () => {
  it('are interest and compensation by the law of the merchant, claimed once', async () => {
    const invoice = await late();
    const before = await read(invoice);
    const { charges, missing } = await claimed(invoice);
    expect(missing).toEqual([]);
    expect(charges).toMatchObject([
      { kind: 'INTEREST', amount: INTEREST, accrued_until: '2025-11-19', creditor: 'MERCHANT' },
      { kind: 'COMPENSATION', amount: COMPENSATION, accrued_until: null },
    ]);
    expect(charges[0]?.computation).toEqual({
      country: 'DE',
      source: 'BGB, section 288(2)',
      lines: [
        {
          ...{ installment: 1, from: '2025-11-01', to: '2025-11-19', days: 19, amount: 1_000_000 },
          ...{ rate_basis_points: 1_027, year_days: 365, interest: INTEREST },
        },
      ],
    });
    expect((await claimed(invoice)).charges).toEqual([]);
    const { late_charges, ...after } = await read(invoice);
    expect({ ...after, late_charges: before.late_charges }).toEqual(before);
    expect(late_charges).toMatchObject({ amount: BOTH, outstanding_amount: BOTH });
  });

  it('are booked as a claim of the platform where the invoice is financed, and not of a merchant', async () => {
    const [financed, other] = [await late({ isFinanced: true }), await late()];
    expect((await claimed(financed)).charges).toMatchObject([{ creditor: 'PLATFORM' }, {}]);
    await claimed(other);
    expect(await booked(financed)).toEqual({ late_charge_receivable: BOTH, late_charge_income: -BOTH });
    expect(await booked(other)).toEqual({});
    expect(await unequal()).toEqual([]);
  });

  it('are not claimed on an unknown or a cancelled invoice, or by the law of an unknown country', async () => {
    const [cancelled, abroad] = [await late(), await late()];
    await world().post(`/v1/invoices/${cancelled}/refund`);
    await expect(claimed('unknown')).rejects.toThrow('NO_SUCH_INVOICE');
    await expect(claimed(cancelled)).rejects.toThrow('CANCELLED');
    await world().sql(
      `update merchants set business_address = jsonb_set(business_address, '{country}', '"BR"')`,
    );
    await expect(claimed(abroad)).rejects.toThrow('NO_LAW');
    await world().sql(
      `update merchants set business_address = jsonb_set(business_address, '{country}', '"DE"')`,
    );
  });

  it('are not claimed before the day after the due day', async () => {
    const external_id = 'not-late';
    const body = invoiceBody({ external_id, buyer_external_id: 'buyer', due_at: NOW });
    expect((await create(body)).status).toBe(201);
    expect((await claimed(external_id)).charges).toEqual([]);
  });
});

describe('a payment', () => {
  it('pays the invoice first, and the charges survive it', async () => {
    const invoice = await late({ isFinanced: true });
    await claimed(invoice);
    expect(await pay(invoice, 1_000_000)).toMatchObject({ late_charge_allocations: [] });
    expect(await read(invoice)).toMatchObject({
      ...{ status: 'CLOSED', outstanding_amount: 0, late_charges: { outstanding_amount: BOTH } },
    });
    const payment = await pay(invoice, BOTH + 100);
    expect(payment).toMatchObject({ allocated_amount: BOTH, unapplied_amount: 100, allocations: [] });
    expect(payment.late_charge_allocations).toMatchObject([{ amount: INTEREST }, { amount: COMPENSATION }]);
    expect((await read(`${invoice}/charges`)).items).toMatchObject([{ status: 'PAID' }, { status: 'PAID' }]);
    expect(await booked(invoice)).toEqual({ late_charge_income: -BOTH, unapplied_cash: BOTH });
    expect(await unequal()).toEqual([]);
  });

  it('pays the charges first where the platform says so, but for an invoice that is marked as paid', async () => {
    await world().sql(`update platforms set late_charge_order = 'CHARGES_FIRST'`);
    const [paid, marked] = [await late(), await late()];
    await claimed(paid);
    await claimed(marked);
    expect(await pay(paid, INTEREST + 1_000)).toMatchObject({
      late_charge_allocations: [{ amount: INTEREST }, { amount: 1_000 }],
      allocations: [],
    });
    await world().post(`/v1/invoices/${marked}/paid`, { received_by: 'PLATFORM' });
    await world().sql(`update platforms set late_charge_order = 'PRINCIPAL_FIRST'`);
    expect(await read(marked)).toMatchObject({
      status: 'CLOSED',
      late_charges: { outstanding_amount: BOTH },
    });
    expect(await unequal()).toEqual([]);
  });

  it('to the merchant may pay the charges too, and no more', async () => {
    const [own, financed] = [await late(), await late({ isFinanced: true })];
    for (const invoice of [own, financed]) {
      await claimed(invoice);
      expect(await pay(invoice, 1_000_000 + BOTH + 1, { received_by: 'MERCHANT' })).toMatchObject({
        reason: 'PAYMENT_EXCEEDS_OUTSTANDING',
      });
      await pay(invoice, 1_000_000 + BOTH, { received_by: 'MERCHANT' });
    }
    expect(await booked(own)).toEqual({});
    expect(await booked(financed)).toEqual({ late_charge_income: -BOTH, merchant_setoff: BOTH });
    expect(await unequal()).toEqual([]);
  });

  it('that is reversed is owed again, with the charges that it had paid', async () => {
    const invoice = await late({ isFinanced: true });
    await claimed(invoice);
    const { external_id } = await pay(invoice, 1_000_000 + BOTH);
    const { body } = await world().post(`/v1/invoices/${invoice}/payments/${external_id}/reverse`, {
      reason: 'Returned.',
    });
    expect(body).toMatchObject({ allocated_amount: 0, late_charge_allocations: [] });
    expect((await read(`${invoice}/charges`)).items).toMatchObject([
      { status: 'OPEN', outstanding_amount: INTEREST },
      { status: 'OPEN', outstanding_amount: COMPENSATION },
    ]);
    expect(await unequal()).toEqual([]);
  });

  it('that is applied later pays the charges of a closed invoice', async () => {
    const [from, to] = [await late(), await late({ isFinanced: true })];
    await pay(to, 1_000_000);
    await claimed(to);
    const { external_id } = await pay(from, 1_000_000 + 6_000);
    const application = { paymentExternalId: external_id, invoiceExternalId: to, amountMinor: null };
    const applied = await actAs(world(), 'fin', (context) =>
      applyPayment({ ...context, timeZone: 'UTC' }, application),
    );
    expect(applied).toMatchObject({ fault: null, amountMinor: 6_000 });
    expect((await read(`${to}/charges`)).items).toMatchObject([
      { status: 'PAID' },
      { status: 'OPEN', paid_amount: 6_000 - INTEREST },
    ]);
    await world().post(`/v1/invoices/${from}/payments/${external_id}/reverse`, { reason: 'Returned.' });
    expect((await read(to)).late_charges).toMatchObject({ outstanding_amount: BOTH });
    expect(await unequal()).toEqual([]);
  });
});

describe('a waiver', () => {
  it('gives up the rest of a charge, also after a payment of it is reversed', async () => {
    const invoice = await late({ isFinanced: true });
    const [interest] = (await claimed(invoice)).charges as [LateCharge];
    const { external_id } = await pay(invoice, 1_000_000 + 1_000);
    expect(await waive(interest.external_id)).toMatchObject({ status: 'WAIVED', outstanding_amount: 0 });
    expect(await booked(invoice)).toEqual({
      late_charge_receivable: COMPENSATION,
      late_charge_income: -(COMPENSATION + 1_000),
      unapplied_cash: 1_000,
    });
    await world().post(`/v1/invoices/${invoice}/payments/${external_id}/reverse`, { reason: 'Returned.' });
    expect((await read(`${invoice}/charges`)).items).toMatchObject([
      { status: 'WAIVED', waived_amount: INTEREST, outstanding_amount: 0 },
      { status: 'OPEN' },
    ]);
    expect(await unequal()).toEqual([]);
    await expect(waive(interest.external_id)).rejects.toMatchObject({ reason: 'INVALID_STATUS_TRANSITION' });
  });
});

describe('what is charged', () => {
  it('is each day once, on what was outstanding then', async () => {
    const invoice = await late();
    await pay(invoice, 400_000, { paid_at: NOW - 10 * DAY });
    // 10 days of EUR 10,000.00 until 10 November, 9 of EUR 6,000.00: (10,270,000 + 5,545,800) × 0.01 / 365 = 4,333.10.
    expect((await claimed(invoice)).charges[0]).toMatchObject({ amount: 4_333 });
    world().clock.set(NOW + 2 * DAY);
    // 20 and 21 November: 600,000 × 0.1027 × 2 / 365 = 337.64.
    expect((await claimed(invoice)).charges).toMatchObject([
      { kind: 'INTEREST', amount: 338, accrued_until: '2025-11-21' },
    ]);
  });

  // 2.15 + 8 = 10.15 %: 1,000,000 × 0.1015 × 19 / 365 = 5,283.56, so EUR 52.84.
  it('is by the article about public bodies where the buyer is one', async () => {
    world().clock.set(NOW);
    const invoice = await late();
    const use = async (country: string, legalForm: string) => {
      await world().sql(
        `update merchants set business_address = jsonb_set(business_address, '{country}', to_jsonb($1::text))`,
        [country],
      );
      await world().sql('update buyers set legal_form = $1', [legalForm]);
    };
    await use('FR', 'GOVERNMENT');
    const { charges } = await claimed(invoice, { kinds: ['INTEREST'] });
    await use('DE', 'LIMITED_COMPANY');
    expect(charges).toMatchObject([
      { amount: 5_284, computation: { source: 'Code de la commande publique, article R2192-31' } },
    ]);
  });

  it('stops at a day without a reference rate, and only the interest', async () => {
    const invoice = await late();
    world().clock.set(Date.parse('2026-07-03T12:00:00Z') / 1_000);
    const { charges, missing } = await claimed(invoice);
    expect(missing).toEqual(['The reference rate DE_BASE is not known for 2026-07-01.']);
    expect(charges).toMatchObject([{ kind: 'COMPENSATION' }]);
  });
});
