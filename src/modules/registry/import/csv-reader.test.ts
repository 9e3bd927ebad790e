import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CsvReader } from './csv-reader.ts';

type Read = { line: number; fields: string[] } | { line: number; fault: string; beginning: string };

/** Reads the bytes in pieces of `pieceBytes`. */
function read(bytes: Buffer | string, pieceBytes = 1_000_000): Read[] {
  const reader = new CsvReader();
  const found: Read[] = [];
  const whole = Buffer.from(bytes);
  const pieces: (Buffer | null)[] = [];
  for (let at = 0; at < whole.length; at += pieceBytes) pieces.push(whole.subarray(at, at + pieceBytes));
  for (const piece of [...pieces, null]) {
    for (const record of reader.read(piece)) {
      const { line, fault, fieldCount } = record;
      found.push(
        fault === null
          ? { line, fields: Array.from({ length: fieldCount }, (_, nth) => record.text(nth)) }
          : { line, fault, beginning: record.beginning(40) },
      );
    }
  }
  return found;
}

const fieldsOf = (bytes: Buffer | string) =>
  read(bytes).map((each) => ('fields' in each ? each.fields : each.fault));
const STRAY = 'There is text between a closing quote and the next comma.';
const CUT_OFF = 'The file ends within quotes.';
const TOO_LONG = 'The record is longer than 1 MiB.';

const CASES: [name: string, text: string | Buffer, records: (string[] | string)[]][] = [
  ['nothing', '', []],
  ['a line without an end', 'a,b', [['a', 'b']]],
  [
    'line feeds',
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'returns and line feeds',
    'a,b\r\n"1","2"\r\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a return at the very end',
    'a,b\r\n"1","2"\r',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  ['a return within a field', 'a\rb,c\n', [['a\rb', 'c']]],
  ['empty fields', ',\n"",x,""\n', [['', 'x', '']]],
  [
    'empty lines, and lines of commas',
    '\n\r\na,b\n\n,,,\n"",""\n1,2\n\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  ['spaces, which are part of a field', ' a , "b" \n', [[' a ', ' "b" ']]],
  ['quotes', '"a,b","c ""d"" e",""""\n', [['a,b', 'c "d" e', '"']]],
  ['a quote within a field that begins without', '5" pipe,x\n', [['5" pipe', 'x']]],
  [
    'line breaks within quotes',
    '"a\nb","c\r\nd"\n1,2\n',
    [
      ['a\nb', 'c\r\nd'],
      ['1', '2'],
    ],
  ],
  [
    'a byte order mark',
    '\ufeffa,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  ['nothing but a byte order mark', '\ufeff', []],
  [
    'letters of many bytes',
    '株式会社,Ωμέγα\n🏭,é\n',
    [
      ['株式会社', 'Ωμέγα'],
      ['🏭', 'é'],
    ],
  ],
  ['text behind a closing quote', '"a"b,c\n1,2\n', [STRAY, ['1', '2']]],
  ['a return behind a closing quote', '"a"\rb\n1,2\n', [STRAY, ['1', '2']]],
  ['a quote nobody closed', 'a,"b\n1,2\n"3","4"\n', [STRAY, ['1', '2'], ['3', '4']]],
  ['a quote nobody closed, and no other behind', 'a,"b\n1,2\n3,4', [CUT_OFF, ['1', '2'], ['3', '4']]],
  ['a last line cut off within quotes', '1,2\n3,"4', [['1', '2'], CUT_OFF]],
  [
    'bytes that are no UTF-8',
    Buffer.concat([Buffer.from('a,b\nM'), Buffer.from([0xfc]), Buffer.from('ller,x\nMüller,y\n')]),
    [['a', 'b'], 'The text is not UTF-8.', ['Müller', 'y']],
  ],
];

describe('a CSV file is read with', () => {
  it.each(CASES)('%s', (_name, text, records) => {
    expect(fieldsOf(text)).toEqual(records);
    for (const pieceBytes of [1, 2, 3, 5]) expect(read(Buffer.from(text), pieceBytes)).toEqual(read(text));
  });

  it('the line each record begins on', () => {
    const text = 'h,i\n\n"a\n\nb",1\n"x"y\nc,2\r\n"d\r\ne",3\nf,4';
    expect(read(text).map(({ line }) => line)).toEqual([1, 3, 6, 7, 8, 10]);
  });

  it('how an unreadable record begins', () => {
    expect(read('1,2\n"Müller "GmbH",x\n')[1]).toEqual({
      line: 2,
      fault: STRAY,
      beginning: '"Müller "GmbH",x',
    });
  });

  it('thousands of columns', () => {
    const fields = Array.from({ length: 5_000 }, (_, nth) => `f${nth}`);
    expect(fieldsOf(`${fields.join(',')}\n"${fields.join('","')}"\n`)).toEqual([fields, fields]);
  });

  it('nothing for a field that is not there', () => {
    const [record] = new CsvReader().read(Buffer.from('a,b\n'));
    expect(record?.text(2)).toBe('');
  });
});

describe('what is written comes back', () => {
  const field = fc.string({
    unit: fc.constantFrom('a', 'é', '株', '"', ',', '\n', '\r', ' ', "'"),
    maxLength: 6,
  });
  const table = fc.array(fc.array(field, { minLength: 1, maxLength: 4 }), { maxLength: 8 });

  it('in pieces of any size', () => {
    fc.assert(
      fc.property(
        table,
        fc.constantFrom('\n', '\r\n'),
        fc.integer({ min: 1, max: 9 }),
        (rows, lineEnd, piece) => {
          const text = rows
            .map((row) => `${row.map((value) => `"${value.replaceAll('"', '""')}"`).join(',')}${lineEnd}`)
            .join('');
          const expected = rows.filter((row) => row.some((value) => value !== ''));
          expect(read(text, piece).map((each) => 'fields' in each && each.fields)).toEqual(expected);
        },
      ),
    );
  });

  it('and any text reads the same in pieces as whole', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', '\n', '\r'), maxLength: 40 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 7 }), (any, piece) => {
        expect(read(any, piece)).toEqual(read(any));
      }),
    );
  });
});

