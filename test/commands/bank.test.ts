/** `tradeline bank account`, and the files that `tradeline bank import` refuses. */
import { describe, expect, it } from 'vitest';
import { camt053, camt054, OUR_IBAN, PAYER_IBAN } from '#test/bank-files';
import { useBanking, WHY } from '#test/banking';
import { ensureOperator } from '#test/operators';

const { world, folder, run, add, importing, claim, read, changeBy, settings } = useBanking();

describe('tradeline bank account', () => {
  it('says that there is none, and which file is of none', async () => {
    expect((await run(['account', 'list'])).stdout).toMatch(/^There is no bank account/);
    expect(await importing(camt053({ entries: [{ amount: 1 }] }))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^The account DE89…3000 in EUR does not belong to this platform: add it with/,
      ),
    });
  });

  it('takes the account that buyers pay to, once', async () => {
    expect(await add('main')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no bank account in its settings/),
    });
    expect((await add('main', '--iban', OUR_IBAN)).stdout).toBe(
      'The bank account main is DE89…3000 in EUR.\n',
    );
    expect((await add('main', '--iban', PAYER_IBAN)).stderr).toBe('A bank account main already exists.\n');
    expect((await add('other', '--iban', OUR_IBAN)).stderr).toMatch(
      /was already added under another external_id/,
    );
    expect(
      (await add('pounds', '--sort-code', '20-00-00', '--number', '55779911', '--currency', 'GBP')).stdout,
    ).toBe('The bank account pounds is …9911 in GBP.\n');
    const listed = JSON.parse((await run(['account', 'list', '--json'])).stdout);
    expect(listed).toEqual([
      { bank_account: 'main', number: 'DE89…3000', currency: 'EUR', created_at: expect.any(Number) },
      { bank_account: 'pounds', number: '…9911', currency: 'GBP', created_at: expect.any(Number) },
    ]);
  });

  it.each([
    [['--iban', 'DE89370400440532013001'], /--iban is no IBAN/],
    [['--sort-code', '2000', '--number', '55779911'], /--sort-code must have 6 digits/],
    [['--iban', OUR_IBAN, '--number', '1'], /either --iban/],
    [['--iban', OUR_IBAN, '--currency', 'XAU'], /--currency must be one of/],
  ])('refuses %j', async (args, sentence) => {
    expect(await add('x', ...args)).toMatchObject({ code: 2, stderr: expect.stringMatching(sentence) });
  });
});

describe('tradeline bank import', () => {
  it('leaves nothing behind of a file whose balances do not add up', async () => {
    const owed = await claim(1_000);
    const changed = await changeBy(async () => {
      const file = camt053({
        opening: 500,
        closing: 1_499,
        entries: [{ amount: 1_000, creditorReference: owed.reference }],
      });
      expect(await importing(file)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(
          'does not add up: the account main opens with 5.00 EUR, its entries are 10.00 EUR, which results in 15.00 EUR, but it closes with 14.99 EUR.',
        ),
      });
    });
    expect(changed).toEqual({});
    expect(await read(owed)).toMatchObject({ status: 'OPEN' });
  });

  it.each<[string, string, RegExp]>([
    [
      'an entry of a day to come',
      camt054({ entries: [{ amount: 1, day: '2099-11-22' }] }),
      /is booked on 2099-11-22, a day in the future/,
    ],
    [
      'an entry in another currency',
      camt054({ entries: [{ amount: 1 }] }).replace('<Amt Ccy="EUR"', '<Amt Ccy="GBP"'),
      /an entry in GBP for the account main, whose currency is EUR/,
    ],
    [
      'a file that is cut off',
      camt054({ entries: [{ amount: 1 }, { amount: 2 }] }).slice(0, -200),
      /is not well-formed XML/,
    ],
    [
      'an account in another currency',
      camt054({ currency: 'GBP', entries: [] }),
      /DE89…3000 in GBP does not belong to this platform/,
    ],
  ])('refuses %s', async (_, file, sentence) => {
    const count = async () => (await world().sql('select count(*)::int as n from bank_entries'))[0];
    const before = await count();
    expect(await importing(file)).toMatchObject({ code: 1, stderr: expect.stringMatching(sentence) });
    expect(await count()).toEqual(before);
  });

  it('needs a file, and the role FINANCE', async () => {
    expect(await run(['import', ...WHY])).toMatchObject({ code: 2 });
    const viewer = {
      ...settings(),
      TRADELINE_OPERATOR_KEY: await ensureOperator(world(), 'vera', { role: 'VIEW' }),
    };
    const path = folder.write('view.xml', camt054({ entries: [] }));
    expect((await run(['import', path, ...WHY], viewer)).stderr).toMatch(/VIEW/);
  });

  it('knows a British account by its IBAN and by its numbers', async () => {
    const changed = await importing(
      camt053({
        iban: 'GB33BUKB20000055779911',
        currency: 'GBP',
        entries: [{ amount: 100, text: 'pounds' }],
      }),
    );
    expect(changed.stdout).toMatch(/1 entries, 1 of them new/);
  });
});
