/** `tradeline bank queue|match|unmatch`: money whose purpose a person must state. */
import { beforeAll, describe, expect, it } from 'vitest';
import { camt053, OUR_IBAN, PAYER_IBAN, type WrittenEntry } from '#test/bank-files';
import { useBanking } from '#test/banking';
import { runHere } from '#test/command';

const { world, settings, run, add, importing, notify, waitingFor, claim, read, changeBy } = useBanking();
beforeAll(() => add('main', '--iban', OUR_IBAN));

describe('tradeline bank queue', () => {
  const cases: [string, () => Promise<WrittenEntry>, string][] = [
    [
      'nothing that is ours',
      async () => ({ amount: 1_234, text: 'q1 RF18539007547034 Rechnung 17' }),
      'NOTHING_NAMED',
    ],
    [
      'a sum that differs',
      async () => ({ amount: 1_500, text: `q2 ${(await claim(1_000)).number}` }),
      'SUM_DIFFERS',
    ],
    [
      'a number of two invoices',
      async () => {
        await claim(1_000, { invoice_number: 'TWIN-1' });
        await claim(1_000, { invoice_number: 'TWIN-1' });
        return { amount: 2_000, text: 'q3 TWIN-1' };
      },
      'AMBIGUOUS_NUMBER',
    ],
    [
      'another currency',
      async () => {
        const pounds = { amount: { net: 900, gross: 900, currency: 'GBP' }, line_items: [] };
        return { amount: 900, text: `q4 ${(await claim(900, pounds)).reference}` };
      },
      'OTHER_CURRENCY',
    ],
    [
      'a cancelled invoice',
      async () => {
        const gone = await claim(900);
        await world().post(`/v1/invoices/${gone.id}/refund`);
        return { amount: 900, text: `q5 ${gone.reference}` };
      },
      'CANCELLED_INVOICE',
    ],
    [
      'a batch without details',
      async () => ({ amount: 900, details: [{ amount: 1, text: 'q6' }, { amount: 1 }] }),
      'BATCH_WITHOUT_DETAILS',
    ],
    [
      'a reversal of nothing',
      async () => ({ amount: -900, isReversal: true, text: 'q7' }),
      'ORIGINAL_UNKNOWN',
    ],
    ['money that went out', async () => ({ amount: -900, text: 'q8' }), 'OUTGOING'],
    [
      'a payment of ours that came back',
      async () => ({ amount: 900, returnReason: 'AC04', text: 'q9' }),
      'ORIGINAL_UNKNOWN',
    ],
  ];
  it.each(cases)('has %s, with its money in suspense', async (_, entry, reason) => {
    const written = await entry();
    const changed = await changeBy(() => notify(written));
    expect(changed).toEqual({ 'bank main': written.amount, suspense: -written.amount });
    const { text } = written.details?.[0] ?? written;
    expect(await waitingFor((text ?? '').slice(0, 2))).toMatchObject({ amount: written.amount, reason });
  });

  it('shows what it could be, with reasons, and whose look it was', async () => {
    const payer = { name: 'Brasserie', iban: PAYER_IBAN };
    const paid = await claim(8_000);
    await notify({ amount: 8_000, creditorReference: paid.reference, ...payer });
    const owed = await claim(8_765);
    await notify({ amount: 8_765, text: 'c1 without a number', ...payer });
    const { candidates, ...shown } = await waitingFor('c1');
    expect(shown).toMatchObject({ counterparty_name: 'Brasserie', counterparty_account: PAYER_IBAN });
    expect(candidates[0]).toMatchObject({
      invoice_external_id: owed.id,
      reasons: ['AMOUNT', 'ACCOUNT_PAID_BEFORE'],
    });
    const { stdout } = await run(['queue']);
    expect(stdout).toContain(`From: Brasserie, ${PAYER_IBAN}`);
    expect(stdout).toContain(
      `Possible match: ${owed.id} of buyer, OPEN, owes 87.65 EUR (AMOUNT, ACCOUNT_PAID_BEFORE)`,
    );
    const audit = await runHere(['audit', 'list', '--json'], settings());
    expect(audit.stdout.trimEnd().split('\n').at(-1)).toContain('BANK_QUEUE_SHOWN');
  });
});

