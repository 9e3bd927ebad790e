import { expect, it } from 'vitest';
import { invoiceBody } from '#test/bodies';
import { grossOf, useInvoicing } from '#test/invoice-setup';

const { create, world } = useInvoicing();

const PAYMENTS = 60;
/** The payments of one invoice wait for each other: the last of 60 would exceed its time limit on a busy machine. */
const TOGETHER = 10;

interface Account {
  entries: { balance: number }[];
  closing_balance: number;
  open_invoices: { outstanding: number }[];
}

it('a statement adds up while payments are recorded', async () => {
  await create(invoiceBody({ external_id: 'paid', buyer_external_id: 'buyer', ...grossOf(100_000) }));
  const read = async () => (await world().get('/v1/buyers/buyer/statement')).body.accounts[0] as Account;
  const pay = (nth: number) =>
    world().post('/v1/invoices/paid/payments', { external_id: `payment-${nth}`, amount: 1 });
  for (let first = 0; first < PAYMENTS; first += TOGETHER) {
    const made = Array.from({ length: TOGETHER }, (_, nth) =>
      Promise.all([pay(first + nth), read(), read()]),
    );
    for (const [paid, ...accounts] of await Promise.all(made)) {
      expect(paid.status).toBe(201);
      for (const { entries, closing_balance: closing, open_invoices: open } of accounts)
        expect([entries.at(-1)?.balance, open[0]?.outstanding]).toEqual([closing, closing]);
    }
  }
});
