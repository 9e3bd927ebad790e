/** Waiting lines become payouts: on which day, of what amount, to which account, and only once. */
import { describe, expect, it } from 'vitest';
import { balancesOf } from '#test/balances';
import { act } from '#test/credit';
import { addPayee, owe, PAYING_NOW, unbookAdvance, usePayouts } from '#test/payouts';
import { recordedEvents } from '#test/stored';
import { findPayoutDateCheck, removePayoutLines } from './payout-lines.ts';

const DAY = 86_400;
/** Wednesday 4 March: two business days later. */
const WEDNESDAY = PAYING_NOW + 1.5 * DAY;
const payouts = usePayouts();
const { world, merchant, merchantWithoutAccount, advance, invoice, payoutsOf } = payouts;

/** Each test has its own weeks. */
let started = PAYING_NOW;
function nextMonday(): number {
  started += 7 * DAY;
  world().clock.set(started);
  return started;
}
const wednesdayAfter = (monday: number) => monday + WEDNESDAY - PAYING_NOW;

describe('payouts', () => {
  it('are formed on the earliest business day, with all advances of the merchant', async () => {
    const monday = nextMonday();
    const id = await merchant();
    await advance(id, { amountMinor: 10_000 });
    await advance(id, { amountMinor: 2_500 });
    await payouts.until(wednesdayAfter(monday) - 1);
    expect(await payoutsOf(id)).toEqual([]);
    const made = await payouts.until(wednesdayAfter(monday));
    const [payout, ...others] = await payoutsOf(id);
    expect(others).toEqual([]);
    expect(payout).toMatchObject({
      ...{ status: 'SCHEDULED', amount: 12_500, currency: 'EUR', scheme: 'SEPA', scheduled_on: '2026-03-11' },
      ...{
        payout_instruction_external_id: `${id}-account`,
        created_at: wednesdayAfter(monday),
        paid_at: null,
      },
      end_to_end_id: payout.external_id.replaceAll('-', '').toUpperCase(),
    });
    expect(made.map(({ externalId }) => externalId)).toContain(payout.external_id);
    expect(
      (await recordedEvents(world(), payout.external_id)).map(({ type, data }) => [type, data.amount]),
    ).toEqual([['PAYOUT.SCHEDULED', 12_500]]);
    const { body } = await world().get(`/v1/payouts/${payout.external_id}`);
    expect(
      body.advances
        .map(({ amount, fee_net, fee_tax }: Record<string, number>) => [amount, fee_net, fee_tax])
        .sort(),
    ).toEqual([
      [10_000, 100, 19],
      [2_500, 100, 19],
    ]);
  });

  it('are one for each currency, to the account of its scheme, on its own business days', async () => {
    const monday = nextMonday();
    const id = await merchant();
    const pounds = {
      ...{ type: 'FPS', external_id: `${id}-pounds`, iban: undefined, bic: undefined },
      ...{ sort_code: '601613', account_number: '31926819' },
    };
    world().clock.set(monday - 3 * DAY);
    await addPayee(world(), id, pounds);
    world().clock.set(monday);
    await advance(id);
    await advance(id, { currency: 'GBP', amountMinor: 700 });
    await payouts.until(wednesdayAfter(monday));
    const found = await payoutsOf(id);
    expect(
      found.map(({ scheme, currency, amount }: Record<string, unknown>) => [scheme, currency, amount]).sort(),
    ).toEqual([
      ['FPS', 'GBP', 700],
      ['SEPA', 'EUR', 10_000],
    ]);
  });

  it('are not formed on a day that an operator has added to the calendar', async () => {
    const monday = nextMonday();
    const id = await merchant();
    await world().sql(
      `insert into bank_holidays (platform_id, currency, day, reason, added_at, added_by)
       values (1, 'EUR', '2026-03-25', 'Strike', 0, 'operator:fin')`,
    );
    await advance(id);
    await payouts.until(wednesdayAfter(monday));
    expect(await payoutsOf(id)).toEqual([]);
    await payouts.until(wednesdayAfter(monday) + DAY);
    expect(await payoutsOf(id)).toMatchObject([{ scheduled_on: '2026-03-26' }]);
  });

  it('wait while the merchant has no verified account, and go to the first one', async () => {
    const monday = nextMonday();
    const id = await merchantWithoutAccount();
    await advance(id);
    await payouts.until(wednesdayAfter(monday) + DAY);
    expect(await payoutsOf(id)).toEqual([]);
    await addPayee(world(), id);
    // Over Easter: Good Friday and Easter Monday are not business days.
    await payouts.until(monday + 7.5 * DAY - 1);
    expect(await payoutsOf(id)).toEqual([]);
    await payouts.until(monday + 7.5 * DAY);
    started += 7 * DAY;
    expect(await payoutsOf(id)).toMatchObject([{ scheduled_on: '2026-04-07', amount: 10_000 }]);
  });

  it('have what the merchant wished for as their day', async () => {
    const monday = nextMonday();
    const id = await merchant();
    await advance(id, { requestedAt: monday + 4 * DAY });
    await payouts.until(monday + 3.5 * DAY - 1);
    expect(await payoutsOf(id)).toEqual([]);
    await payouts.until(monday + 4 * DAY);
    expect((await payoutsOf(id)).length).toBe(1);
  });
});

