import { describe, expect, it } from 'vitest';
import { groupedIban, maskIban, readBic, readIban } from './iban.ts';

describe('an IBAN', () => {
  it.each([
    ['DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
    ['gb29nwbk60161331926819', 'GB29NWBK60161331926819'],
    ['NO93 8601 1117 947', 'NO9386011117947'],
    ['MT84 MALT 0110 0001 2345 MTLC AST0 01S', 'MT84MALT011000012345MTLCAST001S'],
  ])('is read from %s', (text, iban) => {
    expect(readIban(text)).toBe(iban);
  });

  it.each([
    'DE88370400440532013000',
    'DE89370400440532031000',
    '89370400440532013000',
    'DE89',
    '',
    'DE89-3704',
    'DE89-3704-0044-0532-0130-00',
    // The check digits match, but the length is wrong for the country.
    'DE8937040044053201300',
    'XX82WEST12345698765432',
  ])('is not %j', (text) => {
    expect(readIban(text)).toBeNull();
  });

  it('is masked but for its beginning and its end', () => {
    expect(maskIban('DE89370400440532013000')).toBe('DE89…3000');
  });

  it('is printed in groups of four', () => {
    expect(groupedIban('NO9386011117947')).toBe('NO93 8601 1117 947');
    expect(groupedIban('DE89370400440532013000')).toBe('DE89 3704 0044 0532 0130 00');
  });
});

it.each([
  ['cobadeff', 'COBADEFF'],
  ['COBADEFFXXX', 'COBADEFFXXX'],
  ['COBADEFF1', null],
  // There is no such country.
  ['COBAZZFF', null],
  ['', null],
])('reads the BIC of %j as %j', (text, bic) => {
  expect(readBic(text)).toBe(bic);
});
