import { describe, expect, it } from 'vitest';
import { isVatId, isVatIdFormat } from './vat-id.ts';

/** Country → spellings accepted, spellings refused. Northern Ireland is GB with the prefix XI. */
const TABLE: [country: string, accepted: string[], refused: string[]][] = [
  [
    'AT',
    ['ATU13585627', 'U13585627', 'at u13 585 627', 'ATU-1358.5627'],
    ['AT13585627', 'ATU1358562', 'ATU135856277', 'DEU13585627'],
  ],
  [
    'BE',
    ['BE0428759497', '0428.759.497', 'BE 1000.000.001', 'be0428759497'],
    ['BE2428759497', 'BE428759497', 'BE04287594970', 'BE042875949A'],
  ],
  [
    'BG',
    ['BG175074752', '175074752', 'BG7523169263', 'bg 752 316 9263'],
    ['BG17507475', 'BG75231692630', 'BG17507475A', 'RO175074752'],
  ],
  [
    'HR',
    ['HR33392005961', '33392005961', 'HR 333 920 059 61', 'hr33392005961'],
    ['HR3339200596', 'HR333920059611', 'HR3339200596A', 'SI33392005961'],
  ],
  [
    'CY',
    ['CY10259033P', '10259033P', 'CY 99200002 N', 'cy10259033p'],
    ['CY102590334', 'CY1025903P', 'CY10259033PP', 'CYP10259033'],
  ],
  [
    'CZ',
    ['CZ25123891', '25123891', 'CZ640903926', 'CZ7103192745'],
    ['CZ2512389', 'CZ25123891000', 'CZ2512389A', 'SK25123891'],
  ],
  [
    'DK',
    ['DK13585628', '13585628', 'DK 13 58 56 28', 'dk-13585628'],
    ['DK1358562', 'DK135856280', 'DK1358562A', 'SE13585628'],
  ],
  [
    'EE',
    ['EE100931558', '100931558', 'EE 100 594 102', 'EE200931558'],
    ['EE10093155', 'EE1009315580', 'EE10093155A', 'LV100931558'],
  ],
  [
    'FI',
    ['FI20774740', '20774740', 'FI 2077474-0', 'fi20774740'],
    ['FI2077474', 'FI207747400', 'FI2077474A', 'SE20774740'],
  ],
  [
    'FR',
    [
      'FR40303265045',
      '40303265045',
      'FR K7 399 859 412',
      'FR4Z123456782',
      'FRAB123456782',
      'FR123456789',
      'FRFR123456789',
    ],
    ['FR4030326504', 'FR403032650455', 'FRIO303265045', 'FR40A03265045'],
  ],
  [
    'DE',
    ['DE136695976', '136695976', 'DE 136 695 976', 'de136695976'],
    ['DE036695976', 'DE13669597', 'DE1366959766', 'ATU36695976'],
  ],
  [
    'GR',
    ['EL094259216', '094259216', 'GR094259216', 'el 094 259 216'],
    ['EL09425921', 'EL0942592166', 'GR09425921A', 'GREL094259216A'],
  ],
  [
    'HU',
    ['HU12892312', '12892312', 'HU 1289 2312', 'hu12892312'],
    ['HU1289231', 'HU12892312242', 'HU1289231A', 'AT12892312'],
  ],
  [
    'IE',
    [
      'IE6433435F',
      '6433435F',
      'IE6433435OA',
      'IE3206488LH',
      'IE1234567TW',
      'IE8F52100V',
      'IE8D79739I',
      'IE3+23456A',
      'IE7*23456A',
    ],
    ['IE64334356', 'IE6433435X', 'IE6433435FAA', 'IE643343F', 'IE8)52100V'],
  ],
  [
    'IT',
    ['IT00743110157', '00743110157', 'IT 007 4311 0157', 'it00743110157'],
    ['IT0074311015', 'IT007431101577', 'ITRSSMRA80A01H501U', 'IT0074311015A'],
  ],
  [
    'LV',
    ['LV40003521600', '40003521600', 'LV 400 035 216 00', 'lv40003521600'],
    ['LV4000352160', 'LV400035216000', 'LV4000352160A', 'LT40003521600'],
  ],
  [
    'LT',
    ['LT119511515', '119511515', 'LT100001919017', 'lt 100 001 919 017'],
    ['LT1000019190', 'LT10000191901', 'LT11951151', 'LT11951151A'],
  ],
  [
    'LU',
    ['LU15027442', '15027442', 'LU 150 274 42', 'lu15027442'],
    ['LU1502744', 'LU150274422', 'LU1502744A', 'BE15027442'],
  ],
  [
    'MT',
    ['MT11679112', '11679112', 'MT 1167 9112', 'mt11679112'],
    ['MT1167911', 'MT116791122', 'MT01679112', 'MT1167911A'],
  ],
  [
    'NL',
    ['NL004495445B01', '004495445B01', 'NL002342672B42', 'nl 0044.95.445.b.01'],
    ['NL004495445', 'NL004495445A01', 'NL00449544B01', 'NL004495445B1'],
  ],
  [
    'PL',
    ['PL8567346215', '8567346215', 'PL 856-734-62-15', 'pl8567346215'],
    ['PL856734621', 'PL85673462155', 'PL856734621A', 'DE8567346215'],
  ],
  [
    'PT',
    ['PT501964843', '501964843', 'PT 501 964 843', 'pt501964843'],
    ['PT50196484', 'PT5019648433', 'PT50196484A', 'ES501964843'],
  ],
  [
    'RO',
    ['RO18547290', '18547290', 'RO24', 'ro1234567890'],
    ['RO1', 'RO12345678901', 'RO01854729', 'RO1854729A'],
  ],
  [
    'SK',
    ['SK2022749619', '2022749619', 'SK 202 274 96 19', 'SK1012749619'],
    ['SK202274961', 'SK20227496199', 'SK0022749619', 'CZ2022749619'],
  ],
  [
    'SI',
    ['SI50223054', '50223054', 'SI 5022 3054', 'si50223054'],
    ['SI5022305', 'SI502230544', 'SI05022305', 'SI5022305A'],
  ],
  [
    'ES',
    [
      'ESA28015865',
      'B84937783',
      'ES54362315K',
      'ESX2482300W',
      'ES-Q2826004-J',
      'ESN0032001J',
      'ESJ2854880H',
      'M1503708Z',
    ],
    ['ES282015865', 'ESA2801586', 'ESA280158655', 'ESAB8015865'],
  ],
  [
    'SE',
    ['SE556012579001', '556012579001', 'SE 556012-5790 01', 'se556012579001'],
    ['SE5560125790', 'SE556012579002', 'SE55601257901', 'SE5560125790AA'],
  ],
  [
    'GB',
    ['GB980780684', '980 7806 84', 'GB123456789001', 'GBGD001', 'HA500', 'gb 980-7806-84'],
    ['GB98078068', 'GB9807806844', 'GBGD01', 'GBXX001'],
  ],
  [
    'GB',
    ['XI980780684', 'xi 980 7806 84', 'XI123456789001', 'XIGD001', 'XIHA599'],
    ['XI98078068', 'XI9807806844', 'XIGD0011', 'XI98078068A', 'IX980780684'],
  ],
  [
    'CH',
    [
      'CHE-116.281.710 MWST',
      'CHE116281710',
      'CHE-116.281.710 TVA',
      'che-116.281.710 iva',
      '116.281.710',
      'CH116281710',
      'CHE‑116.281.710',
    ],
    ['CHE-116.281.71', 'CHE-116.281.710 VATX', 'CHE1162817100', 'DE116281710'],
  ],
  [
    'NO',
    ['NO 974 760 673 MVA', '974760673MVA', 'NO974760673', '974 760 673'],
    ['NO97476067', 'NO9747606733MVA', 'NO974760673MOMS', 'SE974760673'],
  ],
  [
    'BR',
    ['12.345.678/0001-95', 'BR12345678000195', '12.ABC.345/01DE-35'],
    ['12.345.678/0001', '12ABC34501DEAB'],
  ],
  ['AU', ['51 824 753 556', 'AU51824753556'], ['5182475355']],
];

