import { describe, expect, it } from 'vitest';
import { findStanding } from '#modules/facilities';
import { buyerBody, invoiceBody } from '#test/bodies';
import { grossOf, useInvoicing } from '#test/invoice-setup';
import { disputedAmounts } from './dispute.queries.ts';
import { findDisputeDays } from './dispute-days.ts';

const DAY = 86_400;
const { create, order, invoiceOf, world } = useInvoicing();

const clock = async () => (await world().get('/v1/sandbox/clock')).body.now as number;
const advance = async (days: number) =>
  (await world().post('/v1/sandbox/clock', { advance_seconds: days * DAY })).body.transitions;
const platformId = () => world().platform.platform_id;

/** The amounts of a buyer's invoices that are overdue now. */
async function overdueOf(buyerExternalId: string): Promise<number[]> {
  const key = { platformId: platformId(), buyerExternalId, at: await clock() };
  return (await findStanding(world().installation.db, key)).overdue.map((each) => each.outstanding_amount);
}
const overdueSince = async (buyer: string) =>
  (
    await world().sql<{ since: number | null }>(
      'select overdue_since::int as since from buyers where external_id = $1',
      [buyer],
    )
  )[0]?.since;

let made = 0;
/** An invoice over 119.00 of its own buyer, due now. */
async function due() {
  const id = `due-${++made}`;
  await world().post('/v1/buyers', buyerBody({ external_id: id }));
  const { status } = await create(
    invoiceBody({ external_id: id, buyer_external_id: id, due_at: await clock() }),
  );
  expect(status).toBe(201);
  return id;
}
async function dispute(of: string, amount: number): Promise<string> {
  const external_id = `about-${of}-${++made}`;
  const path = `/v1/invoices/${of}/disputes`;
  expect((await world().post(path, { external_id, reason: 'OTHER', amount })).status).toBe(201);
  return `${path}/${external_id}`;
}
const judged = async (id: string) =>
  (
    await world().sql<{ defaulted_on: string | null; at: number | null }>(
      'select defaulted_on, defaults_at::int as at from invoices where external_id = $1',
      [id],
    )
  )[0];

describe('what is disputed', () => {
  it('is not overdue while the dispute is open, and is again after its rejection', async () => {
    const id = await due();
    await advance(2);
    expect(await overdueOf(id)).toEqual([11_900]);
    const path = await dispute(id, 5_000);
    expect(await overdueOf(id)).toEqual([6_900]);
    const { body } = await world().get(`/v1/invoices/${id}`);
    expect(body).toMatchObject({ status: 'DUE', outstanding_amount: 11_900, disputed_amount: 5_000 });
    await world().post(`${path}/reject`, { comment: 'No.' });
    expect(await overdueOf(id)).toEqual([11_900]);
  });

  it('leaves the buyer without arrears where it is the whole invoice, before its due day or after', async () => {
    const [before, after] = [await due(), await due()];
    const path = await dispute(before, 11_900);
    await advance(2);
    await dispute(after, 11_900);
    for (const id of [before, after]) {
      expect(await overdueOf(id)).toEqual([]);
      expect(await overdueSince(id)).toBeNull();
      expect((await world().get(`/v1/invoices/${id}`)).body.status).toBe('DUE');
    }
    await world().post(`${path}/withdraw`);
    expect(await overdueOf(before)).toEqual([11_900]);
    expect(await overdueSince(before)).not.toBeNull();
  });

  it('follows payments and credit notes: nothing counts twice', async () => {
    const id = await due();
    await advance(2);
    const path = await dispute(id, 5_950);
    await world().post(`/v1/invoices/${id}/payments`, { amount: 4_000, received_by: 'PLATFORM' });
    expect(await overdueOf(id)).toEqual([1_950]);
    await world().post(`/v1/invoices/${id}/payments`, {
      ...{ external_id: `more-${id}`, amount: 3_000, received_by: 'PLATFORM' },
    });
    // 49.00 are outstanding, less than the disputed amount.
    expect(await overdueOf(id)).toEqual([]);
    await world().post(`/v1/invoices/${id}/payments/more-${id}/reverse`, { reason: 'Returned' });
    expect(await overdueOf(id)).toEqual([1_950]);
    await world().post(`${path}/accept`, { amount: { net: 5_000, tax: 0, gross: 5_000 } });
    expect(await overdueOf(id)).toEqual([2_900]);
  });

  it('takes the latest instalment first', async () => {
    const { body: split } = await invoiceOf([await order({ payment_term: 'SPLIT_3M' })], grossOf(9_000));
    const [first, , last] = split.installments;
    await dispute(split.external_id, last.outstanding_amount);
    await advance(Math.ceil((last.due_at - (await clock())) / DAY) + 1);
    expect(await overdueOf('buyer')).toEqual([split.outstanding_amount - last.outstanding_amount]);
    expect(await overdueSince('buyer')).toBe(first.due_at);
    await world().post(`/v1/invoices/${split.external_id}/paid`, { received_by: 'PLATFORM' });
    expect(await overdueOf('buyer')).toEqual([]);
  });

  it('is overdue where the platform does not pause disputes', async () => {
    await world().sql('update platforms set disputes_pause = false');
    const id = await due();
    await dispute(id, 5_000);
    await world().sql('update platforms set disputes_pause = true');
    await advance(2);
    expect(await overdueOf(id)).toEqual([11_900]);
    expect(await disputedAmounts(world().installation.db, platformId(), [id])).toEqual(new Map());
  });

  it('does not default, and after its rejection as many days later as it was disputed', async () => {
    const [whole, part] = [await due(), await due()];
    await advance(50);
    const path = await dispute(whole, 11_900);
    await dispute(part, 1_000);
    const defaulted = async (days: number) =>
      (await advance(days)).flatMap(({ external_id: of, trigger }: Record<string, string>) =>
        trigger === 'default' && (of === whole || of === part) ? [of] : [],
      );
    expect(await defaulted(45)).toEqual([part]);
    expect(await judged(whole)).toEqual({ defaulted_on: null, at: null });
    await world().post(`${path}/reject`, { comment: 'No.' });
    await world().post(`/v1/invoices/${whole}/payments`, { amount: 100, received_by: 'PLATFORM' });
    expect(await defaulted(40)).toEqual([]);
    expect(await defaulted(2)).toEqual([whole]);
  });

  it('is told to other modules, up to what is outstanding', async () => {
    const { db } = world().installation;
    const [none, id] = [await due(), await due()];
    const path = await dispute(id, 5_000);
    await dispute(id, 4_000);
    expect(await disputedAmounts(db, platformId(), [none, id])).toEqual(new Map([[id, 9_000]]));
    await world().post(`/v1/invoices/${id}/payments`, { amount: 10_000, received_by: 'PLATFORM' });
    expect(await disputedAmounts(db, platformId(), [none, id])).toEqual(new Map([[id, 1_900]]));
    await advance(3);
    await world().post(`${path}/accept`, { amount: { net: 1_000, gross: 1_000 } });
    const days = await findDisputeDays(db, platformId(), [none, id]);
    const from = new Date(((await clock()) - 3 * DAY) * 1_000).toISOString().slice(0, 10);
    const until = new Date((await clock()) * 1_000).toISOString().slice(0, 10);
    expect(days).toEqual(
      new Map([
        [
          id,
          [
            { from, until, amountMinor: 5_000, creditedMinor: 1_000 },
            { from, until: null, amountMinor: 4_000, creditedMinor: 0 },
          ],
        ],
      ]),
    );
  });
});
