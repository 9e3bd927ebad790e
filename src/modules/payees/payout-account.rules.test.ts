import { describe, expect, it } from 'vitest';
import {
  accountOf,
  detailIssues,
  maskAccount,
  type PayoutDetails,
  readDetails,
} from './payout-account.rules.ts';

const SEPA = { beneficiary_name: 'N', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' };
const SWIFT = {
  beneficiary_name: 'N',
  account_number: '000123456789',
  bic: 'CHASUS33',
  bank_name: 'B',
  bank_address: 'A',
};

describe('the details of an account', () => {
  it.each<[string, 'SEPA' | 'SWIFT', PayoutDetails]>([
    ['a German IBAN with a German BIC', 'SEPA', SEPA],
    [
      'a British IBAN with the BIC of Jersey',
      'SEPA',
      { ...SEPA, iban: 'GB29NWBK60161331926819', bic: 'MIDLJES1' },
    ],
    [
      'a French IBAN with the BIC of Réunion',
      'SEPA',
      { ...SEPA, iban: 'FR1420041010050500013M02606', bic: 'BNPARERX' },
    ],
    [
      'a Finnish IBAN with the BIC of Åland',
      'SEPA',
      { ...SEPA, iban: 'FI2112345600000785', bic: 'AABAAX2H' },
    ],
    ['a number of a country without IBANs', 'SWIFT', SWIFT],
    [
      'an IBAN by SWIFT',
      'SWIFT',
      { ...SWIFT, account_number: 'PL61109010140000071219812874', bic: 'WBKPPLPP' },
    ],
    [
      'an IBAN outside SEPA by SWIFT',
      'SWIFT',
      { ...SWIFT, account_number: 'TR330006100519786457841326', bic: 'TCZBTR2A' },
    ],
  ])('fit together: %s', (_, type, details) => {
    expect(detailIssues(type, details)).toEqual([]);
  });

  it.each<[string, 'SEPA' | 'SWIFT', PayoutDetails, string, string]>([
    [
      'a country outside SEPA',
      'SEPA',
      { ...SEPA, iban: 'TR330006100519786457841326' },
      'iban',
      'INVALID_VALUE',
    ],
    ['a BIC of another country', 'SEPA', { ...SEPA, bic: 'PSSTFRPP' }, 'bic', 'INVALID_VALUE'],
    [
      'a mistyped IBAN by SWIFT',
      'SWIFT',
      { ...SWIFT, account_number: 'PL61109010140000071219812875' },
      'account_number',
      'INVALID_FORMAT',
    ],
    [
      'an IBAN by SWIFT with a BIC of another country',
      'SWIFT',
      { ...SWIFT, account_number: 'PL61109010140000071219812874' },
      'bic',
      'INVALID_VALUE',
    ],
  ])('do not fit together: %s', (_, type, details, field, code) => {
    expect(detailIssues(type, details)).toMatchObject([{ path: `body.${field}`, code }]);
  });

  it('are read without spaces, in capitals, and only those of the type', () => {
    const sent = {
      ...SEPA,
      iban: 'de89 3704 0044 0532 0130 00',
      bic: 'cobadeff',
      beneficiary_name: ' Nord AG ',
    };
    expect(readDetails('SEPA', sent)).toEqual({
      beneficiary_name: 'Nord AG',
      iban: 'DE89370400440532013000',
      bic: 'COBADEFF',
    });
  });
});

describe('an account', () => {
  it('is the same by SEPA and by SWIFT, and at each branch of a bank', () => {
    const bySwift = { ...SWIFT, account_number: SEPA.iban, bic: SEPA.bic };
    expect(accountOf(bySwift)).toBe(accountOf(SEPA));
    expect(accountOf({ ...SWIFT, bic: 'CHASUS33ABC' })).toBe(accountOf(SWIFT));
    expect(accountOf({ ...SWIFT, bic: 'BOFAUS3N' })).not.toBe(accountOf(SWIFT));
  });

  it('is shown by its last four characters', () => {
    expect(maskAccount(SEPA)).toBe('…3000');
    expect(maskAccount({ sort_code: '601613', account_number: '31926819' })).toBe('…6819');
  });
});
