/**
 * Half a year of a marketplace in three currencies: 150 orders of 12 buyers with 4 merchants become invoices, which are paid early,
 * late, twice or not at all, credited, and bounce. January is closed. The books hold at every midnight, and at the end they are
 * what `marketplace-books.ts` derives by hand.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ledgerClosing } from '#modules/ledger';
import { approveChange, auditKeyOf, recordAudit, requestChange } from '#modules/operators';
import { buyerBody, merchantBody } from '#test/bodies';
import { auditBooks } from '#test/books-audit';
import { auditCredit, facilityOf, setLimits } from '#test/credit';
import { auditChains } from '#test/hash-chains';
import { BANK_OF_JANUARY, BOOKS, INVOICES_AT_THE_END, ORDERS_BY_STATUS } from '#test/marketplace-books';
import {
  type Act,
  JANUARY,
  LANES,
  LAST_DAY,
  LIMIT_OF_CAFE_1,
  LIMITS,
  midnightOf,
  noonOf,
  STORY_BEGINS_AT,
  storyActs,
} from '#test/marketplace-story';
import { actAs } from '#test/operators';
import { patience } from '#test/patience';
import { createWorld, type World } from '#test/world';

const PRICES = {
  tax_basis_points: 1_900,
  fee_basis_points: { A: {}, B: { DEFER_14D: 0, DEFER_30D: 100, SPLIT_3M: 200 }, C: {}, D: {} },
};

describe('Half a year of a marketplace', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({
      settings: { TRADELINE_WORKER: 'off', TRADELINE_RATE_LIMIT_PER_SECOND: '0' },
      platform: { financing_currencies: ['GBP', 'JPY'] },
    });
    world.clock.set(STORY_BEGINS_AT);
    await world.sql('update platforms set max_payment_term = 90');
    await setLimits(world, { price_table: PRICES });
    for (const merchant of new Set(LANES.map((lane) => lane.merchant)))
      await made('/v1/merchants', merchantBody({ external_id: merchant }));
    for (const { buyers, currency } of LANES) for (const buyer of buyers) await addBuyer(buyer, currency);
  }, patience(30));
  afterAll(() => world.close());

  async function made(path: string, body: object, status = 201): Promise<void> {
    const reply = await world.post(path, body);
    expect(`${path} ${reply.status} ${reply.text}`).toMatch(`${path} ${status} `);
  }

  /** A person grants the facility, in the currency of the buyer's orders. */
  async function addBuyer(buyer: string, currency: keyof typeof LIMITS): Promise<void> {
    await made('/v1/buyers', buyerBody({ external_id: buyer, contact_email: `in-review@${buyer}.example` }));
    await made(`/v1/buyers/${buyer}/facility`, { currency }, 202);
    const total_amount = buyer === 'cafe-1' ? LIMIT_OF_CAFE_1 : LIMITS[currency];
    await made('/v1/sandbox/facilities', { buyer_external_id: buyer, trigger: 'grant', total_amount }, 200);
  }

  const setClock = (now: number) => made('/v1/sandbox/clock', { now }, 200);

  async function play({ method, path, body, status = 201, reason }: Act): Promise<void> {
    const reply = await world.send(method, path, { body });
    expect(`${path} ${JSON.stringify(body)} ${reply.status} ${reply.text}`).toContain(` ${status} {`);
    if (reason !== undefined) expect(reply.body.reason).toBe(reason);
  }

  /** By two operators, each with an entry of the audit log, as `tradeline ledger close` and `approval approve` do it. */
  async function closeJanuary(): Promise<void> {
    const as = { role: 'FINANCE', now: noonOf(JANUARY.closedOnDay) } as const;
    const auditKey = auditKeyOf(world.installation.vault, world.platform);
    const requested = await actAs(
      world,
      'ada',
      async (context) => {
        const made = await requestChange(context, ledgerClosing, { until: JANUARY.until }, 'Month end.');
        await recordAudit(context, auditKey, made.audit);
        return made;
      },
      as,
    );
    const approval = { approvalId: requested.approvalId as string, reason: 'Compared with the bank.' };
    await actAs(
      world,
      'ben',
      async (context) =>
        recordAudit(context, auditKey, (await approveChange(context, [ledgerClosing], approval)).audit),
      as,
    );
  }

  /** The trial balance at the last second of January. */
  const january = async () =>
    (await world.get(`/v1/ledger/trial_balance?at=${midnightOf(JANUARY.openFromDay) - 1}`)).body;
  let closed: Awaited<ReturnType<typeof january>>;

  it(
    'is played day by day',
    async () => {
      const acts = Map.groupBy(storyActs(), ({ day }) => day);
      for (let day = 0; day < LAST_DAY; day += 1) {
        await setClock(noonOf(day));
        // The periods of 90 days end on days 90 and 180.
        if (day === 70 || day === 160)
          for (const buyer of LANES.flatMap(({ buyers }) => buyers))
            await made('/v1/sandbox/facilities', { buyer_external_id: buyer, trigger: 'renew' }, 200);
        if (day === JANUARY.closedOnDay) {
          await closeJanuary();
          closed = await january();
        }
        for (const act of acts.get(day) ?? []) await play(act);
        await setClock(midnightOf(day + 1));
        const faults = [...(await auditBooks(world)), ...(await auditChains(world))];
        expect({ day, faults }).toEqual({ day, faults: [] });
      }
      expect(await auditCredit(world)).toEqual([]);
    },
    patience(90),
  );

  it('leaves every invoice and order where the story says', async () => {
    const counted = async (query: string) =>
      Object.fromEntries(
        (await world.sql<{ status: string; count: number }>(query)).map(({ status, count }) => [
          status,
          count,
        ]),
      );
    expect(await counted('select status, count(*)::int from invoices group by 1')).toEqual(
      INVOICES_AT_THE_END,
    );
    expect(await counted('select status, count(*)::int from orders group by 1')).toEqual(ORDERS_BY_STATUS);
    expect(await facilityOf(world, 'cafe-1')).toMatchObject({ used: 119_000, pending: 0 });
  });

  it('books a payment of a closed month on the first open day, with the day that it belongs to', async () => {
    const entries = await world.sql(
      `select e.effective_at::int, e.belongs_to_at::int, l.amount::int from ledger_entries e
      join ledger_lines l using (platform_id, entry_id) where payment_id = 'coffee-2-p1' and account = 'bank'`,
    );
    expect(entries).toEqual([
      { effective_at: midnightOf(JANUARY.openFromDay), belongs_to_at: noonOf(25), amount: 120_416 },
    ]);
  });

  it('leaves the closed month as it was when it was closed', async () => {
    const banks = closed.items.filter(({ account }: { account: string }) => account === 'bank');
    expect(
      Object.fromEntries(
        banks.map(({ currency, debit }: { currency: string; debit: number }) => [currency, debit]),
      ),
    ).toEqual(BANK_OF_JANUARY);
    expect((await january()).items).toEqual(closed.items);
  });

  it('ends with the books that were worked out by hand', async () => {
    const rows = await world.sql<{ currency: string; account: string; party: string; amount: string }>(
      `select currency, account, party, sum(amount)::text as amount from ledger_lines
      group by currency, account, party having sum(amount) <> 0`,
    );
    const sorted = (lines: readonly string[]) => lines.toSorted();
    expect(sorted(rows.map((row) => `${row.currency} ${row.account} ${row.party} ${row.amount}`))).toEqual(
      sorted(BOOKS.map((row) => `${row.currency} ${row.account} ${row.party} ${row.amount}`)),
    );
  });
});