describe('money that buyers paid for invoices that are not financed', () => {
  it('is paid out as soon as business days allow, and taken back from the next payout when it bounces', async () => {
    const monday = nextMonday();
    const id = await merchant();
    const paid = await invoice(id);
    await world().post(`/v1/invoices/${paid}/payments`, {
      external_id: `p-${id}`,
      amount: 11_900,
      received_by: 'PLATFORM',
    });
    await payouts.until(monday + 5 * DAY);
    const [payout] = await payoutsOf(id);
    expect(payout).toMatchObject({ amount: 11_900, status: 'SCHEDULED' });
    const { body } = await world().get(`/v1/payouts/${payout.external_id}`);
    expect(body.collections).toEqual([{ invoice_external_id: paid, amount: 11_900 }]);
    expect(await balancesOf(world(), { invoice: paid })).toEqual([
      'bank main: 11900',
      'payout_clearing: -11900',
    ]);
    await world().post(`/v1/invoices/${paid}/payments/p-${id}/reverse`, { reason: 'Bounced' });
    await advance(id, { amountMinor: 20_000 });
    await payouts.until(monday + 12 * DAY);
    started += 7 * DAY;
    const later = (await payoutsOf(id)).at(-1);
    expect(later.amount).toBe(20_000 - 11_900);
  });
});

describe('debts of a merchant', () => {
  it('are deducted, and what exceeds the payout is carried over to the next one', async () => {
    const monday = nextMonday();
    const id = await merchant();
    await owe(world(), id, 13_000);
    const service = await advance(id);
    await payouts.until(wednesdayAfter(monday));
    const [payout] = await payoutsOf(id);
    expect(payout).toMatchObject({ amount: 0, status: 'PAID', paid_at: wednesdayAfter(monday) });
    expect((await recordedEvents(world(), payout.external_id)).map(({ type }) => type)).toEqual([
      'PAYOUT.SCHEDULED',
      'PAYOUT.PAID',
    ]);
    const [row] = await world().sql(`select status from invoice_services where external_id = $1`, [service]);
    expect(row).toEqual({ status: 'PAID_OUT' });
    await advance(id);
    await payouts.until(monday + 6 * DAY);
    const [, next] = await payoutsOf(id);
    expect(next.amount).toBe(7_000);
    expect((await world().get(`/v1/payouts/${next.external_id}`)).body.set_off_amount).toBe(3_000);
  });

  it('that were overpaid are paid back', async () => {
    const monday = nextMonday();
    const id = await merchant();
    await owe(world(), id, -500);
    await advance(id);
    await payouts.until(wednesdayAfter(monday));
    expect(await payoutsOf(id)).toMatchObject([{ amount: 10_500 }]);
  });

  it('that were overpaid are paid back, by themselves where nothing else waits', async () => {
    const monday = nextMonday();
    const [id, owing] = [await merchant(), await merchant()];
    await owe(world(), id, -500);
    await owe(world(), owing, 700);
    await payouts.until(wednesdayAfter(monday));
    const [payout, ...others] = await payoutsOf(id);
    expect([payout, others]).toMatchObject([{ amount: 500, status: 'SCHEDULED', currency: 'EUR' }, []]);
    const detail = await world().get(`/v1/payouts/${payout.external_id}`);
    expect(detail.body).toMatchObject({ advances: [], collections: [], set_off_amount: -500 });
    expect(await payoutsOf(owing)).toEqual([]);
    await payouts.until(wednesdayAfter(monday) + 2 * DAY);
    expect((await payoutsOf(id)).length).toBe(1);
  });
});

