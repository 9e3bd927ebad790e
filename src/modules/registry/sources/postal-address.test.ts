import { describe, expect, it } from 'vitest';
import { patience } from '#test/patience';
import { parseAddressText, postalAddressOf } from './postal-address.ts';

const empty = { street: null, house: null, postcode: null, city: null, additional: null };

describe('an address in one text', () => {
  it.each([
    ['AT', 'Ringstraße 4\n1010 Wien', { street: 'Ringstraße', house: '4', postcode: '1010', city: 'Wien' }],
    [
      'BE',
      'Havenlaan 2\n1080 Sint-Jans-Molenbeek',
      { street: 'Havenlaan', house: '2', postcode: '1080', city: 'Sint-Jans-Molenbeek' },
    ],
    [
      'BE',
      'Rue de la Loi 16 bte 3\n1000 Bruxelles',
      { street: 'Rue de la Loi 16 bte 3', postcode: '1000', city: 'Bruxelles' },
    ],
    [
      'CZ',
      'Dlouhá 1444/2\nPRAHA 4 - MICHLE\n140 00  PRAHA 4',
      {
        street: 'Dlouhá',
        house: '1444/2',
        additional: 'PRAHA 4 - MICHLE',
        postcode: '140 00',
        city: 'PRAHA 4',
      },
    ],
    [
      'DE',
      'Hauptstr. 5-7a\nD-10115 Berlin',
      { street: 'Hauptstr.', house: '5-7a', postcode: '10115', city: 'Berlin' },
    ],
    ['DE', 'Musterweg\n10115 Berlin', { street: 'Musterweg', postcode: '10115', city: 'Berlin' }],
    [
      'DK',
      'Nørregade 1\n1165 København K',
      { street: 'Nørregade', house: '1', postcode: '1165', city: 'København K' },
    ],
    [
      'EE',
      'Pikk tn 145   13417 TALLINN',
      { street: 'Pikk tn', house: '145', postcode: '13417', city: 'TALLINN' },
    ],
    ['ES', 'CALLE MAYOR 1\n28013 MADRID', { street: 'CALLE MAYOR 1', postcode: '28013', city: 'MADRID' }],
    [
      'FI',
      'Rantatie 2-4\n02150 ESPOO',
      { street: 'Rantatie', house: '2-4', postcode: '02150', city: 'ESPOO' },
    ],
    [
      'FR',
      '16 BIS RUE DE LA SOIE\n69003 LYON',
      { street: 'RUE DE LA SOIE', house: '16 BIS', postcode: '69003', city: 'LYON' },
    ],
    [
      'FR',
      'ZI NORD\n3 RUE 8 MAI 1945\n69003 LYON',
      { street: 'RUE 8 MAI 1945', house: '3', additional: 'ZI NORD', postcode: '69003', city: 'LYON' },
    ],
    [
      'FR',
      'ZONE INDUSTRIELLE\nLE BOURG\n01000 BOURG',
      { street: 'ZONE INDUSTRIELLE', additional: 'LE BOURG', postcode: '01000', city: 'BOURG' },
    ],
    [
      'GR',
      'ΠΑΝΕΠΙΣΤΗΜΙΟΥ 25 10564 - ΑΘΗΝΑ',
      { street: 'ΠΑΝΕΠΙΣΤΗΜΙΟΥ 25', postcode: '10564', city: 'ΑΘΗΝΑ' },
    ],
    ['HR', 'Ilica 5, 10000 Zagreb', { street: 'Ilica', house: '5', postcode: '10000', city: 'Zagreb' }],
    [
      'IT',
      'VIA ROMA 12/A \n20121 MILANO MI\n',
      { street: 'VIA ROMA', house: '12/A', postcode: '20121', city: 'MILANO' },
    ],
    [
      'IT',
      'STRADA STATALE 16\n70100 BARI (BA)',
      { street: 'STRADA STATALE 16', postcode: '70100', city: 'BARI' },
    ],
    [
      'IT',
      'VIA XXV APRILE 1945\n20017 RHO',
      { street: 'VIA XXV APRILE 1945', postcode: '20017', city: 'RHO' },
    ],
    [
      'LT',
      'Ozo g. 25, LT-08217 Vilnius',
      { street: 'Ozo g.', house: '25', postcode: '08217', city: 'Vilnius' },
    ],
    [
      'LU',
      '12, rue Fictive\nL-1234  LUXEMBOURG',
      { street: 'rue Fictive', house: '12', postcode: '1234', city: 'LUXEMBOURG' },
    ],
    [
      'NL',
      '\nKERKSTRAAT 00012 A\n1017 gc AMSTERDAM\n',
      { street: 'KERKSTRAAT', house: '12 A', postcode: '1017 GC', city: 'AMSTERDAM' },
    ],
    [
      'NL',
      'POSTBUS 77\n1000AA AMSTERDAM',
      { additional: 'POSTBUS 77', postcode: '1000AA', city: 'AMSTERDAM' },
    ],
    ['NL', 'PLEIN 1944\n6500 AB NIJMEGEN', { street: 'PLEIN 1944', postcode: '6500 AB', city: 'NIJMEGEN' }],
    [
      'PL',
      'UL. PROSTA 51\n00-838 WARSZAWA',
      { street: 'UL. PROSTA', house: '51', postcode: '00-838', city: 'WARSZAWA' },
    ],
    [
      'PL',
      'UL. PROSTA 51 LOK. 3\n00-838 WARSZAWA',
      { street: 'UL. PROSTA 51 LOK. 3', postcode: '00-838', city: 'WARSZAWA' },
    ],
    [
      'PT',
      'RUA FICTICIA N 12 3 ESQ\nLISBOA\n1000-001 LISBOA',
      { street: 'RUA FICTICIA N 12 3 ESQ', postcode: '1000-001', city: 'LISBOA' },
    ],
    ['SE', 'BOX 123 \n101 20 STOCKHOLM', { additional: 'BOX 123', postcode: '101 20', city: 'STOCKHOLM' }],
    [
      'SI',
      'SLOVENSKA CESTA 056, LJUBLJANA, 1000 LJUBLJANA',
      { street: 'SLOVENSKA CESTA', house: '56', postcode: '1000', city: 'LJUBLJANA' },
    ],
    [
      'SK',
      'Hlavná 8\n908 76 Kuklov\nSlovensko',
      { street: 'Hlavná', house: '8', postcode: '908 76', city: 'Kuklov' },
    ],
    ['SK', '908 76 Kuklov\nSlovensko', { postcode: '908 76', city: 'Kuklov' }],
  ])('of %s is read: %j', (country, text, expected) => {
    expect(parseAddressText(text, country)).toEqual({ ...empty, country, ...expected });
  });

  it.each([
    [
      'RO',
      'MUNICIPIUL BUCUREŞTI, SECTOR 1\nSTR. FICTIVĂ NR. 5',
      'MUNICIPIUL BUCUREŞTI, SECTOR 1, STR. FICTIVĂ NR. 5',
    ],
    ['IE', 'UNIT 4, HARBOUR PARK, CORK', 'UNIT 4, HARBOUR PARK, CORK'],
    ['HU', '1117 BUDAPEST Kitalált utca 18.', '1117 BUDAPEST Kitalált utca 18.'],
    ['DE', 'Irgendwo 5\nBerlin', 'Irgendwo 5, Berlin'],
    ['DE', '1234 Berlin', '1234 Berlin'],
    ['AT', 'Ringstraße 4 1010 Wien', 'Ringstraße 4 1010 Wien'],
    ['PL', 'WARSZAWA\n00838', 'WARSZAWA, 00838'],
    ['GR', 'ΟΔΟΣ 25 10564 11111 - ΑΘΗΝΑ', 'ΟΔΟΣ 25 10564 11111 - ΑΘΗΝΑ'],
    ['AT', ', 1212', ', 1212'],
    ['ZZ', 'Somewhere 5\n12345 Elsewhere', 'Somewhere 5, 12345 Elsewhere'],
  ])('of %s stays whole if it is not certain: %j', (country, text, street) => {
    expect(parseAddressText(text, country)).toEqual({ ...empty, country, street });
  });

  it('has no empty street before a comma', () => {
    expect(parseAddressText(', 1212 Box', 'AT')).toEqual({
      ...empty,
      country: 'AT',
      postcode: '1212',
      city: 'Box',
    });
  });

  it.each(['', '---', ' \n - \n', '\u0000\n'])('is empty but for its country: %j', (text) => {
    expect(parseAddressText(text, 'DE')).toEqual({ ...empty, country: 'DE' });
  });

  it('is read in a moment, however it was made', () => {
    const texts = [
      '1 '.repeat(250),
      'a'.repeat(499),
      `${'a 1-'.repeat(120)}`,
      'a,'.repeat(249),
      ' '.repeat(50_000),
    ];
    const startedMs = performance.now();
    for (const country of ['DE', 'GR', 'FR', 'IT', 'SI', 'EE']) {
      for (const text of texts) parseAddressText(`${text}\n${text}`, country);
    }
    expect(performance.now() - startedMs).toBeLessThan(patience(1));
  });
});

