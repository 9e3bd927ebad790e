import { describe, expect, it } from 'vitest';
import { COUNTRIES } from './country.ts';
import { isRegisterId, registerIdExample } from './register-id.ts';

const TABLE: [country: string, accepted: string[], refused: string[]][] = [
  [
    'DE',
    [
      'HRB 12345',
      'HRB12345 B',
      'HR B 12345',
      'HRB Nr. 12345',
      'Amtsgericht München HRA 1',
      'GnR 487 B Berlin (Charlottenburg)',
      'DEK1101R.HRB116737',
    ],
    ['12345', 'HRB', 'DE136695976'],
  ],
  ['AT', ['FN 123456 a', '123456a', 'FN 1 z', 'FN 123456a HG Wien'], ['FN 123456', '1234567a']],
  ['BE', ['0428.759.497', '428759497', 'BCE 0428759497', '0428759497 RPR Gent'], ['0428759498', '42875949']],
  [
    'CH',
    ['CHE-116.281.710', '116281710', 'CHE-116.281.710 HR', 'CH-020.3.020.910-7'],
    ['CHE-116.281.711', 'CHE-116'],
  ],
  ['CZ', ['25123891', 'IČO 25123891', '00006947'], ['25123892', '251238911']],
  ['DK', ['13585628', 'CVR 13 58 56 28'], ['13585629', '1358562']],
  ['EE', ['10345833'], ['1034583']],
  ['FI', ['2077474-0', '20774740', 'FI-2077474-0'], ['2077474-1', '207747401']],
  [
    'FR',
    [
      '552 032 534',
      'RCS Paris B 552 032 534',
      '552 032 534 RCS Paris',
      '55203253400646',
      'SIREN 552032534',
      'FR7501.552032534',
    ],
    ['552032535', '55203253'],
  ],
  [
    'GB',
    ['00445790', '445790', 'SC123456', 'OC301234', 'NI012345', 'IP12345R', 'Company No. 00445790'],
    ['123456789', 'GB980780684', 'ABC123'],
  ],
  ['NL', ['12345678', 'KvK 12345678', '123456780000'], ['1234567', 'NL004495445B01']],
  ['NO', ['974 760 673', '974760673 MVA'], ['974760674', '97476067']],
  ['PL', ['0000019193', 'KRS 0000019193'], ['19193']],
  ['SE', ['556012-5790', '16556012-5790', 'Orgnr 5560125790'], ['556012-5791', '556012']],
];

describe('isRegisterId', () => {
  describe.each(TABLE)('%s', (country, accepted, refused) => {
    it.each(accepted)('accepts %j', (value) => expect(isRegisterId(value, country)).toBe(true));
    it.each(refused)('refuses %j', (value) => expect(isRegisterId(value, country)).toBe(false));
  });

  it.each(['US', 'IT', 'JP'])('accepts anything in %s, whose format is not known', (country) =>
    expect([isRegisterId('№ 7/anything', country), registerIdExample(country)]).toEqual([true, null]),
  );

  it('accepts the example of every country', () => {
    const checked = COUNTRIES.filter((country) => registerIdExample(country) !== null);
    expect(checked).toHaveLength(14);
    for (const country of checked)
      expect([country, isRegisterId(registerIdExample(country) as string, country)]).toEqual([country, true]);
  });
});
