/**
 * A year of a marketplace in three currencies: 300 orders of 20 buyers with 5 merchants become invoices, which are paid early, late,
 * twice or not at all, credited, and bounce. January is closed. From July on invoices are financed, merchants are paid out, and the
 * bank's statements report the incoming money. The books balance at every midnight, and at the end of each half-year they equal what
 * `marketplace-books.ts` and `marketplace-year-books.ts` derive by hand.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { facilityUnfreezing } from '#modules/facilities';
import { defaultWriteOff, type ServiceFees, serviceFeeChange } from '#modules/financing';
import { ledgerClosing } from '#modules/ledger';
import { addMainAccount } from '#test/bank-account';
import { transferFaults } from '#test/bank-schemas';
import { auditBooks } from '#test/books-audit';
import { auditCredit, facilityOf } from '#test/credit';
import { auditChains } from '#test/hash-chains';
import { claimsOf, type Instruction, readTransfers, rejectionOf, StoryBank } from '#test/marketplace-bank';
import {
  BANK_OF_JANUARY,
  type BookBalance,
  HALF_YEAR_BOOKS,
  HALF_YEAR_INVOICES,
  HALF_YEAR_ORDERS,
} from '#test/marketplace-books';
import { dateOf, midnightOf, noonOf } from '#test/marketplace-days';
import {
  changeByTwo,
  importFile,
  matchQueued,
  payAgain,
  payOut,
  verifyLedger,
} from '#test/marketplace-office';
import {
  ACCOUNTS,
  BANK,
  OPERATORS,
  SERVICE_FEES,
  secondActs,
  YEAR_ENDS_ON,
} from '#test/marketplace-second-half';
import { firstActs, HALF_YEAR_ENDS_ON, JANUARY } from '#test/marketplace-story';
import { createMarketplace, type Marketplace } from '#test/marketplace-world';
import { YEAR_BOOKS, YEAR_INVOICES, YEAR_ORDERS, YEAR_SERVICES } from '#test/marketplace-year-books';
import { patience } from '#test/patience';
import { filesFolder } from '#test/registry-files';
import type { World } from '#test/world';

describe('A year of a marketplace', () => {
  let market: Marketplace;
  let world: World;
  const folder = filesFolder();
  beforeAll(async () => {
    market = await createMarketplace();
    world = market.world;
  }, patience(30));
  afterAll(async () => {
    folder.remove();
    await world.close();
  });

  const counted = async (table: 'invoices' | 'orders' | 'invoice_services') =>
    Object.fromEntries(
      (
        await world.sql<{ status: string; count: number }>(
          `select status, count(*)::int from ${table} group by 1`,
        )
      ).map(({ status, count }) => [status, count]),
    );
  async function expectBooks(books: readonly BookBalance[]): Promise<void> {
    const rows = await world.sql<{ currency: string; account: string; party: string; amount: string }>(
      `select currency, account, party, sum(amount)::text as amount from ledger_lines
      group by currency, account, party having sum(amount) <> 0`,
    );
    const sorted = (lines: readonly Omit<BookBalance, 'because' | 'amount'>[]) =>
      lines
        .map((row) => `${row.currency} ${row.account} ${row.party} ${(row as BookBalance).amount}`)
        .toSorted();
    expect(sorted(rows as never)).toEqual(sorted(books));
  }

  /** The violations at the midnight that begins the day. */
  async function expectToHold(day: number): Promise<void> {
    const monthly = day % 30 === 0 ? await verifyLedger(world) : [];
    const faults = [...(await auditBooks(world)), ...(await auditChains(world)), ...monthly];
    expect({ day, faults }).toEqual({ day, faults: [] });
  }

  describe('the first half', () => {
    /** The trial balance at the last second of January. */
    const january = async () =>
      (await world.get(`/v1/ledger/trial_balance?at=${midnightOf(JANUARY.openFromDay) - 1}`)).body;
    let closed: Awaited<ReturnType<typeof january>>;

    it(
      'is played day by day',
      async () => {
        const acts = Map.groupBy(firstActs(), ({ day }) => day);
        for (let day = 0; day < HALF_YEAR_ENDS_ON; day += 1) {
          await market.setClock(noonOf(day));
          if (day === 70 || day === 160) await market.renewFacilities();
          if (day === JANUARY.closedOnDay) {
            await changeByTwo(world, ledgerClosing, { until: JANUARY.until }, noonOf(day));
            closed = await january();
          }
          for (const act of acts.get(day) ?? []) await market.play(act);
          await market.setClock(midnightOf(day + 1));
          await expectToHold(day + 1);
        }
        expect(await auditCredit(world)).toEqual([]);
      },
      patience(90),
    );

    it('leaves every invoice and order where the story says', async () => {
      expect(await counted('invoices')).toEqual(HALF_YEAR_INVOICES);
      expect(await counted('orders')).toEqual(HALF_YEAR_ORDERS);
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

    it('ends with the books that were worked out by hand', () => expectBooks(HALF_YEAR_BOOKS));
  });

  describe('the second half', () => {
    const { amount: opening } = HALF_YEAR_BOOKS[0] as BookBalance;
    const bank = new StoryBank(opening);
    const files: string[] = [];

    /** Merchants name their accounts, and operators verify them. */
    async function addAccounts(day: number): Promise<void> {
      for (const { merchant, account } of ACCOUNTS.filter((each) => each.day === day)) {
        const external_id = `account-of-${merchant}`;
        await market.made('/v1/payout_instructions', {
          external_id,
          merchant_external_id: merchant,
          ...account,
        });
        await market.made('/v1/sandbox/payout_instructions', { external_id, trigger: 'verify' }, 200);
      }
    }

    const greenhouseIs = async (status: string): Promise<string[]> =>
      (
        await world.get(`/v1/payouts?merchant_external_id=greenhouse&status=${status}&sort_by=-scheduled_on`)
      ).body.items.map(({ end_to_end_id }: { end_to_end_id: string }) => end_to_end_id);
    const isOfGreenhouse = async ({ endToEndId }: Instruction) =>
      (await greenhouseIs('INSTRUCTED')).includes(endToEndId);

    let rejected: Instruction | undefined;
    let returned: Instruction | undefined;
    /** The bank makes the instructed payouts, except the one that it rejects. */
    async function payMerchants(day: number): Promise<void> {
      for (const { scheme, content } of await payOut(world, dateOf(day), noonOf(day))) {
        if (scheme !== 'SEPA') continue;
        files.push(content);
        for (const instruction of readTransfers(content).instructions) {
          const isChosen = await isOfGreenhouse(instruction);
          if (day === OPERATORS.returnedAfterDay && isChosen) returned = instruction;
          if (day === OPERATORS.rejectedOnDay && isChosen) rejected = instruction;
          else bank.execute(instruction);
        }
      }
    }

    async function hearFromBank(day: number): Promise<void> {
      for (const transfer of BANK.filter((each) => each.day === day))
        bank.transfer(transfer, (invoice) => market.references.get(invoice) as string);
      if (day === OPERATORS.returnHeardOnDay) bank.sendBack(returned as Instruction);
      const answer = day === OPERATORS.rejectionHeardOnDay ? rejectionOf(rejected as Instruction) : null;
      for (const file of [answer, bank.statementOf(day)])
        if (file !== null) await importFile(world, folder, file, noonOf(day));
      if (day !== OPERATORS.returnHeardOnDay && day !== OPERATORS.rejectionHeardOnDay) return;
      expect(await greenhouseIs('FAILED')).toHaveLength(1);
      await payAgain(world, noonOf(day));
    }

    /** The other work of operators. */
    async function operate(day: number): Promise<void> {
      if (day === OPERATORS.matchedOnDay)
        await matchQueued(world, 120_416, OPERATORS.matchedInvoice, noonOf(day));
      if (day === OPERATORS.defaultedOnDay)
        expect(await facilityOf(world, OPERATORS.defaultedBuyer)).toMatchObject({ status: 'FROZEN' });
      if (day === OPERATORS.writtenOffOnDay) {
        const path = `/v1/invoices/${OPERATORS.defaultedInvoice}/services/FINANCING`;
        const { external_id: service, status } = (await world.get(path)).body;
        expect(status).toBe('DEFAULTED');
        await changeByTwo(world, defaultWriteOff, { service }, noonOf(day));
      }
      if (day === OPERATORS.unfrozenOnDay)
        await changeByTwo(
          world,
          facilityUnfreezing,
          { buyerExternalId: OPERATORS.defaultedBuyer },
          noonOf(day),
        );
    }

    it(
      'is played day by day',
      async () => {
        const acts = Map.groupBy(secondActs(), ({ day }) => day);
        for (let day = HALF_YEAR_ENDS_ON; day < YEAR_ENDS_ON; day += 1) {
          await market.setClock(noonOf(day));
          if (day === HALF_YEAR_ENDS_ON) {
            await addMainAccount(world);
            await changeByTwo(world, serviceFeeChange, SERVICE_FEES as unknown as ServiceFees, noonOf(day));
          }
          if (day === 250 || day === 340) await market.renewFacilities();
          await addAccounts(day);
          await operate(day);
          for (const act of acts.get(day) ?? []) await market.play(act);
          await payMerchants(day);
          await hearFromBank(day);
          await market.setClock(midnightOf(day + 1));
          await expectToHold(day + 1);
          const [{ balance } = { balance: 0 }] = await world.sql<{ balance: number }>(
            `select sum(amount)::int as balance from ledger_lines where account = 'bank' and currency = 'EUR'`,
          );
          expect({ day, balance }).toEqual({ day, balance: bank.balance });
        }
        expect(await auditCredit(world)).toEqual([]);
      },
      patience(90),
    );

    it('leaves every invoice, order and service where the story says', async () => {
      expect(await counted('invoices')).toEqual(YEAR_INVOICES);
      expect(await counted('orders')).toEqual(YEAR_ORDERS);
      expect(await counted('invoice_services')).toEqual(YEAR_SERVICES);
    });

    it('ends with the books that were worked out by hand', () => expectBooks(YEAR_BOOKS));

    it('has written files that are valid, and whose sums are those of their transfers', async () => {
      expect(files.length).toBeGreaterThan(25);
      for (const file of files) {
        const { instructions, claimed } = readTransfers(file);
        expect(claimed).toEqual(claimsOf(instructions));
      }
      expect(await transferFaults(...files)).toEqual([]);
    });
  });
});
