import { afterEach, describe, expect, it } from 'vitest';
import { INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';
import { chargeLateInvoice, lateInvoiceBody } from '#test/late-charges';

const DAY = 86_400;
const { create, world } = useInvoicing();
afterEach(() => world().clock.set(NOW));

/** An invoice of EUR 10,000.00 that was due on 31 October 2025. On 20 November it is disputed. */
async function disputed(external_id: string, amount: number): Promise<string> {
  await create(lateInvoiceBody(external_id));
  return dispute(external_id, `${external_id}-first`, amount);
}

async function dispute(of: string, external_id: string, amount: number): Promise<string> {
  const path = `/v1/invoices/${of}/disputes`;
  const { status } = await world().post(path, { external_id, reason: 'DAMAGED', amount });
  expect(status).toBe(201);
  return `${path}/${external_id}`;
}

/** The lines of the interest claimed `days` days after 20 November: days, amount and interest. */
async function interestAfter(days: number, invoiceExternalId: string) {
  world().clock.set(NOW + days * DAY);
  const { charges } = await chargeLateInvoice(world(), invoiceExternalId, { kinds: ['INTEREST'] });
  return charges.flatMap(({ computation }) =>
    computation.lines.map(({ from, to, amount, interest }) => [from, to, amount, interest]),
  );
}

describe('interest of a disputed invoice', () => {
  it('is on what is not disputed, and on all of it from the day of a rejection on', async () => {
    const path = await disputed('rejected', 400_000);
    // 1,000,000 × 0.1027 × 19 / 365 = 5,346.03: the days before the dispute.
    expect(await interestAfter(0, 'rejected')).toEqual([['2025-11-01', '2025-11-19', 1_000_000, 5_346]]);
    // 600,000 × 0.1027 × 11 / 365 = 1,857.04.
    expect(await interestAfter(11, 'rejected')).toEqual([['2025-11-20', '2025-11-30', 600_000, 1_857]]);
    expect((await world().post(`${path}/reject`, { comment: 'All was whole.' })).status).toBe(200);
    expect((await world().get(path)).body).toMatchObject({ decided_on: '2025-12-01' });
    // 1,000,000 × 0.1027 × 10 / 365 = 2,813.70: none for the days of the dispute.
    expect(await interestAfter(21, 'rejected')).toEqual([['2025-12-01', '2025-12-10', 1_000_000, 2_814]]);
  });

  it('knows the days of a dispute that was withdrawn before the claim', async () => {
    const path = await disputed('withdrawn', 400_000);
    world().clock.set(NOW + 5 * DAY);
    await world().post(`${path}/withdraw`);
    expect(await interestAfter(11, 'withdrawn')).toEqual([
      ['2025-11-01', '2025-11-19', 1_000_000, 5_346],
      // 600,000 × 0.1027 × 5 / 365 = 844.11; with the days before 6,190.14.
      ['2025-11-20', '2025-11-24', 600_000, 844],
      // 1,000,000 × 0.1027 × 6 / 365 = 1,688.22; in all 7,878.36.
      ['2025-11-25', '2025-11-30', 1_000_000, 1_688],
    ]);
  });

  it('is never on what is credited, also not on the day of the decision', async () => {
    const path = await disputed('accepted', 500_000);
    world().clock.set(NOW + 4 * DAY);
    const amount = { net: 300_000, gross: 300_000 };
    expect((await world().post(`${path}/accept`, { amount })).status).toBe(200);
    expect(await interestAfter(11, 'accepted')).toMatchObject([
      ['2025-11-01', '2025-11-19', 1_000_000, 5_346],
      ['2025-11-20', '2025-11-23', 500_000, expect.any(Number)],
      ['2025-11-24', '2025-11-30', 700_000, expect.any(Number)],
    ]);
  });

  it('is on all of it where the platform does not pause disputes', async () => {
    await world().sql('update platforms set disputes_pause = false');
    await disputed('counted', 400_000);
    await world().sql('update platforms set disputes_pause = true');
    expect(await interestAfter(11, 'counted')).toMatchObject([
      ['2025-11-01', '2025-11-30', 1_000_000, 8_441],
    ]);
  });
});

describe('the compensation of an invoice that is disputed before it is late', () => {
  /** The compensation claimed `days` days after 20 November. */
  async function compensationAfter(days: number, invoiceExternalId: string) {
    world().clock.set(NOW + days * DAY);
    const { charges } = await chargeLateInvoice(world(), invoiceExternalId, { kinds: ['COMPENSATION'] });
    return charges.map(({ kind, amount }) => [kind, amount]);
  }
  /** Disputed on 21 October, ten days before its due day. */
  async function disputedInTime(external_id: string, amount: number): Promise<string> {
    world().clock.set(NOW - 30 * DAY);
    return disputed(external_id, amount);
  }
  const reject = (path: string) => world().post(`${path}/reject`, { comment: 'All was whole.' });

  it('is owed once it was late for a day after the rejection, and once', async () => {
    const path = await disputedInTime('in-time', 1_000_000);
    expect(await compensationAfter(0, 'in-time')).toEqual([]);
    expect((await reject(path)).status).toBe(200);
    expect(await compensationAfter(0, 'in-time')).toEqual([]);
    expect(await compensationAfter(60, 'in-time')).toEqual([['COMPENSATION', 4_000]]);
    expect(await compensationAfter(61, 'in-time')).toEqual([]);
  });

  it('is by the tier of what was undisputed when it is claimed', async () => {
    await inIreland(async () => {
      // EUR 900.00 of EUR 10,000.00 are undisputed: EUR 40 for up to EUR 1,000, and EUR 70 for up to EUR 10,000.
      const [open, rejected] = [await disputedInTime('open', 910_000), await disputedInTime('tier', 910_000)];
      expect(await compensationAfter(0, 'open')).toEqual([['COMPENSATION', 4_000]]);
      for (const path of [open, rejected]) expect((await reject(path)).status).toBe(200);
      expect(await compensationAfter(1, 'tier')).toEqual([['COMPENSATION', 7_000]]);
      expect(await compensationAfter(1, 'open')).toEqual([]);
    });
  });
});

async function inIreland(work: () => Promise<void>): Promise<void> {
  const useLawOf = (country: string) =>
    world().sql(`update merchants set business_address = jsonb_set(business_address, '{country}', $1)`, [
      JSON.stringify(country),
    ]);
  await useLawOf('IE');
  await work();
  await useLawOf('DE');
}
