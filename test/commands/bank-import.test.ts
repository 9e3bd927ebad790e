/** `tradeline bank import`: a payment that banks report settles the invoices that it names, once. */
import { beforeAll, describe, expect, it } from 'vitest';
import { camt053, camt054, OUR_IBAN, type WrittenEntry } from '#test/bank-files';
import { useBanking } from '#test/banking';
import { addLateCharge } from '#test/late-charges';

const { world, add, importing, notify, waiting, claim, read, paymentsOf, changeBy } = useBanking();
beforeAll(() => add('main', '--iban', OUR_IBAN));

describe('tradeline bank import', () => {
  it('settles the invoice whose creditor reference it names, on the day that the bank says', async () => {
    const owed = await claim(11_900);
    const entry: WrittenEntry = {
      amount: 11_900,
      day: '2025-11-18',
      creditorReference: owed.reference,
      name: 'Brasserie',
    };
    const changed = await changeBy(async () => {
      expect(await notify(entry)).toBe('1 transactions matched, 0 queued.');
    });
    expect(changed).toEqual({ 'bank main': 11_900, 'merchant_payable merchant': -11_900 });
    expect(await read(owed)).toMatchObject({ status: 'CLOSED', paid_at: Date.parse('2025-11-18') / 1_000 });
    expect(await paymentsOf(owed)).toMatchObject([
      { amount: 11_900, received_by: 'PLATFORM', reference: null },
    ]);
  });

  it('finds the reference in a text with spaces, and takes part payments and overpayments', async () => {
    const owed = await claim(10_000);
    const spaced = owed.reference.replaceAll(/(.{4})/g, '$1 ');
    await notify({ amount: 4_000, text: `Danke ${spaced}Rate 1` });
    expect(await read(owed)).toMatchObject({ status: 'OPEN', outstanding_amount: 6_000 });
    const changed = await changeBy(() => notify({ amount: 6_500, text: owed.reference.toLowerCase() }));
    expect(changed).toEqual({
      'bank main': 6_500,
      'merchant_payable merchant': -6_000,
      'unapplied_cash buyer': -500,
    });
    expect(await read(owed)).toMatchObject({ status: 'CLOSED' });
  });

  it('settles several invoices by their numbers with the exact sum', async () => {
    const [one, two, three] = [await claim(1_000), await claim(2_000), await claim(3_000)];
    await notify({ amount: 6_000, text: `Rechnungen ${one.number}, ${two.number}; ${three.number}.` });
    for (const each of [one, two, three]) expect(await read(each)).toMatchObject({ status: 'CLOSED' });
  });

  it('settles invoices by their numbers with all of their late charges, as reminders ask for the sum', async () => {
    const [one, two] = [await claim(1_000), await claim(2_000)];
    await addLateCharge(world(), one.id, { amountMinor: 258 });
    const changed = await changeBy(() => notify({ amount: 3_258, text: `${one.number} ${two.number}` }));
    expect(changed).toEqual({ 'bank main': 3_258, 'merchant_payable merchant': -3_258 });
    expect(await read(one)).toMatchObject({
      status: 'CLOSED',
      late_charges: { paid_amount: 258, outstanding_amount: 0 },
    });
    expect(await read(two)).toMatchObject({ status: 'CLOSED' });
  });

  it('closes what is short by a residue, and books the difference as a charge', async () => {
    const owed = await claim(10_000);
    const changed = await changeBy(() => notify({ amount: 9_900, creditorReference: owed.reference }));
    expect(changed).toEqual({ bank_charges: 100, 'bank main': 9_900, 'merchant_payable merchant': -10_000 });
    expect(await read(owed)).toMatchObject({ status: 'CLOSED' });
    const short = await claim(10_000);
    await notify({ amount: 9_899, creditorReference: short.reference });
    expect(await read(short)).toMatchObject({ status: 'OPEN', outstanding_amount: 101 });
  });

  it('writes no residue off where late charges take the money first: the invoice would stay open', async () => {
    await world().sql(`update platforms set late_charge_order = 'CHARGES_FIRST'`);
    const [byReference, byNumber] = [await claim(10_000), await claim(10_000)];
    for (const { id } of [byReference, byNumber]) await addLateCharge(world(), id, { amountMinor: 258 });
    const changed = await changeBy(() => notify({ amount: 9_950, creditorReference: byReference.reference }));
    await notify({ amount: 9_950, text: byNumber.number });
    await world().sql(`update platforms set late_charge_order = 'PRINCIPAL_FIRST'`);
    expect(changed).toEqual({ 'bank main': 9_950, 'merchant_payable merchant': -9_950 });
    expect(await read(byReference)).toMatchObject({ status: 'OPEN', outstanding_amount: 308 });
    expect(await waiting()).toMatchObject([{ amount: 9_950, reason: 'SUM_DIFFERS' }]);
  });

  it('books charges of the bank, and what it gives back of them', async () => {
    const code: [string, string, string] = ['ACMT', 'MDOP', 'CHRG'];
    const charge = { code, details: null };
    const changed = await changeBy(() => notify({ amount: -700, ...charge }, { amount: 200, ...charge }));
    expect(changed).toEqual({ bank_charges: 500, 'bank main': -500 });
  });

  it('does nothing for what is not booked', async () => {
    const owed = await claim(1_000);
    const creditorReference = owed.reference;
    const changed = await changeBy(async () => {
      const { stdout } = await importing(
        camt054({
          entries: [
            { amount: 1_000, status: 'PDNG', creditorReference },
            { amount: 1_000, status: 'INFO', creditorReference },
          ],
        }),
      );
      expect(stdout).toMatch(/1 statements, 0 entries, 0 of them new; 2 not booked/);
    });
    expect(changed).toEqual({});
  });

  describe('counts an entry once', () => {
    it('in the same file twice, in overlapping statements, and in a notification and a statement', async () => {
      const owed = await claim(5_000);
      const entry: WrittenEntry = { amount: 5_000, reference: 'ONCE', creditorReference: owed.reference };
      const other: WrittenEntry = { amount: 4_321, reference: 'ALSO-ONCE', text: 'for a person once' };
      const statement = camt053({ entries: [entry, other], id: 'S-1' });
      const changed = await changeBy(async () => {
        await importing(camt054({ entries: [entry] }));
        await importing(statement);
        expect((await importing(statement)).stdout).toMatch(/^bank-\d+\.xml was already imported\.$/m);
        // Another day reuses the number of the statement, and overlaps it.
        await importing(camt053({ entries: [other], id: 'S-1', opening: 7 }));
        await importing(camt054({ entries: [other, entry] }, '02'));
      });
      expect(changed).toEqual({ 'bank main': 9_321, 'merchant_payable merchant': -5_000, suspense: -4_321 });
    });

    it('but two alike in one statement are two', async () => {
      const alike: WrittenEntry = { amount: 777, reference: null, text: 'alike' };
      const changed = await changeBy(async () => {
        await importing(camt054({ entries: [alike, alike] }));
        await importing(camt054({ entries: [alike, alike], id: 'again' }));
      });
      expect(changed).toEqual({ 'bank main': 1_554, suspense: -1_554 });
    });

    it.each(['notification first', 'statement first'] as const)(
      'a batch by its payments: %s',
      async (order) => {
        const [one, two] = [await claim(1_100), await claim(2_200)];
        const batch = { amount: 3_300, reference: `BATCH-${order}` };
        const details = [
          { amount: 1_100, creditorReference: one.reference },
          { amount: 2_200, creditorReference: two.reference },
        ];
        const whole = camt053({ entries: [{ ...batch, details: null, count: 2 }] });
        const single = camt054({ entries: [{ ...batch, details }] });
        const changed = await changeBy(async () => {
          for (const file of order === 'statement first' ? [whole, single] : [single, whole])
            await importing(file);
        });
        expect(changed).toEqual({ 'bank main': 3_300, 'merchant_payable merchant': -3_300 });
        for (const each of [one, two]) expect(await read(each)).toMatchObject({ status: 'CLOSED' });
      },
    );
  });

  it('takes a payment back that the bank reverses, whichever file says it', async () => {
    const owed = await claim(2_500);
    const payment = {
      amount: 2_500,
      endToEndId: 'DEBIT-1',
      creditorReference: owed.reference,
      day: '2025-11-18',
    };
    await notify(payment);
    expect(await read(owed)).toMatchObject({ status: 'CLOSED' });
    const changed = await changeBy(async () => {
      expect(
        await notify({ amount: -2_500, isReversal: true, endToEndId: 'DEBIT-1', day: '2025-11-19' }),
      ).toMatch(/^1 transactions matched/);
    });
    expect(changed).toEqual({ 'bank main': -2_500, 'merchant_payable merchant': 2_500 });
    // The commands use the time of the machine, at which the invoice is due.
    expect(await read(owed)).toMatchObject({ status: 'DUE', outstanding_amount: 2_500 });
    const [entry] = await world().sql<{ day: number }>(
      `select max(effective_at)::int as day from ledger_entries where cause = 'PAYMENT_REVERSED'`,
    );
    expect(entry?.day).toBe(Date.parse('2025-11-19') / 1_000);
  });

  it('takes a payment back whose statement comes after that of its reversal', async () => {
    const owed = await claim(2_600);
    const both = { endToEndId: 'LATE-1', text: owed.reference };
    expect(await notify({ amount: -2_600, isReversal: true, ...both })).toBe(
      '0 transactions matched, 1 queued.',
    );
    const changed = await changeBy(async () => {
      expect(await notify({ amount: 2_600, ...both })).toBe('2 transactions matched, 0 queued.');
    });
    expect(changed).toEqual({ 'bank main': 2_600, suspense: -2_600 });
    expect(await read(owed)).toMatchObject({ outstanding_amount: 2_600 });
  });

  it('takes money in suspense back as well', async () => {
    const before = (await waiting()).length;
    const changed = await changeBy(() =>
      notify(
        { amount: 999, endToEndId: 'GONE', text: 'soon gone' },
        { amount: -999, endToEndId: 'GONE', returnReason: 'AC04' },
      ),
    );
    expect(changed).toEqual({});
    expect((await waiting()).length).toBe(before);
  });
});
