import { afterEach, describe, expect, it } from 'vitest';
import { balancesOf } from '#test/balances';
import { creditNoteBody } from '#test/credit-notes';
import { grossOf as gross, useInvoicing } from '#test/invoice-setup';

const { order, invoiceOf, world } = useInvoicing();
const paidBy = (payer: 'BUYER' | 'MERCHANT') =>
  world().sql('update platforms set term_fee_payer = $1', [payer]);
afterEach(() => paidBy('BUYER'));

const NONE = { net: 0, gross: 0, tax: 0, currency: 'EUR' };
const read = async (path: string) => (await world().get(path)).body;

/** An order over 119.00 whose merchant pays the fee, and the fee. */
async function ordered(more: object = {}) {
  await paidBy('MERCHANT');
  const of = await order(more);
  await paidBy('BUYER');
  const { fee, merchant_fee } = (await read(`/v1/orders/${of}`)).term;
  return { of, fee, agreed: merchant_fee as { net: number; tax: number; gross: number } };
}

describe('a platform whose merchants pay the fees of payment terms', () => {
  it("offers each term with the fee that the buyer would pay, as the merchant's", async () => {
    const terms = async () =>
      (await read('/v1/buyers/buyer/payment_terms?gross_amount=11900')).payment_terms as {
        fee: object;
        merchant_fee: object;
      }[];
    const before = await terms();
    await paidBy('MERCHANT');
    expect(await terms()).toEqual(
      before.map((term) => ({ ...term, fee: term.merchant_fee, merchant_fee: term.fee })),
    );
    expect(before.some(({ fee }) => JSON.stringify(fee) !== '{"net":0,"tax":0,"gross":0}')).toBe(true);
  });

  it('claims no fee of the buyer, and books it against the next payout of the merchant', async () => {
    const { of, fee, agreed } = await ordered({ payment_term: 'SPLIT_3M' });
    expect(fee).toEqual({ net: 0, tax: 0, gross: 0 });
    expect(agreed.gross).toBeGreaterThan(0);
    const { body } = await invoiceOf([of], gross(11_900));
    expect(body).toMatchObject({
      term_fee: NONE,
      merchant_term_fee: { ...agreed, currency: 'EUR' },
      outstanding_amount: 11_900,
      installments: [{ amount: 3_968, term_fee: 0 }, { amount: 3_966 }, { amount: 3_966 }],
    });
    expect(await balancesOf(world(), { invoice: body.external_id })).toEqual([
      ...(agreed.tax === 0 ? [] : [`fee_tax S: ${-agreed.tax}`]),
      `merchant_setoff merchant: ${agreed.gross}`,
      `term_fee_income: ${-agreed.net}`,
    ]);
  });

  it("is paid by its goods alone, all of which are the merchant's money", async () => {
    const { of, agreed } = await ordered();
    const { body } = await invoiceOf([of], gross(11_900));
    const path = `/v1/invoices/${body.external_id}`;
    await world().post(`${path}/payments`, { amount: 11_900, received_by: 'PLATFORM' });
    expect(await read(path)).toMatchObject({ status: 'CLOSED', paid_amount: 11_900, outstanding_amount: 0 });
    expect(await balancesOf(world(), { invoice: body.external_id })).toEqual(
      expect.arrayContaining([
        'bank main: 11900',
        'merchant_payable merchant: -11900',
        `merchant_setoff merchant: ${agreed.gross}`,
      ]),
    );
  });

  it('divides the fee among the invoices of an order, and gives back the part of a cancelled one', async () => {
    const { of, agreed } = await ordered();
    const parts = [4_000, 4_000, 3_900];
    const invoices = [];
    for (const minor of parts) invoices.push((await invoiceOf([of], gross(minor))).body);
    const sum = invoices.reduce((total, { merchant_term_fee }) => total + merchant_term_fee.gross, 0);
    expect(sum).toBe(agreed.gross);
    const [{ external_id, amount }] = invoices;
    const note = { external_id: `note-${external_id}`, invoice_external_id: external_id };
    await world().post('/v1/credit_notes', creditNoteBody({ ...note, ...gross(amount.gross) }));
    expect((await read(`/v1/invoices/${external_id}`)).status).toBe('CANCELLED');
    expect(await balancesOf(world(), { invoice: external_id })).toEqual([]);
  });

  it('keeps what was agreed with each order, also where one invoice takes both kinds', async () => {
    const { of, agreed } = await ordered();
    const other = await order();
    const { fee } = (await read(`/v1/orders/${other}`)).term;
    expect(fee.gross).toBeGreaterThan(0);
    const { body } = await invoiceOf([of, other], gross(23_800));
    expect(body).toMatchObject({
      term_fee: { ...fee, currency: 'EUR' },
      merchant_term_fee: { ...agreed, currency: 'EUR' },
      outstanding_amount: 23_800 + fee.gross,
    });
    expect(await balancesOf(world(), { invoice: body.external_id })).toEqual([
      ...(fee.tax + agreed.tax === 0 ? [] : [`fee_tax S: ${-fee.tax - agreed.tax}`]),
      `merchant_setoff merchant: ${agreed.gross}`,
      `term_fee_income: ${-fee.net - agreed.net}`,
      `term_fee_receivable buyer: ${fee.gross}`,
    ]);
  });
});
