import { describe, expect, it } from 'vitest';
import { useInvoicing } from '#test/invoice-setup';
import { chargeLateInvoice, lateInvoiceBody } from '#test/late-charges';

const { create, world } = useInvoicing();
const noonOf = (day: string) => Date.parse(`${day}T12:00:00Z`) / 1_000;
const read = async (path: string) => (await world().get(`/v1/invoices/${path}`)).body;

/** An invoice of EUR 10,000.00 of a German merchant. Easter Monday is 6 April 2026. */
async function dueOnGoodFriday(external_id: string): Promise<void> {
  world().clock.set(noonOf('2026-03-01'));
  const body = { ...lateInvoiceBody(external_id), due_at: noonOf('2026-04-03') };
  expect((await create(body)).status).toBe(201);
}

async function claimOn(day: string, external_id: string) {
  world().clock.set(noonOf(day));
  return (await chargeLateInvoice(world(), external_id)).charges;
}

describe('an invoice that is due on Good Friday', () => {
  // Tuesday 7 April is in time. 8 to 19 April are 12 days: 1,000,000 × 0.1027 × 12 / 365 = 3,376.44, so EUR 33.76.
  it('is due from Saturday on, and is charged from the Wednesday after Easter on, which the charge explains', async () => {
    await dueOnGoodFriday('unpaid');
    world().clock.set(noonOf('2026-04-04'));
    await world().post('/v1/sandbox/clock', { advance_seconds: 1 });
    expect(await read('unpaid')).toMatchObject({ status: 'DUE', days_past_due: 1 });
    expect(await claimOn('2026-04-08', 'unpaid')).toEqual([]);
    await claimOn('2026-04-20', 'unpaid');
    const [interest, compensation] = (await read('unpaid/charges')).items;
    expect(interest).toMatchObject({
      ...{ kind: 'INTEREST', amount: 3_376 },
      computation: {
        source: 'BGB, section 288(2); BGB, section 193',
        lines: [{ from: '2026-04-08', to: '2026-04-19', days: 12, amount: 1_000_000 }],
      },
    });
    expect(compensation).toMatchObject({ kind: 'COMPENSATION', amount: 4_000 });
    const [later] = await claimOn('2026-04-21', 'unpaid');
    expect(later?.computation).toMatchObject({ source: 'BGB, section 288(2)', lines: [{ days: 1 }] });
  });

  it('bears neither interest nor compensation if it is paid on the Tuesday after Easter', async () => {
    await dueOnGoodFriday('paid');
    world().clock.set(noonOf('2026-04-07'));
    const payment = { amount: 1_000_000, received_by: 'PLATFORM', paid_at: noonOf('2026-04-07') };
    expect((await world().post('/v1/invoices/paid/payments', payment)).status).toBe(201);
    expect(await claimOn('2026-04-20', 'paid')).toEqual([]);
  });
});
