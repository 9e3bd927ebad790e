import { describe, expect, it } from 'vitest';
import { typedAmount } from './typed-amount.ts';

describe('typedAmount', () => {
  it.each([
    ['1234', 123_400],
    ['1234,5', 123_450],
    ['1.234,50', 123_450],
    ['1,234.50', 123_450],
    ['1 234,50', 123_450],
    ['1\u202f234,50\u00a0€', 123_450],
    ['€ 12', 1_200],
    ['EUR 12.00', 1_200],
    ['12 kr.', 1_200],
    ['1’234.–', 123_400],
    ['100,-', 10_000],
    ['١٬٢٣٤٫٥٠', 123_450],
    ['\u200f١٢٫٥ €\u200f', 1_250],
    ['１２．５', 1_250],
    ['1.234', 123_400],
    ['1.234.567', 123_456_700],
    ['0,01', 1],
    ['007', 700],
  ])('reads %j', (text, minor) => {
    expect(typedAmount(text, 'EUR')).toBe(minor);
  });

  it.each([
    '',
    ' ',
    '0',
    '0,00',
    '-5',
    '1.23.45',
    '1,23,456',
    '1.234 567',
    '12,345,6,7',
    '1e5',
    '1/2',
    '12 13',
    'twelve',
    '<b>1</b>',
    '9'.repeat(40),
    '10000000000,01',
  ])('refuses %j', (text) => {
    expect(typedAmount(text, 'EUR')).toBeNull();
  });

  it('has no decimals in a currency without them', () => {
    expect(['1234', '1,234', '￥1234', '12.5', '12.50'].map((text) => typedAmount(text, 'JPY'))).toEqual([
      1234,
      1234,
      1234,
      null,
      null,
    ]);
  });
});