describe('a service that is cancelled', () => {
  it('takes its advance back: its payout is cancelled, and formed again without it', async () => {
    const monday = nextMonday();
    const id = await merchant();
    const cancelled = await advance(id);
    await advance(id, { amountMinor: 300 });
    await payouts.until(wednesdayAfter(monday));
    await act(world(), async (context) => {
      await removePayoutLines(context, [cancelled]);
      await unbookAdvance(context, 10_000);
    });
    await payouts.until(wednesdayAfter(monday) + DAY);
    expect(
      (await payoutsOf(id)).map(({ status, amount }: Record<string, unknown>) => [status, amount]),
    ).toEqual([
      ['CANCELLED', 10_300],
      ['SCHEDULED', 300],
    ]);
  });

  it('is refused once the bank is instructed', async () => {
    const monday = nextMonday();
    const id = await merchant();
    const service = await advance(id);
    await payouts.until(wednesdayAfter(monday));
    const [{ external_id }] = await payoutsOf(id);
    await world().post('/v1/sandbox/payouts', { external_id, trigger: 'instruct' });
    await expect(act(world(), (context) => removePayoutLines(context, [service]))).rejects.toMatchObject({
      ...{ reason: 'INVALID_STATUS_TRANSITION', details: { status: 'INSTRUCTED' } },
    });
  });
});

describe('at once', () => {
  it('ten workers form each payout once', async () => {
    const monday = nextMonday();
    const ids = await Promise.all(Array.from({ length: 6 }, () => merchant()));
    for (const id of ids) for (let nth = 0; nth < 3; nth++) await advance(id, { amountMinor: 100 });
    await Promise.all(Array.from({ length: 10 }, () => payouts.until(wednesdayAfter(monday))));
    for (const id of ids) expect(await payoutsOf(id)).toMatchObject([{ amount: 300 }]);
  });
});

describe('the day that a request names', () => {
  it('is checked by the calendar of the currency and the settings of the platform', async () => {
    const monday = nextMonday();
    const check = (at: number) =>
      act(world(), async (context) => (await findPayoutDateCheck(context))('EUR', at));
    expect(await check(monday + DAY)).toMatchObject({ reason: 'PAYOUT_DATE_TOO_EARLY' });
    expect(await check(monday + 5 * DAY)).toMatchObject({ reason: 'PAYOUT_DATE_NOT_BUSINESS_DAY' });
    expect(await check(monday + 2 * DAY)).toBeNull();
  });
});

describe('DELETE /v1/payout_instructions/{external_id}', () => {
  it('409: refuses an account to which a payout is under way, until it is paid', async () => {
    const monday = nextMonday();
    const id = await merchant();
    await advance(id);
    await payouts.until(wednesdayAfter(monday));
    const remove = () => world().delete(`/v1/payout_instructions/${id}-account`);
    expect(await remove()).toMatchObject({
      status: 409,
      body: { reason: 'PAYOUT_SCHEDULED', details: { payouts: 1 } },
    });
    const [{ external_id }] = await payoutsOf(id);
    for (const trigger of ['instruct', 'confirm'])
      expect((await world().post('/v1/sandbox/payouts', { external_id, trigger })).status).toBe(200);
    expect((await remove()).status).toBe(200);
  });
});
