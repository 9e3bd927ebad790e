import { describe, expect, it } from 'vitest';
import { balancesOf } from '#test/balances';
import { invoiceBody } from '#test/bodies';
import { facilityOf } from '#test/facilities';
import { grossOf as gross, INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';

const { create, order, invoiceOf, world } = useInvoicing();

const refund = (invoice: string) => world().post(`/v1/invoices/${invoice}/refund`);
const pay = (invoice: string, amount: number, more: object = {}) =>
  world().post(`/v1/invoices/${invoice}/payments`, { amount, ...more });
const readOrder = async (id: string) => (await world().get(`/v1/orders/${id}`)).body;

describe('POST /v1/invoices/{external_id}/refund', () => {
  describe('200', () => {
    it('cancels an open invoice, whose order reserves the credit again and can be invoiced again', async () => {
      const of = await order({});
      const before = await facilityOf(world(), 'buyer');
      const { body: made } = await invoiceOf([of], gross(11_900));
      const { status, body } = await refund(made.external_id);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        status: 'CANCELLED',
        outstanding_amount: 0,
        credit_used: 0,
        paid_at: null,
      });
      expect(await facilityOf(world(), 'buyer')).toMatchObject({
        used_amount: before.used_amount,
        pending_orders_amount: before.pending_orders_amount,
      });
      // The claim of the fee is gone too.
      expect(await balancesOf(world(), { invoice: made.external_id })).toEqual([]);
      expect((await invoiceOf([of], gross(11_900))).status).toBe(201);
    });

    it('gives back what was used of each of its orders', async () => {
      const orders = [await order({}), await order({})];
      const { body: made } = await invoiceOf(orders, gross(23_800));
      const fee = made.term_fee.gross;
      await pay(made.external_id, fee + 11_900 + 900);
      await refund(made.external_id);
      const reserved = await world().sql<{ reserved_amount: string }>(
        'select reserved_amount from orders where external_id = any($1) order by external_id',
        [orders],
      );
      expect(reserved.map((row) => Number(row.reserved_amount))).toEqual([0, 11_000]);
    });

    it('makes what the platform received the money of the buyer, and leaves a closed order closed', async () => {
      const of = await order({});
      const { body: made } = await invoiceOf([of], gross(11_900));
      const claim = made.outstanding_amount;
      await pay(made.external_id, claim, { received_by: 'PLATFORM', external_id: 'given-back' });
      expect((await refund(made.external_id)).body).toMatchObject({ status: 'CANCELLED', paid_amount: 0 });
      expect(await balancesOf(world(), { invoice: made.external_id })).toEqual([
        `bank main: ${claim}`,
        `unapplied_cash buyer: ${-claim}`,
      ]);
      const { items } = (await world().get(`/v1/invoices/${made.external_id}/payments`)).body;
      expect(items[0]).toMatchObject({ unapplied_amount: claim, allocations: [] });
      expect((await readOrder(of)).status).toBe('CLOSED');
      expect(
        await world().sql('select 1 from paid_invoice_reversals where invoice_external_id = $1', [
          made.external_id,
        ]),
      ).toHaveLength(1);
    });

    it('leaves what the merchant received to the merchant', async () => {
      await create(invoiceBody({ external_id: 'merchants-own' }));
      await pay('merchants-own', 11_900);
      await refund('merchants-own');
      expect(await balancesOf(world(), { invoice: 'merchants-own' })).toEqual([]);
    });

    it('charges the merchant for a financed invoice', async () => {
      await create(invoiceBody({ external_id: 'financed' }));
      await world().sql(`update invoices set is_financed = true where external_id = 'financed'`);
      await pay('financed', 900, { received_by: 'PLATFORM' });
      await refund('financed');
      expect(await balancesOf(world(), { invoice: 'financed' })).toEqual([
        'bank main: 900',
        'buyer_receivable buyer: -11900',
        'merchant_setoff merchant: 11900',
        'unapplied_cash buyer: -900',
      ]);
    });
  });

  it('404: an unknown invoice', async () => {
    expect((await refund('unknown')).status).toBe(404);
  });

  describe('409', () => {
    it('INVOICE_ALREADY_REFUNDED: also the second of two at once', async () => {
      await create(invoiceBody({ external_id: 'twice' }));
      const answers = await Promise.all([refund('twice'), refund('twice')]);
      expect(answers.map(({ status, body }) => body.reason ?? status).sort()).toEqual([
        200,
        'INVOICE_ALREADY_REFUNDED',
      ]);
    });

    it('INVOICE_HAS_ACTIVE_SERVICE', async () => {
      await create(invoiceBody({ external_id: 'served', due_at: NOW }));
      await world().sql(`update invoices set active_services = 1 where external_id = 'served'`);
      expect((await refund('served')).body.reason).toBe('INVOICE_HAS_ACTIVE_SERVICE');
    });
  });
});
