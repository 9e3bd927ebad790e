/** `tradeline payment`: the amounts that buyers paid beyond their invoices, and the debts that these settle. */
import { beforeAll, describe, expect, it } from 'vitest';
import { applyPayment } from '#modules/invoices';
import { invoiceBody, merchantBody } from '#test/bodies';
import { runHere, settingsOf } from '#test/command';
import { grossOf, INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';
import { actAs, ensureOperator } from '#test/operators';
import { recordedEvents } from '#test/stored';

const WHY = ['--reason', 'Asked for by the buyer.'];
const { create, world } = useInvoicing();

let env: Record<string, string>;
let viewer: Record<string, string>;
beforeAll(async () => {
  const settings = await settingsOf(world());
  const keyOf = (id: string, role: 'VIEW' | 'FINANCE') => ensureOperator(world(), id, { role });
  env = { ...settings, TRADELINE_OPERATOR_KEY: await keyOf('fin', 'FINANCE') };
  viewer = { ...settings, TRADELINE_OPERATOR_KEY: await keyOf('vera', 'VIEW') };
  await world().post('/v1/merchants', merchantBody({ external_id: 'third' }));
});

const run = (args: string[], as = env) => runHere(['payment', ...args], as);
const apply = (payment: string, invoice: string, ...more: string[]) =>
  run(['apply', '--payment', payment, '--invoice', invoice, ...more, ...WHY]);
const refusedWith = (sentence: string) => ({ code: 1, stdout: '', stderr: `${sentence}\n` });

let made = 0;
async function invoice(more: object = {}): Promise<string> {
  const external_id = `claim-${++made}`;
  const body = invoiceBody({ external_id, buyer_external_id: 'buyer', due_at: NOW + 864_000, ...more });
  expect((await create(body)).status).toBe(201);
  return external_id;
}

/** A payment to the platform that exceeds an invoice of 100.00 by this much. */
async function overpaid(beyondMinor: number, more: object = {}): Promise<string> {
  const on = await invoice({ ...grossOf(10_000), ...more });
  const external_id = `pay-${on}`;
  const body = { external_id, amount: 10_000 + beyondMinor, received_by: 'PLATFORM' };
  expect((await world().post(`/v1/invoices/${on}/payments`, body)).status).toBe(201);
  return external_id;
}

const read = async (externalId: string) => (await world().get(`/v1/invoices/${externalId}`)).body;

describe('tradeline payment list', () => {
  it('lists what is unapplied, by buyer', async () => {
    expect((await run(['list'])).stdout).toBe('There is no unapplied cash.\n');
    const ofStranger = await overpaid(700, { buyer_external_id: 'stranger' });
    const ofBuyer = await overpaid(1_250);
    const { stdout } = await run(['list']);
    expect(stdout.split('\n').map((line) => line.split(/ +/).slice(0, 4))).toEqual([
      ['buyer', 'unapplied', 'currency', 'payment'],
      ['buyer', '12.50', 'EUR', ofBuyer],
      ['stranger', '7.00', 'EUR', ofStranger],
      [''],
    ]);
    const json = JSON.parse((await run(['list', '--buyer', 'stranger', '--json'])).stdout);
    expect(json).toMatchObject([{ external_id: ofStranger, unapplied_amount: 700, amount: 10_700 }]);
    expect((await run(['list', '--buyer', 'a b'])).code).toBe(2);
  });
});

describe('tradeline payment apply', () => {
  it('settles another invoice of the buyer, and is audited', async () => {
    const payment = await overpaid(3_000);
    const open = await invoice(grossOf(5_000));
    expect(await apply(payment, open)).toMatchObject({
      code: 0,
      stdout: `30.00 EUR of the payment ${payment} settle the invoice ${open}, which is OPEN and owes 20.00 EUR.\n`,
    });
    expect(await read(open)).toMatchObject({ paid_amount: 3_000, outstanding_amount: 2_000 });
    expect((await recordedEvents(world(), open)).map(({ type }) => type)).toEqual([
      'INVOICE.CREATED',
      'INVOICE.UPDATED',
    ]);
    const [stored] = await world().sql(
      'select allocated_amount::int, amount::int from invoice_payments where external_id = $1',
      [payment],
    );
    expect(stored).toEqual({ allocated_amount: 13_000, amount: 13_000 });
    const audit = await runHere(['audit', 'list', '--json'], env);
    expect(JSON.parse(audit.stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      ...{ actor: 'operator:fin', action: 'PAYMENT_APPLIED', subject: `payment ${payment}`, reason: WHY[1] },
      details: { invoice: open, amount: 3_000, currency: 'EUR' },
    });
  });

  it('applies the amount that it is told, and closes an invoice of another merchant', async () => {
    const payment = await overpaid(3_000);
    const open = await invoice({ ...grossOf(2_000), merchant_external_id: 'third' });
    expect((await apply(payment, open, '--amount', '5.00')).code).toBe(0);
    expect(await read(open)).toMatchObject({ status: 'OPEN', outstanding_amount: 1_500 });
    expect(JSON.parse((await apply(payment, open, '--json')).stdout)).toEqual({
      ...{ payment, invoice: open, amount: 1_500, currency: 'EUR' },
      ...{ invoice_status: 'CLOSED', outstanding_amount: 0 },
    });
    expect(await read(open)).toMatchObject({ status: 'CLOSED', paid_at: NOW });
    const { body } = await world().get(`/v1/invoices/${payment.slice(4)}/payments`);
    expect(body.items).toMatchObject([{ unapplied_amount: 1_000, allocated_amount: 12_000 }]);
  });

  it('is taken back by the reversal of the payment', async () => {
    const payment = await overpaid(3_000);
    const open = await invoice(grossOf(3_000));
    expect((await apply(payment, open)).stdout).toMatch(/which is CLOSED and owes 0\.00 EUR/);
    const path = `/v1/invoices/${payment.slice(4)}/payments/${payment}/reverse`;
    expect((await world().post(path, { reason: 'It bounced.' })).status).toBe(200);
    expect(await read(open)).toMatchObject({ outstanding_amount: 3_000 });
    expect(await apply(payment, open)).toMatchObject(
      refusedWith(
        `The payment ${payment} has no unapplied cash: tradeline payment list shows the payments that have some.`,
      ),
    );
  });

  it('applies a payment once where two operators apply it at the same time', async () => {
    const payment = await overpaid(3_000);
    const invoices = [await invoice(grossOf(3_000)), await invoice(grossOf(3_000))];
    await ensureOperator(world(), 'flo', { role: 'FINANCE' });
    const applied = await Promise.all(
      invoices.map((invoiceExternalId, index) =>
        actAs(world(), index === 0 ? 'fin' : 'flo', (context) =>
          applyPayment(
            { ...context, timeZone: 'UTC' },
            { paymentExternalId: payment, invoiceExternalId, amountMinor: 3_000 },
          ),
        ),
      ),
    );
    expect(applied.map(({ fault }) => fault).sort()).toEqual(['NOTHING_UNAPPLIED', null]);
    const owed = await Promise.all(invoices.map(async (id) => (await read(id)).outstanding_amount));
    expect(owed.sort()).toEqual([0, 3_000]);
  });

  describe('refuses with one sentence, and changes nothing', () => {
    const refusals: [string, (payment: string) => Promise<{ args: string[]; sentence: string }>][] = [
      [
        'more than is there',
        async (payment) => ({
          args: [payment, await invoice(), '--amount', '30.01'],
          sentence: `Only 30.00 EUR of the payment ${payment} are unapplied.`,
        }),
      ],
      [
        'more than is owed',
        async (payment) => {
          const open = await invoice(grossOf(1_000));
          return {
            args: [payment, open, '--amount', '10.01'],
            sentence: `Only 10.00 EUR of the invoice ${open} are still owed.`,
          };
        },
      ],
      [
        'an invoice of another buyer',
        async (payment) => {
          const other = await invoice({ buyer_external_id: 'stranger' });
          return {
            args: [payment, other],
            sentence: `The payment ${payment} belongs to the buyer buyer, but the invoice ${other} to stranger.`,
          };
        },
      ],
      [
        'an invoice in another currency',
        async (payment) => {
          const other = await invoice({
            amount: { net: 1_000, gross: 1_000, currency: 'GBP' },
            line_items: [],
          });
          return {
            args: [payment, other],
            sentence: `The payment ${payment} is in EUR, but the invoice ${other} is in GBP.`,
          };
        },
      ],
      [
        'a cancelled invoice',
        async (payment) => {
          const gone = await invoice();
          await world().post(`/v1/invoices/${gone}/refund`);
          return {
            args: [payment, gone],
            sentence: `The invoice ${gone} is CANCELLED: nothing is owed on it.`,
          };
        },
      ],
      [
        'a paid invoice',
        async (payment) => {
          const paid = await invoice();
          await world().post(`/v1/invoices/${paid}/paid`);
          return { args: [payment, paid], sentence: `The invoice ${paid} is CLOSED: nothing is owed on it.` };
        },
      ],
      [
        'an unknown payment',
        async () => ({ args: ['nothing', await invoice()], sentence: 'There is no payment nothing.' }),
      ],
      [
        'an unknown invoice',
        async (payment) => ({ args: [payment, 'nothing'], sentence: 'There is no invoice nothing.' }),
      ],
    ];
    it.each(refusals)('%s', async (_, prepare) => {
      const payment = await overpaid(3_000);
      const { args, sentence } = await prepare(payment);
      const [of = '', on = '', ...more] = args;
      expect(await apply(of, on, ...more)).toMatchObject(refusedWith(sentence));
      const { body } = await world().get(`/v1/invoices/${payment.slice(4)}/payments`);
      expect(body.items).toMatchObject([{ unapplied_amount: 3_000 }]);
    });

    it('money that the merchant received', async () => {
      const on = await invoice(grossOf(10_000));
      await world().post(`/v1/invoices/${on}/payments`, { external_id: `to-merchant`, amount: 5_000 });
      const { stderr } = await apply('to-merchant', await invoice());
      expect(stderr).toMatch(/^The payment to-merchant has no unapplied cash/);
    });
  });

  it.each([
    [['--invoice', 'x', ...WHY], '--payment is required'],
    [['--payment', 'x', ...WHY], '--invoice is required'],
    [['--payment', 'x', '--invoice', 'y'], '--reason is required'],
  ])('with %j says what it misses', async (args, sentence) => {
    expect(await run(['apply', ...args])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(sentence),
    });
  });

  it.each(['0.00', '5', '-1.00', '1.005', '1E2'])('refuses the amount %s', async (amount) => {
    const payment = await overpaid(500);
    expect(await apply(payment, await invoice(), `--amount=${amount}`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--amount must be'),
    });
  });

  it('needs the role FINANCE', async () => {
    const args = ['apply', '--payment', await overpaid(500), '--invoice', await invoice(), ...WHY];
    expect((await run(args, viewer)).stderr).toMatch(/VIEW/);
  });
});