describe('a record that is too long', () => {
  const MIB = 1_048_576;

  it('costs itself only, on one line', () => {
    for (const field of ['x'.repeat(3 * MIB), `"${'x'.repeat(3 * MIB)}"`, `"${'x'.repeat(3 * MIB)}`]) {
      const text = `a,b\n${field},2\n3,4\n`;
      expect(fieldsOf(text)).toEqual([['a', 'b'], TOO_LONG, ['3', '4']]);
      expect(read(text).map(({ line }) => line)).toEqual([1, 2, 3]);
      expect(read(text, 65_536)).toEqual(read(text));
    }
  });

  it('may be as long as 1 MiB less its line break', () => {
    expect(fieldsOf(`${'x'.repeat(MIB - 1)}\n1\n`)).toEqual([['x'.repeat(MIB - 1)], ['1']]);
    expect(fieldsOf(`${'x'.repeat(MIB)}\n1\n`)).toEqual([TOO_LONG, ['1']]);
  });

  it('gives back the lines behind its first, if a quote was never closed', () => {
    const lines = Array.from({ length: 30_000 }, (_, nth) => `${nth},${'x'.repeat(40)}`);
    const found = read(`a,b\nstray,"quote\n${lines.join('\n')}\n`, 100_000);
    expect(found.length).toBe(30_002);
    expect(found[1]).toMatchObject({ line: 2, fault: TOO_LONG });
    expect(found.at(-1)).toMatchObject({ line: 30_002, fields: ['29999', 'x'.repeat(40)] });
  });

  it('takes no memory, however long it is', () => {
    const reader = new CsvReader();
    const piece = Buffer.alloc(65_536, 'x');
    const feed = (bytes: Buffer | null) => Array.from(reader.read(bytes), ({ fault, line }) => fault ?? line);
    expect(feed(Buffer.from('a,b\n'))).toEqual([1]);
    const before = process.memoryUsage();
    const found = Array.from({ length: 640 }, () => feed(piece)).flat();
    const after = process.memoryUsage();
    expect(found).toEqual([TOO_LONG]);
    const grown = (key: 'heapUsed' | 'arrayBuffers') => (after[key] - before[key]) / MIB;
    expect(grown('arrayBuffers')).toBeLessThan(1);
    expect(grown('heapUsed')).toBeLessThan(8);
    expect(feed(Buffer.from('\n3,4\n'))).toEqual([3]);
    expect(feed(Buffer.from('5,6\n7,8'))).toEqual([4]);
    expect(feed(null)).toEqual([5]);
  });
});
