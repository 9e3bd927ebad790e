/** The overdue amounts of an invoice with instalments. */
import { describe, expect, it } from 'vitest';
import { findStanding } from '#modules/facilities';
import { draftOrderBody } from '#test/bodies';
import { grossOf, useInvoicing } from '#test/invoice-setup';
import { recordedEvents } from '#test/stored';

const { order, invoiceOf, world } = useInvoicing();

const advance = (seconds: number) => world().post('/v1/sandbox/clock', { advance_seconds: seconds });
const read = async (externalId: string) => (await world().get(`/v1/invoices/${externalId}`)).body;
/** The overdue amount of each invoice of the buyer at an instant (unix seconds). */
async function arrearsAt(buyerExternalId: string, at: number): Promise<number[]> {
  const key = { platformId: world().platform.platform_id, buyerExternalId, at };
  const { overdue } = await findStanding(world().installation.db, key);
  return overdue.map((each) => each.outstanding_amount);
}

describe('the arrears of an invoice', () => {
  it('follow the time zone of the platform, also if it changes while an invoice waits', async () => {
    const { now } = (await world().get('/v1/sandbox/clock')).body;
    const { body: split } = await invoiceOf([await order({ payment_term: 'SPLIT_3M' })], grossOf(9_000));
    const [first] = split.installments;
    const pay = async (path: string, body: object) => {
      // A key that was used before caches the previous time zone for some seconds.
      const key = await world().addKey();
      return world().post(`/v1/invoices/${split.external_id}/${path}`, body, { key });
    };
    const setZone = (name: string) => world().sql('update platforms set time_zone = $1', [name]);
    await setZone('America/New_York');
    const { body } = await advance(first.due_at + 1 - now);
    expect(body.transitions).toMatchObject([{ external_id: split.external_id, trigger: 'become_due' }]);
    // In New York the day has not ended, so nothing is in arrears. The next change of the invoice sees it.
    expect(await arrearsAt('buyer', first.due_at + 1)).toEqual([]);
    expect((await pay('payments', { amount: 1 })).status).toBe(201);
    expect(await read(split.external_id)).toMatchObject({ status: 'OPEN' });
    const later = await advance(5 * 3_600);
    expect(later.body.transitions).toMatchObject([{ external_id: split.external_id, trigger: 'become_due' }]);
    expect(await arrearsAt('buyer', first.due_at + 1 + 5 * 3_600)).toEqual([first.outstanding_amount - 1]);
    await setZone('UTC');
    await pay('paid', {});
    expect(await read(split.external_id)).toMatchObject({ status: 'CLOSED' });
  });

  it('grow on the day of each further instalment, without any call', async () => {
    const { body: split } = await invoiceOf([await order({ payment_term: 'SPLIT_3M' })], grossOf(9_000));
    const [first, second] = split.installments;
    const { now } = (await world().get('/v1/sandbox/clock')).body;
    await advance(first.due_at + 1 - now);
    expect(await read(split.external_id)).toMatchObject({ status: 'DUE', days_past_due: 1 });
    const { outstanding_amount: owed } = first;
    expect(await arrearsAt('buyer', second.due_at)).toEqual([owed]);
    expect(await arrearsAt('buyer', second.due_at + 1)).toEqual([owed + second.outstanding_amount]);

    const events = (await recordedEvents(world(), split.external_id)).length;
    expect((await advance(second.due_at - first.due_at)).body.transitions).toEqual([]);
    expect((await recordedEvents(world(), split.external_id)).length).toBe(events);
    const refused = await world().post('/v1/orders', {
      ...draftOrderBody({ external_id: 'late-order' }),
      ...{ payment_method: 'TRANSFER', payment_term: 'DEFER_30D' },
    });
    expect(refused.body).toMatchObject({ reason: 'BUYER_OVERDUE' });
    await world().post(`/v1/invoices/${split.external_id}/payments`, { amount: owed + 100 });
    expect(await arrearsAt('buyer', second.due_at + 1)).toEqual([second.outstanding_amount - 100]);
    const rest = (await read(split.external_id)).outstanding_amount;
    await world().post(`/v1/invoices/${split.external_id}/payments`, { amount: rest });
    expect(await read(split.external_id)).toMatchObject({ status: 'CLOSED' });
  });
});