describe('tradeline bank match', () => {
  const match = (id: string, ...args: string[]) =>
    run(['match', id, ...args, '--reason', 'Asked the payer.']);
  const unmatch = (id: string) => run(['unmatch', id, '--reason', 'It was another one.']);

  it('settles invoices with queued money, and can be taken back and made again', async () => {
    const [one, two] = [await claim(1_000), await claim(2_000)];
    await notify({ amount: 2_500, text: 'm1' });
    const { transaction_id: id } = await waitingFor('m1');
    const changed = await changeBy(async () => {
      expect(await match(id, '--invoice', one.id, '--invoice', `${two.id}=15.00`)).toMatchObject({
        code: 0,
        stderr: '',
      });
    });
    expect(changed).toEqual({ 'merchant_payable merchant': -2_500, suspense: 2_500 });
    expect(await read(one)).toMatchObject({ status: 'CLOSED' });
    expect(await read(two)).toMatchObject({ outstanding_amount: 500 });
    const back = await changeBy(async () => expect(await unmatch(id)).toMatchObject({ code: 0 }));
    expect(back).toEqual({ 'merchant_payable merchant': 2_500, suspense: -2_500 });
    expect(await read(one)).toMatchObject({ status: 'DUE', outstanding_amount: 1_000 });
    expect(await match(id, '--invoice', two.id)).toMatchObject({ code: 0 });
    expect(await read(two)).toMatchObject({ status: 'CLOSED' });
    expect((await match(id, '--charge')).stderr).toBe(
      `The transaction ${id} is MATCHED: only a QUEUED transaction can be matched.\n`,
    );
  });

  it('leaves money on its account once, on the day of the bank, however often it is taken back', async () => {
    const second = 'DE02120300000000202051';
    await add('second', '--iban', second);
    const owed = await claim(1_000);
    const entries = [
      { amount: 1_000, text: 'm7' },
      { amount: -300, text: 'm8' },
    ];
    await importing(camt053({ iban: second, day: '2025-11-18', entries }));
    const [money, charge] = [await waitingFor('m7'), await waitingFor('m8')];
    const onTheDay = async () =>
      (await world().sql(
        `select coalesce(sum(amount), 0)::int as amount from ledger_lines
         where account = 'bank' and party = 'second' and effective_at < $1`,
        [Date.parse('2025-11-19') / 1_000],
      )) as { amount: number }[];
    for (const take of [true, true, false]) {
      expect(await match(money.transaction_id, '--invoice', owed.id)).toMatchObject({ code: 0 });
      expect(await match(charge.transaction_id, '--charge')).toMatchObject({ code: 0 });
      expect(await onTheDay()).toEqual([{ amount: 700 }]);
      if (!take) break;
      expect(await unmatch(money.transaction_id)).toMatchObject({ code: 0 });
      expect(await unmatch(charge.transaction_id)).toMatchObject({ code: 0 });
      expect(await onTheDay()).toEqual([{ amount: 700 }]);
    }
  });

  it('books a charge, and a reversal of what it names', async () => {
    await notify({ amount: -300, text: 'm2' }, { amount: 450, text: 'm3' }, { amount: -450, text: 'm4' });
    const charge = await waitingFor('m2');
    expect(await changeBy(() => match(charge.transaction_id, '--charge'))).toEqual({
      bank_charges: 300,
      suspense: -300,
    });
    const [original, reversal] = [await waitingFor('m3'), await waitingFor('m4')];
    const reverse = ['--reverses', original.transaction_id];
    expect(await match(charge.transaction_id, ...reverse)).toMatchObject({ code: 1 });
    expect(await changeBy(() => match(reversal.transaction_id, ...reverse))).toEqual({});
    expect((await unmatch(reversal.transaction_id)).stderr).toMatch(
      /reversed another one, which cannot be undone/,
    );
  });

  it('refuses what does not fit', async () => {
    const owed = await claim(1_000);
    const pounds = await claim(900, { amount: { net: 900, gross: 900, currency: 'GBP' }, line_items: [] });
    await notify({ amount: 700, text: 'm5' }, { amount: -800, text: 'm6' });
    const [money, out] = [await waitingFor('m5'), await waitingFor('m6')];
    const id = money.transaction_id;
    const refusals: [string[], RegExp][] = [
      [[id, '--invoice', 'nothing'], /There is no invoice nothing/],
      [[id, '--invoice', pounds.id], /is in GBP, but the money is in EUR/],
      [[id, '--invoice', `${owed.id}=6.99`], /must be more than 0 and sum to 7\.00 EUR: 0\.01 EUR are left/],
      [[id, '--invoice', owed.id, '--invoice', owed.id], /named twice/],
      [[out.transaction_id, '--invoice', owed.id], /is an outgoing payment/],
      [[id, '--reverses', out.transaction_id], /not the opposite of 7\.00 EUR/],
      [['00000000-0000-4000-8000-000000000000', '--charge'], /There is no bank transaction/],
      [['nothing', '--charge'], /There is no bank transaction nothing/],
    ];
    for (const [args, sentence] of refusals) {
      const [first = '', ...more] = args;
      expect(await match(first, ...more)).toMatchObject({ code: 1, stderr: expect.stringMatching(sentence) });
    }
    expect(await match(id)).toMatchObject({ code: 2 });
    expect(await match(id, '--charge', '--invoice', owed.id)).toMatchObject({ code: 2 });
    expect(await unmatch(id)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/only a MATCHED transaction can be put back/),
    });
  });
});

describe('what all of it leaves', () => {
  it('keeps every equation', async () => {
    expect(await runHere(['ledger', 'verify'], settings())).toMatchObject({ code: 0, stderr: '' });
  });

  it('stores no name, account number or text of a payer in clear', async () => {
    for (const table of [
      'bank_accounts',
      'bank_statements',
      'bank_entries',
      'bank_transactions',
      'bank_matches',
    ]) {
      const rows = await world().sql(`select * from ${table}`);
      expect(rows.length).toBeGreaterThan(0);
      const text = JSON.stringify(rows, (_, value) =>
        value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
      );
      for (const secret of ['Brasserie', PAYER_IBAN, OUR_IBAN, 'without a number'])
        expect(text).not.toContain(secret);
    }
  });
});
