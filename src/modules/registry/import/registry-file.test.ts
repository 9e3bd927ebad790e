import { randomBytes } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { filesFolder, fixture, readRegistryFile, type ZipEntry, zipOf } from '#test/registry-files';
import { openRegistryFile } from './registry-file.ts';

const folder = filesFolder();
afterAll(() => folder.remove());

const CSV = 'registry,registry_key,country,legal_name\nDEMO,1,DE,Café Morgenrot eG\n';
const entry = (more: Partial<ZipEntry> = {}): ZipEntry => ({ name: 'companies.csv', content: CSV, ...more });
const namesIn = async (path: string) =>
  (await readRegistryFile(path)).entries.map(({ legalName }) => legalName);
const refusal = (path: string) =>
  readRegistryFile(path).then(
    () => 'It was read.',
    (error: Error) => `${error.name}: ${error.message}`,
  );

describe('a ZIP', () => {
  const zipped = (name: string, ...entries: ZipEntry[]) => folder.write(name, zipOf(entries));

  it.each([
    ['with its CSV deflated', [entry()]],
    ['with its CSV stored', [entry({ method: 0 })]],
    ['with its CSV in a folder, of a name in capitals', [entry({ name: 'data/2024/COMPANIES.CSV' })]],
    ['with a text beside the CSV', [{ name: 'README.txt', content: 'Hello' }, entry()]],
    [
      'of a Mac',
      [entry(), { name: '__MACOSX/._companies.csv', content: 'x' }, { name: '._a.csv', content: 'x' }],
    ],
  ])('%s is read', async (_, entries) => {
    expect(await namesIn(zipped('good.zip', ...entries))).toEqual(['Café Morgenrot eG']);
  });

  it('is detected by its content, whatever its name', async () => {
    expect(await namesIn(zipped('companies.csv', entry()))).toEqual(['Café Morgenrot eG']);
  });

  it.each([
    [
      'two.zip',
      [entry(), entry({ name: 'more.csv' })],
      'two.zip has 2 CSV files in it (companies.csv, more.csv): unpack it and import them one by one.',
    ],
    ['none.zip', [{ name: 'README.txt', content: 'Hello' }], 'none.zip contains no CSV file.'],
    ['empty.zip', [], 'empty.zip contains no CSV file.'],
    ['secret.zip', [entry({ isEncrypted: true })], 'secret.zip is encrypted: unpack it first.'],
    [
      'odd.zip',
      [entry({ method: 14 })],
      'odd.zip is compressed with an unsupported method: unpack it first.',
    ],
    [
      'spoilt.zip',
      [entry({ checksum: 1 })],
      'spoilt.zip is damaged (its checksum does not match): download it again.',
    ],
    ['hollow.zip', [entry({ content: '' })], 'hollow.zip has no lines.'],
  ])('like %s is refused in a sentence', async (name, entries, sentence) => {
    expect(await refusal(zipped(name, ...entries))).toBe(`StartRefused: ${sentence}`);
  });

  it('that was cut off is refused in a sentence', async () => {
    const whole = zipOf([entry({ content: CSV + randomBytes(50_000).toString('hex') })]);
    for (const share of [0.01, 0.5, 0.99]) {
      const path = folder.write('cut.zip', whole.subarray(0, whole.length * share));
      expect(await refusal(path)).toMatch(
        /^StartRefused: cut\.zip is not a complete ZIP file \(.+\): download it again\.$/,
      );
    }
  });

  it('with damaged bytes is refused in a sentence', async () => {
    const bytes = zipOf([entry({ content: CSV + randomBytes(50_000).toString('hex') })]);
    bytes.fill(0xff, 20_000, 20_100);
    expect(await refusal(folder.write('bytes.zip', bytes))).toMatch(
      /^StartRefused: bytes\.zip is damaged \(.+\): download it again\.$/,
    );
  });
});

describe('a file is refused in a sentence', () => {
  const utf16 = (text: string, isBigEndian = false) => {
    const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
    return isBigEndian ? bytes.swap16() : bytes;
  };

  it.each([
    ['empty.csv', '', 'empty.csv is empty.'],
    ['lines.csv', '\n\n\r\n', 'lines.csv has no lines.'],
    ['text.zip', CSV, 'text.zip is not a ZIP file, despite its name.'],
    ['packed.csv', gzipSync(CSV), 'packed.csv is compressed with gzip: unpack it first.'],
    ['wide.csv', utf16(CSV), 'wide.csv is encoded in UTF-16: save it as UTF-8.'],
    ['wide-big.csv', utf16(CSV, true), 'wide-big.csv is encoded in UTF-16: save it as UTF-8.'],
    [
      'latin.csv',
      Buffer.from('Größe,legal_name\n', 'latin1'),
      'The first line of latin.csv cannot be read: The text is not UTF-8.',
    ],
    [
      'picture.csv',
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
      'The first line of picture.csv cannot be read: The text is not UTF-8.',
    ],
    [
      'long.csv',
      'x'.repeat(2_000_000),
      'The first line of long.csv cannot be read: The record is longer than 1 MiB.',
    ],
  ])('like %s', async (name, content, sentence) => {
    expect(await refusal(folder.write(name, content))).toBe(`StartRefused: ${sentence}`);
  });

  it('that is not there, or is none', async () => {
    expect(await refusal(folder.path('missing.csv'))).toBe(
      `StartRefused: There is no file ${folder.path('missing.csv')}.`,
    );
    expect(await refusal(fixture('.'))).toBe('StartRefused: registries is not a file.');
    const within = `${folder.write('file.csv', CSV)}/registry.csv`;
    expect(await refusal(within)).toBe(`StartRefused: ${within} cannot be read (ENOTDIR).`);
  });

  // The superuser may read everything.
  it.skipIf(process.getuid?.() === 0)('that this user may not read', async () => {
    const path = folder.write('closed.csv', CSV);
    chmodSync(path, 0);
    expect(await refusal(path)).toBe(`StartRefused: This user may not read ${path}.`);
  });
});

describe('the key of a file', () => {
  const keyOf = async (name: string, content: string) =>
    (await openRegistryFile(folder.write(name, content))).key;

  it('is the same for the same content, and another for any other', async () => {
    const long = 'x'.repeat(3_000_000);
    const keys = await Promise.all([
      keyOf('a.csv', `${long}1`),
      keyOf('b.csv', `${long}1`),
      keyOf('c.csv', `${long}2`),
      keyOf('d.csv', `2${long}`),
      keyOf('e.csv', `${long}12`),
    ]);
    const bare = keys.map((key) => key.replace(/^\w\.csv /, ''));
    expect(bare[0]).toBe(bare[1]);
    expect(new Set(bare).size).toBe(4);
    expect(new Set(keys).size).toBe(5);
  });
});