describe('isVatIdFormat', () => {
  describe.each(TABLE)('%s', (country, accepted, refused) => {
    it.each(accepted)('accepts %j', (value) => expect(isVatIdFormat(value, country)).toBe(true));
    it.each(refused)('refuses %j', (value) => expect(isVatIdFormat(value, country)).toBe(false));
    it.each(['', ' ', '-', country, '\u0000'])('refuses %j', (value) =>
      expect(isVatIdFormat(value, country)).toBe(false),
    );
  });

  it('does not look at check digits', () => expect(isVatIdFormat('DE111111111', 'DE')).toBe(true));

  describe('a country without a format in the library', () => {
    it.each(['12', 'anything-goes/7 №', '7'.repeat(48), '番号123'])('accepts %j', (value) =>
      expect(isVatIdFormat(value, 'JP')).toBe(true),
    );
    it.each(['', '1', '7'.repeat(49), '12\n34', '12\u200b34', '   '])('refuses %j', (value) =>
      expect(isVatIdFormat(value, 'JP')).toBe(false),
    );
  });
});

/** Numbers in use, or examples printed by tax offices. */
const RIGHT: [country: string, value: string][] = [
  ['AT', 'ATU13585627'],
  ['AU', '51 824 753 556'],
  ['BE', 'BE0428759497'],
  ['BG', 'BG175074752'],
  ['BR', '12.345.678/0001-95'],
  ['CH', 'CHE-116.281.710 MWST'],
  ['CY', 'CY10259033P'],
  ['CZ', 'CZ25123891'],
  ['DE', 'DE136695976'],
  ['DK', 'DK13585628'],
  ['EE', 'EE100931558'],
  ['ES', 'ESA28015865'],
  ['ES', 'ES54362315K'],
  ['ES', 'ESX2482300W'],
  ['ES', 'ES-Q2826004-J'],
  ['ES', 'ESN0032001J'],
  ['ES', 'ESJ99216582'],
  ['FI', 'FI20774740'],
  ['FR', 'FR40303265045'],
  ['GB', 'GB980780684'],
  ['GB', 'XI980780684'],
  ['GR', 'EL094259216'],
  ['HR', 'HR33392005961'],
  ['HU', 'HU12892312'],
  ['IE', 'IE6433435F'],
  ['IE', 'IE6433435OA'],
  ['IE', 'IE8D79739I'],
  ['IT', 'IT00743110157'],
  ['LT', 'LT119511515'],
  ['LT', 'LT100001919017'],
  ['LU', 'LU15027442'],
  ['LV', 'LV40003521600'],
  ['MT', 'MT11679112'],
  ['NL', 'NL004495445B01'],
  ['NO', 'NO 974 760 673 MVA'],
  ['PL', 'PL8567346215'],
  ['PT', 'PT501964843'],
  ['RO', 'RO18547290'],
  ['SE', 'SE556012579001'],
  ['SI', 'SI50223054'],
  ['SK', 'SK2022749619'],
];

describe('isVatId', () => {
  it.each(RIGHT)('of %s accepts %s', (country, value) => expect(isVatId(value, country)).toBe(true));

  it.each(RIGHT)('of %s refuses %s with another digit in one place', (country, value) => {
    // From the end, because in some countries the first digits are a code that the check leaves out.
    const at =
      value.search(/\d\D*$/) - (country === 'SE' || country === 'NL' ? (country === 'SE' ? 2 : 3) : 0);
    const others = [...'0123456789'].filter((digit) => digit !== value[at]);
    const accepted = others.filter((digit) =>
      isVatId(value.slice(0, at) + digit + value.slice(at + 1), country),
    );
    expect(accepted).toEqual([]);
  });

  it.each([
    ['FR', 'FRAB123456782', 'a key of letters'],
    ['CZ', 'CZ640903926', 'a birth number'],
    ['LV', 'LV32987654321', 'a code of a person from 2017 on'],
    ['BR', '12.ABC.345/01DE-35', 'a number with letters'],
    ['GB', 'GBGD001', 'a department of the government'],
    ['JP', 'T1234567890123', 'a country without a format'],
  ])('of %s accepts %s: %s has no certain check digit', (country, value) =>
    expect(isVatId(value, country)).toBe(true),
  );
});