describe('an address in parts', () => {
  const known = { postcode: '10115', city: 'Berlin', country: 'DE' };

  it('takes the number of the house from its own field', () => {
    expect(postalAddressOf({ ...known, lines: ['Hauptstraße'], house: '5' })).toMatchObject({ house: '5' });
    expect(postalAddressOf({ ...known, lines: ['Haus 5 am Wald'], house: '5' })).toMatchObject({
      street: 'Haus 5 am Wald',
      house: null,
    });
  });

  it('keeps lines whole if two of them could be the street', () => {
    expect(postalAddressOf({ ...known, lines: ['Gebäude 7', 'Hauptstraße 5', 'c/o Erdacht'] })).toMatchObject(
      {
        street: 'Gebäude 7',
        house: null,
        additional: 'Hauptstraße 5, c/o Erdacht',
      },
    );
  });

  it('is never cut within a character', () => {
    const { street, additional } = postalAddressOf({ ...known, lines: [`a${'𠮷'.repeat(100)}`] });
    expect([street, additional]).toEqual([`a${'𠮷'.repeat(69)}`, '𠮷'.repeat(31)]);
  });

  it('is no longer than what a buyer may have', () => {
    const address = postalAddressOf({
      lines: [`${'Langeweg '.repeat(20)}`.trim(), 'x'.repeat(300)],
      house: '9'.repeat(30),
      postcode: '1'.repeat(30),
      city: 'y'.repeat(300),
      country: 'DE',
    });
    expect(address.street).toBe('Langeweg '.repeat(15).trim());
    expect(address.additional).toHaveLength(140);
    expect(address.additional).toMatch(/^Langeweg Langeweg Langeweg Langeweg Langeweg, x+$/);
    expect([address.house, address.postcode, address.city].map((part) => part?.length)).toEqual([
      20, 16, 100,
    ]);
  });
});
