/** After 16 clients change 20 invoices of one facility concurrently, credit and ledger agree with the invoices. */
import { expect, it } from 'vitest';
import { invoiceEquations } from '#modules/invoices';
import { grossOf as gross, useInvoicing } from '#test/invoice-setup';
import { patience } from '#test/patience';
import { randomFrom } from '#test/random';
import type { Reply } from '#test/world';

const CLIENTS = 16;
const INVOICES = 20;
const STEPS = 12;

const { order, invoiceOf, world } = useInvoicing();

/** A sentence for each equation that does not hold. */
async function differences(): Promise<string[]> {
  const { db } = world().installation;
  const found = await Promise.all(
    invoiceEquations.map(({ check }) => check(db, world().platform.platform_id)),
  );
  return found.flat();
}

async function orderNow(): Promise<Pick<Reply, 'status' | 'body' | 'text'>> {
  await order({});
  return { status: 201, body: {}, text: '' };
}

const credit = (id: string, invoice: string, minor: number) =>
  world().post('/v1/credit_notes', {
    ...{ external_id: id, invoice_external_id: invoice, reason_code: 'RETURN' },
    ...gross(minor),
  });

/** Every refusal that a race can end with. */
const REFUSALS = [
  'INVALID_STATUS_TRANSITION',
  'PAYMENT_EXCEEDS_OUTSTANDING',
  'INVOICE_ALREADY_PAID',
  'INVOICE_ALREADY_REFUNDED',
  'PAYMENT_ALREADY_REVERSED',
  'CREDIT_NOTE_EXCEEDS_INVOICE',
  'INVOICE_NOT_CREDITABLE',
];

it(
  'pay, reverse, credit, refund and order at once, and nothing counts twice',
  async () => {
    const invoices: string[] = [];
    for (let nth = 0; nth < INVOICES; nth++) {
      const { body } = await invoiceOf([await order({})], gross(11_900));
      invoices.push(body.external_id);
    }
    // Every second one is financed and therefore a claim of the platform.
    const financed = invoices.filter((_, nth) => nth % 2 === 0);
    await world().sql('update invoices set is_financed = true where external_id = any($1)', [financed]);
    const payments: { invoice: string; id: string }[] = [];
    const client = async (nth: number) => {
      const random = randomFrom(nth + 1);
      for (let step = 0; step < STEPS; step++) {
        const invoice = random.pick(invoices);
        const path = `/v1/invoices/${invoice}`;
        const chance = random.below(100);
        const id = `payment-${nth}-${step}`;
        const reversed = payments[random.below(Math.max(1, payments.length))];
        const reply =
          chance < 50
            ? await world().post(`${path}/payments`, {
                external_id: id,
                amount: 1 + random.below(9_000),
                received_by: random.percent(70) ? 'PLATFORM' : 'MERCHANT',
              })
            : chance < 60
              ? await world().post(`${path}/paid`, { external_id: id, received_by: 'PLATFORM' })
              : chance < 80 && reversed
                ? await world().post(`/v1/invoices/${reversed.invoice}/payments/${reversed.id}/reverse`, {
                    reason: 'It bounced.',
                  })
                : chance < 85
                  ? await credit(id, invoice, 1 + random.below(3_000))
                  : chance < 88
                    ? await world().post(`${path}/refund`)
                    : await orderNow();
        if (reply.status >= 400) expect(REFUSALS, reply.text).toContain(reply.body.reason);
        else if (chance < 60) payments.push({ invoice, id });
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, nth) => client(nth)));
    expect(payments.length).toBeGreaterThan(CLIENTS);
    const booked = (await differences()).filter((sentence) => !sentence.includes('financed'));
    expect(booked).toEqual([]);
    // A financed invoice lacks the entry of its acceptance: its gross amount.
    const [receivable] = await world().sql<{ amount: string; owed: string }>(`
      select
        (select coalesce(sum(amount), 0) from ledger_lines where account = 'buyer_receivable')::bigint
          + (select coalesce(sum(amount_gross), 0) from invoices where is_financed)::bigint as amount,
        (select coalesce(sum(amount_gross - credited_amount - greatest(0, paid_amount - term_fee_gross)), 0)
          from invoices where is_financed and status <> 'CANCELLED')::bigint as owed`);
    expect(receivable?.amount).toBe(receivable?.owed);
    const twice = await world().sql(`
      select payment_id, count(*) from ledger_entries where cause = 'PAYMENT_RECORDED' group by 1 having count(*) > 1
      union all
      select reverses_entry::text, count(*) from ledger_entries where reverses_entry is not null group by 1 having count(*) > 1
      union all
      select resource_external_id || type, count(*) from events
      where type like 'INVOICE.PAYMENT.%' or type = 'CREDIT_NOTE.CREATED' group by 1 having count(*) > 1`);
    expect(twice).toEqual([]);
    // The paid amount of each instalment equals its allocations.
    const unequal = await world().sql(`
      select i.invoice_external_id from invoice_installments i
      cross join lateral (
        select coalesce(sum(fee_amount + goods_amount), 0) as allocated from payment_allocations a
        where a.platform_id = i.platform_id and a.invoice_external_id = i.invoice_external_id and a.installment = i.number
      ) a where a.allocated <> i.paid_amount`);
    expect(unequal).toEqual([]);
  },
  patience(120),
);
