import { describe, expect, it } from 'vitest';
import { readXml, type XmlElement } from '#kernel/xml';
import { transferFaults } from '#test/bank-schemas';
import { patience } from '#test/patience';
import {
  printTransferFile,
  SEPA_AMOUNT_MAX,
  type Transfer,
  type TransferFile,
} from './transfer-file.rules.ts';

const address = {
  street: 'Große Elbstraße',
  house: '145a',
  postcode: '22767',
  city: 'Hamburg',
  country: 'DE',
  additional: null,
};

const transfer = (more: Partial<Transfer> = {}): Transfer => ({
  endToEndId: '5F0C6A0E6F0B4F6E9A550F0F3C1D2E4B',
  amountMinor: 11_600,
  details: {
    beneficiary_name: 'Nordlicht Kaffeerösterei & Söhne GmbH',
    iban: 'DE89370400440532013000',
    bic: 'COBADEFFXXX',
  },
  address,
  reference: '5f0c6a0e-6f0b-4f6e-9a55-0f0f3c1d2e4b',
  ...more,
});

const file = (more: Partial<TransferFile> = {}): TransferFile => ({
  fileId: '0B6F0A523C1E4A8B9F605D2C7C1E9A41',
  scheme: 'SEPA',
  currency: 'EUR',
  executionOn: '2026-01-05',
  createdAt: 1_767_225_600,
  debtor: {
    holder: 'Markthalle GmbH',
    iban: 'DE89370400440532013000',
    bic: 'COBADEFFXXX',
    town: 'Berlin',
    country: 'DE',
  },
  transfers: [transfer()],
  ...more,
});

/** Every element of a name, in order. */
function all(element: XmlElement, name: string): XmlElement[] {
  return [
    ...(element.name === name ? [element] : []),
    ...element.children.flatMap((child) => all(child, name)),
  ];
}
const textsOf = (xml: string, name: string) => all(readXml(xml), name).map(({ text }) => text);

describe('a pain.001 file', () => {
  const cases: [string, TransferFile][] = [
    ['one transfer', file()],
    ['a debtor without a BIC', file({ debtor: { ...file().debtor, bic: null } })],
    [
      'the largest and the smallest amount',
      file({
        transfers: [transfer({ amountMinor: SEPA_AMOUNT_MAX }), transfer({ amountMinor: 1 })],
      }),
    ],
    [
      'an address of postcode, city and country',
      file({
        transfers: [transfer({ address: { ...address, street: null, house: null } })],
      }),
    ],
    [
      'a town that cannot be written',
      file({
        transfers: [transfer({ address: { ...address, city: '＠＠' } })],
      }),
    ],
    [
      'texts of the longest length',
      file({
        transfers: [
          transfer({
            details: { ...transfer().details, beneficiary_name: 'Ä'.repeat(70) },
            address: { ...address, street: 'ß'.repeat(140), house: '1'.repeat(20), city: 'ü'.repeat(100) },
          }),
        ],
      }),
    ],
    [
      'a name with what XML escapes',
      file({
        debtor: { ...file().debtor, holder: `<A> & "B's" ]]>` },
      }),
    ],
  ];
  it.each(cases)(
    'is valid with %s',
    async (_, content) => expect(await transferFaults(printTransferFile(content))).toEqual([]),
    patience(60),
  );

  it(
    'is refused by the schema where it is wrong',
    async () => {
      const xml = printTransferFile(file()).replace('<TwnNm>Hamburg</TwnNm>', '<AdrLine>Hamburg</AdrLine>');
      expect(await transferFaults(xml)).not.toEqual([]);
    },
    patience(60),
  );

  it('counts and sums its transfers exactly, in the header and in the payment information', () => {
    const amounts = [1, 10, 99_999_999_999, 99_999_999_999, 123_456_789_01];
    const xml = printTransferFile(
      file({ transfers: amounts.map((amountMinor) => transfer({ amountMinor })) }),
    );
    expect(textsOf(xml, 'NbOfTxs')).toEqual(['5', '5']);
    expect(textsOf(xml, 'InstdAmt')).toEqual([
      '0.01',
      '0.10',
      '999999999.99',
      '999999999.99',
      '123456789.01',
    ]);
    // Computed in another way: cents as digits without the point.
    const cents = textsOf(xml, 'InstdAmt').reduce((sum, text) => sum + BigInt(text.replace('.', '')), 0n);
    expect(textsOf(xml, 'CtrlSum')).toEqual(['2123456789.10', '2123456789.10']);
    expect(cents).toBe(212_345_678_910n);
  });

  it('writes whom it pays in the characters of SEPA, and the address in fields', () => {
    const xml = printTransferFile(file());
    expect(textsOf(xml, 'Nm')).toEqual([
      'Markthalle GmbH',
      'Markthalle GmbH',
      'Nordlicht Kaffeerosterei + Sohne GmbH',
    ]);
    expect(textsOf(xml, 'StrtNm')).toEqual(['Grosse Elbstrasse']);
    // The address of the payer, then that of the payee.
    expect(textsOf(xml, 'TwnNm')).toEqual(['Berlin', 'Hamburg']);
    expect(textsOf(xml, 'Ctry')).toEqual(['DE', 'DE']);
    expect(textsOf(xml, 'AdrLine')).toEqual([]);
    expect(textsOf(xml, 'EndToEndId')).toEqual(['5F0C6A0E6F0B4F6E9A550F0F3C1D2E4B']);
    expect(textsOf(xml, 'Dt')).toEqual(['2026-01-05']);
    expect(textsOf(xml, 'CreDtTm')).toEqual(['2026-01-01T00:00:00Z']);
  });
});

describe('a CSV file', () => {
  it('of FPS has sort code and account number, and a reference of 18 characters', () => {
    const details = { beneficiary_name: 'A "quoted", Ltd', sort_code: '601613', account_number: '31926819' };
    const text = printTransferFile(
      file({ scheme: 'FPS', currency: 'GBP', transfers: [transfer({ details })] }),
    );
    expect(text.split('\r\n')).toEqual([
      'end_to_end_id,execution_on,currency,amount,beneficiary_name,sort_code,account_number,reference',
      '5F0C6A0E6F0B4F6E9A550F0F3C1D2E4B,2026-01-05,GBP,116.00,"A quoted , Ltd",601613,31926819,5f0c6a0e-6f0b-4f6e',
      '',
    ]);
  });

  it('of SWIFT has the bank and the address of the merchant, and yen without decimals', () => {
    const details = {
      ...{ beneficiary_name: '東京 KK', account_number: '1234567', bic: 'BOTKJPJTXXX' },
      ...{ bank_name: 'MUFG Bank', bank_address: '2-7-1 Marunouchi, Tokyo' },
    };
    const text = printTransferFile(
      file({ scheme: 'SWIFT', currency: 'JPY', transfers: [transfer({ details, amountMinor: 50_000 })] }),
    );
    const [head = '', row = ''] = text.split('\r\n');
    expect(head.split(',').length).toBe(15);
    expect(row).toMatch(
      /^5F0C[0-9A-F]+,2026-01-05,JPY,50000,DongJing KK,1234567,BOTKJPJTXXX,MUFG Bank,"2-7-1 Marunouchi, Tokyo",/,
    );
  });
});
