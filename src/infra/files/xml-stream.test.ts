import { describe, expect, it } from 'vitest';
import { readXmlStream, UnreadableXml, type XmlPiece, type XmlShape } from './xml-stream.ts';

const shape: XmlShape = (path) => {
  if (path === 'list') return 'container';
  return path.endsWith('item') ? 'record' : 'other';
};

async function* piecesOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(document: string | Uint8Array, size = 7): Promise<XmlPiece[]> {
  const bytes = typeof document === 'string' ? Buffer.from(document) : document;
  const pieces: XmlPiece[] = [];
  for await (const piece of readXmlStream(piecesOf(bytes, size), shape)) pieces.push(piece);
  return pieces;
}

const faultOf = async (document: string | Uint8Array): Promise<string> =>
  read(document, 65_536).then(
    () => 'was read',
    (error: unknown) => {
      if (!(error instanceof UnreadableXml)) throw error;
      return `line ${error.line}: ${error.message}`;
    },
  );

const node = (name: string, text: string, more: object = {}) => ({
  ...{ name, text, attributes: {}, children: [], line: 1 },
  ...more,
});

describe('readXmlStream', () => {
  it.each([1, 2, 3, 50])('reads records from chunks of %d bytes', async (size) => {
    const document =
      '<?xml version="1.0"?><b:list xmlns:b="urn:x"><skip><deep>1</deep></skip>' +
      '<b:item a="1" b:c="2"><b:v>ä&amp;<![CDATA[<]]>&#x20;</b:v><b:item>in</b:item></b:item></b:list>';
    expect(await read(document, size)).toEqual([
      { event: 'begin', path: 'list', node: node('list', '') },
      { event: 'end', path: 'list/item/item', node: node('item', 'in') },
      {
        event: 'end',
        path: 'list/item',
        node: node('item', '', { attributes: { a: '1' }, children: [node('v', 'ä&<')] }),
      },
      { event: 'end', path: 'list', node: node('', '') },
    ]);
  });

  const utf16 = (text: string, order: 'le' | 'be') => {
    const bytes = Buffer.from(text, 'utf16le');
    return order === 'le' ? bytes : bytes.swap16();
  };
  const declared = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?><list><item>Kö</item></list>`;
  it.each([
    ['UTF-8', Buffer.from(declared('UTF-8'))],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${declared('utf-8')}`)],
    ['UTF-16 with a byte order mark', utf16(`\ufeff${declared('UTF-16')}`, 'le')],
    ['UTF-16, the other order', utf16(`\ufeff${declared('UTF-16')}`, 'be')],
    ['UTF-16 without a mark', utf16(declared('UTF-16LE'), 'le')],
    ['ISO-8859-1', Buffer.from(declared('ISO-8859-1'), 'latin1')],
  ])('reads %s', async (_, bytes) => {
    const items = (await read(bytes)).filter(({ path }) => path === 'list/item');
    expect(items.map((piece) => piece.node.text)).toEqual(['Kö']);
  });

  const entities = `<!DOCTYPE list [<!ENTITY a "aaaaaaaaaa">${'<!ENTITY b "&a;&a;">'}]><list><item>&b;</item></list>`;
  it.each<[string, string | Uint8Array, RegExp]>([
    ['a document type', '<!DOCTYPE list>\n<list/>', /^line 1: has a document type declaration/],
    ['a document type of the network', '<!DOCTYPE l SYSTEM "http://x.example/l.dtd"><l/>', /document type/],
    ['entities', entities, /document type/],
    ['an undeclared entity', '<list>\n<item>&b;</item></list>', /^line 2: .*undefined entity/],
    ['an unknown encoding', declared('EBCDIC-CP-DE'), /is encoded in EBCDIC-CP-DE: only UTF-8, UTF-16/],
    ['UTF-16 that is none', declared('UTF-16'), /is encoded in UTF-16/],
    [
      'bytes that are no UTF-8',
      Buffer.from(declared('UTF-8'), 'latin1'),
      /^line 1: has bytes that are not valid UTF-8/,
    ],
    ['nothing', '', /not well-formed XML/],
    ['a cut file', '<list>\n<item><v>1', /^line 2: is not well-formed XML/],
    ['wrong nesting', '<list><item></list></item>', /not well-formed XML/],
    ['two roots', '<list/><list/>', /not well-formed XML/],
    ['an unbound prefix', '<a:list/>', /not well-formed XML/],
    ['a control character', '<list>\u0001</list>', /not well-formed XML/],
    ['no XML', 'Buchungstag;Betrag\n2025-11-20;1,00', /not well-formed XML/],
    ['10^6 levels', '<a>'.repeat(1_000_000), /nests elements more than 64 deep/],
    ['an endless text', `<list><item>${'a'.repeat(3_000_000)}`, /an element of more than 1048576 characters/],
    [
      'an endless attribute',
      `<list><item a="${'a'.repeat(3_000_000)}`,
      /an element of more than 1048576 characters/,
    ],
    [
      'an endless record',
      `<list><item>${'<v/>'.repeat(10_001)}</item></list>`,
      /more than 10000 elements in one place/,
    ],
  ])('refuses %s', async (_, document, fault) => {
    expect(await faultOf(document)).toMatch(fault);
  });

  it('hands out each record of a long document', async () => {
    const item = `<item>${'<v>some text</v>'.repeat(50)}</item>`;
    async function* many(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('<list>');
      for (let each = 0; each < 20_000; each++) yield Buffer.from(item);
      yield Buffer.from('</list>');
    }
    let count = 0;
    for await (const { event } of readXmlStream(many(), shape)) if (event === 'end') count++;
    expect(count).toBe(20_001);
  });
});
