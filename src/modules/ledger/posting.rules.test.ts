import { describe, expect, expectTypeOf, it } from 'vitest';
import { ACCOUNT_CODES, ACCOUNTS, credit, debit, type LedgerLine } from './account.rules.ts';
import { linesOf } from './posting.rules.ts';

const lines = (...of: LedgerLine[]) => linesOf({ cause: 'CORRECTED', lines: of });

describe('a line', () => {
  it('is positive as a debit and negative as a credit', () => {
    expect(debit('bank', 5, 'main')).toEqual({ account: 'bank', party: 'main', amountMinor: 5 });
    expect(credit('loss', 5)).toEqual({ account: 'loss', party: '', amountMinor: -5 });
  });

  it('takes a party exactly where the account has one', () => {
    expectTypeOf(debit<'bank'>).parameters.toEqualTypeOf<['bank', number, party: string]>();
    expectTypeOf(debit<'loss'>).parameters.toEqualTypeOf<['loss', number]>();
    for (const account of ACCOUNT_CODES) {
      const party = ACCOUNTS[account].party === null ? '' : 'somebody';
      const line = { account, party, amountMinor: 1 };
      const wrong = { ...line, party: party === '' ? 'somebody' : '' };
      expect(lines(line, debit('suspense', -1))).toHaveLength(2);
      expect(() => lines(wrong, debit('suspense', -1))).toThrow(`as the party of ${account}`);
    }
  });
});

describe('an entry', () => {
  it('leaves out lines of 0', () => {
    expect(lines(debit('loss', 3), credit('recovery', 3), debit('bank_charges', 0))).toHaveLength(2);
  });

  it.each([
    ['no line', [], 'fewer than two lines'],
    ['one line', [debit('loss', 1)], 'fewer than two lines'],
    ['lines of 0 only', [debit('loss', 0), credit('recovery', 0)], 'fewer than two lines'],
    ['a cent too much', [debit('loss', 100), credit('recovery', 99)], 'sum to 1 and not to zero'],
    ['half a cent', [debit('loss', 0.5), credit('recovery', 0.5)], 'no whole amount'],
    ['no number', [debit('loss', Number.NaN), credit('recovery', 1)], 'no whole amount'],
    [
      'amounts beyond exact integers',
      [debit('loss', 2 ** 53), credit('recovery', 2 ** 53)],
      'no whole amount',
    ],
    ['a party with a space', [debit('bank', 1, 'my bank'), credit('recovery', 1)], "'my bank' as the party"],
  ])('with %s is refused', (_, of, message) => {
    expect(() => lines(...of)).toThrow(message);
  });

  it('sums exactly where floating point would not', () => {
    const large = Number.MAX_SAFE_INTEGER;
    const of = [debit('loss', large), debit('loss', large), debit('loss', 1)];
    expect(() => lines(...of, credit('recovery', large), credit('recovery', large))).toThrow('sum to 1');
  });
});
