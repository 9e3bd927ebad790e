import { describe, expect, it } from 'vitest';
import { COUNTRIES } from './country.ts';
import { isPostcode, postcodeExample } from './postcode.ts';

const TABLE: [country: string, accepted: string[], refused: string[]][] = [
  [
    'DE',
    ['10115', 'D-10115', 'DE 10115', ' 10115 ', '１０１１５'],
    ['1011', '101155', '1O115', 'A-10115', '-'],
  ],
  ['AT', ['1010', 'A-1010', 'AT-1010'], ['101', '10100']],
  ['CH', ['8001', 'CH-8001'], ['80010']],
  ['LI', ['9490', 'FL-9490'], ['949']],
  ['FR', ['75002', '75 002', 'F-75002', '97410', '75398 CEDEX 08', '75398 Cedex'], ['7500', '75002 Paris']],
  ['RE', ['97410'], ['9741']],
  ['NL', ['1012 AB', '1012AB', '1012 ab', 'NL-1012 AB'], ['1012', '0012 AB', '1012 A']],
  [
    'GB',
    ['SW1A 1AA', 'sw1a1aa', 'M1 1AE', 'B33 8TH', 'CR2 6XH', 'DN55 1PT', 'GIR 0AA', 'BFPO 61', 'JE2 4WE'],
    ['SW1A', '10115', 'SW1A 1A'],
  ],
  ['GI', ['GX11 1AA', 'anything'], []],
  ['FK', ['FIQQ 1ZZ'], ['FIQQ']],
  [
    'IE',
    ['D02 X285', 'D02X285', 'A65 F4E2', 'D6W XY00', 'D02', 'Dublin 2', 'D2', 'Dublin 6W'],
    ['10115', 'X', 'DUBLIN'],
  ],
  ['PL', ['00-950', '00950'], ['00-95']],
  ['PT', ['1250-096', '1250096', '1250', 'P-1250-096'], ['1250-09']],
  ['SE', ['114 55', '11455', 'SE-114 55', 'S-114 55'], ['1145']],
  ['GR', ['151 24', '15124'], ['1512']],
  ['LV', ['LV-1010', '1010'], ['LT-1010']],
  ['LT', ['LT-01103', '01103'], ['1103']],
  ['FI', ['00100', 'FI-00100', 'FIN-00100', 'SF-00100'], ['100']],
  ['AX', ['22100', 'AX-22100'], ['2210']],
  ['MT', ['VLT 1117', 'VLT1117', 'NXR 01'], ['1117']],
  ['US', ['10001', '10001-1234', '10001 1234'], ['1000', '10001-12']],
  ['CA', ['K1A 0B1', 'k1a0b1'], ['K1A', 'D1A 0B1']],
  ['BR', ['01310-100', '01310100'], ['01310']],
  ['JP', ['100-0001', '1000001'], ['100']],
  ['KR', ['03051', '110-110'], ['0305']],
  ['IN', ['110034', '110 034'], ['11003']],
  ['IS', ['101', 'IS-101'], ['1010']],
];

describe('isPostcode', () => {
  describe.each(TABLE)('%s', (country, accepted, refused) => {
    it.each(accepted)('accepts %j', (text) => expect(isPostcode(text, country)).toBe(true));
    it.each(refused)('refuses %j', (text) => expect(isPostcode(text, country)).toBe(false));
  });

  it.each(['AE', 'HK', 'PA', 'QA', 'BA', 'RS'])(
    'accepts anything in %s, where addresses need none',
    (country) => {
      for (const text of ['-', '0', 'PO Box 9', '00000']) expect(isPostcode(text, country)).toBe(true);
      expect(postcodeExample(country)).toBeNull();
    },
  );

  it('accepts the example of every country', () => {
    const checked = COUNTRIES.filter((country) => postcodeExample(country) !== null);
    expect(checked.length).toBeGreaterThan(75);
    for (const country of checked)
      expect([country, isPostcode(postcodeExample(country) as string, country)]).toEqual([country, true]);
  });
});
