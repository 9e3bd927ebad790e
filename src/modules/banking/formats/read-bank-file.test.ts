import { existsSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import {
  type CamtVersion,
  camt053,
  camt054,
  OUR_IBAN,
  PAYER_IBAN,
  pain002,
  type WrittenEntry,
  type WrittenStatement,
} from '#test/bank-files';
import { filesFolder } from '#test/registry-files';
import type { BankRecord } from './bank-document.ts';
import { readBankFile } from './read-bank-file.ts';

const folder = filesFolder();
afterAll(() => folder.remove());

async function read(text: string | Buffer, bytesMax = 1_000_000): Promise<BankRecord[]> {
  const path = folder.write('bank.xml', text);
  const records: BankRecord[] = [];
  for await (const record of readBankFile({ path, bytesMax, onProgress: () => {} }))
    if (record.kind !== 'file') records.push(record);
  return records;
}

const faultOf = (text: string | Buffer): Promise<string> =>
  read(text).then(
    () => 'was read',
    (error: Error) => error.message,
  );

const BATCH: WrittenEntry = {
  amount: 3_000,
  details: [
    { amount: 1_000, endToEndId: 'E1', txId: 'T1', text: 'Rechnung 1', name: 'Café <Ö>', iban: PAYER_IBAN },
    { amount: 2_000, endToEndId: 'NOTPROVIDED', creditorReference: 'RF18539007547034' },
  ],
};

const ALL_KINDS: WrittenEntry[] = [
  { amount: 11_900, reference: 'B1', text: 'Invoice 4711', name: 'Brasserie', iban: PAYER_IBAN },
  { amount: -250, reference: 'B2', code: ['ACMT', 'MDOP', 'CHRG'], details: null },
  { amount: -11_900, reference: 'B3', isReversal: true, endToEndId: 'E9', name: 'Brasserie' },
  { amount: 500, reference: 'B4', returnReason: 'AC04', endToEndId: 'P1', name: 'Merchant' },
  { amount: 700, reference: 'B5', status: 'PDNG' },
  { amount: 900, reference: 'B6', details: null, count: 3 },
  BATCH,
];

describe('readBankFile', () => {
  describe.each<CamtVersion>(['02', '08'])('camt version %s', (version) => {
    it('reads a statement with its balances', async () => {
      const [begin, entry, end, ...more] = await read(
        camt053({ opening: 100, day: '2025-11-20', entries: [{ ...ALL_KINDS[0], amount: 11_900 }] }, version),
      );
      expect(begin).toEqual({
        kind: 'statement',
        type: 'STATEMENT',
        account: { number: OUR_IBAN, currency: 'EUR' },
        reference: 'STMT-1',
        fromDay: '2025-11-20',
        toDay: '2025-11-20',
      });
      expect(entry).toEqual({
        ...{ kind: 'entry', status: 'BOOK', bankReference: 'B1', amountMinor: 11_900, currency: 'EUR' },
        ...{ bookedOn: '2025-11-20', valueOn: '2025-11-20', text: '' },
        ...{ isReversal: false, isCharge: false, isBatch: false },
        details: [
          {
            ...{ amountMinor: 11_900, endToEndId: null, references: [], creditorReferences: [] },
            ...{ remittance: 'Invoice 4711', returnReason: null },
            counterparty: { name: 'Brasserie', account: PAYER_IBAN },
          },
        ],
      });
      expect(end).toEqual({
        kind: 'end',
        opening: { amountMinor: 100, day: '2025-11-20' },
        closing: { amountMinor: 12_000, day: '2025-11-20' },
        bookedMinor: 11_900n,
      });
      expect(more).toEqual([]);
    });

    it('reads charges, reversals, returns, what is not booked, and batches with and without details', async () => {
      const records = await read(camt054({ entries: ALL_KINDS }, version));
      const entries = records.filter((record) => record.kind === 'entry');
      expect(
        entries.map(({ amountMinor, isCharge, isReversal, isBatch, status, details }) => [
          amountMinor,
          [isCharge && 'charge', isReversal && 'reversal', isBatch && 'batch', status]
            .filter(Boolean)
            .join(' '),
          details.map((detail) => detail.amountMinor),
        ]),
      ).toEqual([
        [11_900, 'BOOK', [11_900]],
        [-250, 'charge BOOK', []],
        [-11_900, 'reversal BOOK', [-11_900]],
        [500, 'BOOK', [500]],
        [700, 'PDNG', [700]],
        [900, 'batch BOOK', []],
        [3_000, 'BOOK', [1_000, 2_000]],
      ]);
      expect(entries[2]?.details).toMatchObject([{ endToEndId: 'E9', counterparty: { name: 'Brasserie' } }]);
      expect(entries[3]?.details).toMatchObject([
        { returnReason: 'AC04', counterparty: { name: 'Merchant' } },
      ]);
      expect(entries[6]?.details).toMatchObject([
        {
          endToEndId: 'E1',
          references: ['E1', 'T1'],
          counterparty: { name: 'Café <Ö>', account: PAYER_IBAN },
        },
        { endToEndId: null, references: [], creditorReferences: ['RF18539007547034'] },
      ]);
      expect(records.at(-1)).toMatchObject({
        kind: 'end',
        opening: null,
        closing: null,
        bookedMinor: 4_150n,
      });
    });
  });

  it('takes a batch whose details do not add up as one amount, with their texts', async () => {
    const details = [
      { amount: 1_000, text: 'one' },
      { amount: 1_999, text: 'two' },
    ];
    const [, entry] = await read(camt054({ entries: [{ amount: 3_000, details }] }));
    expect(entry).toMatchObject({ isBatch: true, details: [], text: 'one two' });
  });

  it('reads what banks leave out: status, booking day, currency of the account', async () => {
    const text = camt053({ entries: [{ amount: 5, status: null }] }, '02')
      .replace(/<BookgDt>.*?<\/BookgDt>/, '')
      .replace('<Ccy>EUR</Ccy>', '');
    const [begin, entry] = await read(text);
    expect(begin).toMatchObject({ account: { number: OUR_IBAN, currency: null } });
    expect(entry).toMatchObject({ status: 'BOOK', bookedOn: '2025-11-20' });
  });

  it('reads yen without decimals, and several statements of one file', async () => {
    const statements: WrittenStatement[] = [
      { currency: 'JPY', entries: [{ amount: 1_234 }] },
      { currency: 'GBP', entries: [{ amount: -1_234 }] },
    ];
    const records = await read(camt053(statements));
    expect(records.filter(({ kind }) => kind === 'entry')).toMatchObject([
      { currency: 'JPY', amountMinor: 1_234 },
      { currency: 'GBP', amountMinor: -1_234 },
    ]);
    expect(records.filter(({ kind }) => kind === 'end')).toHaveLength(2);
  });

  it.each(['03', '10'] as const)('reads an answer to payments, version %s', async (version) => {
    const file = pain002([{ endToEndId: 'P1', status: 'RJCT', reason: 'AC01' }], {
      ...{ version, groupStatus: 'PART', batchStatus: 'PART', reason: 'NARR' },
    });
    const common = { kind: 'payment status', messageId: 'FILE-1' };
    expect(await read(file)).toEqual([
      { ...common, about: 'FILE', batchId: null, endToEndId: null, status: 'PART', reason: 'NARR' },
      { ...common, about: 'PAYMENT', batchId: 'BATCH-1', endToEndId: 'P1', status: 'RJCT', reason: 'AC01' },
      { ...common, about: 'BATCH', batchId: 'BATCH-1', endToEndId: null, status: 'PART', reason: 'NARR' },
    ]);
  });

  const one = camt053({ entries: [{ amount: 1_000, reference: 'B1' }] });
  it.each<[string, string | Buffer, RegExp]>([
    [
      'a format that is not known',
      '<Document><FIToFICstmrCdtTrf/></Document>',
      /^bank\.xml has none of the formats camt\.053, camt\.054, pain\.002\.$/,
    ],
    [
      'a document type',
      one.replace('<Document', '<!DOCTYPE Document>\n<Document'),
      /^bank\.xml has a document type declaration, .*, line 2\.$/,
    ],
    ['a cut file', one.slice(0, -300), /^bank\.xml is not well-formed XML \(.*\), line \d+\.$/],
    [
      'an amount with too many decimals',
      one.replace('>10.00<', '>10.001<'),
      /has 10\.001 EUR, which has more than 2 decimals/,
    ],
    ['an amount that is none', one.replace('>10.00<', '>1E5<'), /has "1E5" as an amount \(line/],
    ['a negative amount', one.replace('>10.00<', '>-10.00<'), /has "-10\.00" as an amount/],
    ['an amount beyond every other', one.replace('>10.00<', '>999999999999999999<'), /which is too large/],
    [
      'a currency that is not supported',
      one.replaceAll('EUR', 'XAU'),
      /an amount in XAU, which is not supported/,
    ],
    [
      'no side',
      one.replaceAll(/<CdtDbtInd>CRDT/g, '<CdtDbtInd>'),
      /whether an amount is a credit or a debit/,
    ],
    ['a day that is none', one.replaceAll('2025-11-20</Dt>', '2025-02-30</Dt>'), /has "2025-02-30" as a day/],
    ['a statement without an account', one.replace(/<Acct>.*?<\/Acct>/, ''), /names no account/],
    ['an unknown status', one.replace('BOOK', 'LOST'), /with the status "LOST"/],
  ])('refuses %s', async (_, text, fault) => {
    expect(await faultOf(text)).toMatch(fault);
  });

  it('refuses a file of 2 GB by its size', async () => {
    const path = folder.write('large.xml', '');
    const handle = await open(path, 'r+');
    await handle.truncate(2 ** 31);
    await handle.close();
    const reading = readBankFile({ path, bytesMax: 104_857_600, onProgress: () => {} }).next();
    await expect(reading).rejects.toThrow(
      'large.xml has 2147483648 bytes, more than the maximum of 104857600',
    );
  });

  it('refuses a file that is not there, and what is none', async () => {
    const next = (path: string) => readBankFile({ path, bytesMax: 1, onProgress: () => {} }).next();
    await expect(next('/nowhere/bank.xml')).rejects.toThrow('There is no file /nowhere/bank.xml.');
    await expect(next('/')).rejects.toThrow('is not a file.');
    const within = `${folder.write('file.xml', '')}/bank.xml`;
    await expect(next(within)).rejects.toThrow(`${within} cannot be read (ENOTDIR).`);
  });
});

const SCHEMAS = new URL('../../../../../shared/data/', import.meta.url);
const written: [string, string, string][] = [
  ['camt.053.001.08', 'a statement', camt053({ entries: ALL_KINDS })],
  ['camt.054.001.08', 'a notification', camt054({ entries: ALL_KINDS })],
  [
    'pain.002.001.10',
    'an answer',
    pain002([{ endToEndId: 'P1', status: 'RJCT', reason: 'AC01' }], { groupStatus: 'PART' }),
  ],
];
describe('the files of these tests', () => {
  // The schemas of ISO 20022 are not part of this repository: they are next to it on development machines.
  it.skipIf(!existsSync(SCHEMAS)).each(written)('are valid by %s: %s', async (schema, fileName, contents) => {
    const xsd = readFileSync(new URL(`${schema}.xsd`, SCHEMAS), 'utf8');
    const { valid, errors } = await validateXML({ xml: [{ fileName, contents }], schema: [xsd] });
    expect({ valid, errors: errors.slice(0, 3) }).toEqual({ valid: true, errors: [] });
  });
});
