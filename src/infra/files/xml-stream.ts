/**
 * Reads XML of any length as a stream: it keeps one record in memory, never the whole document. It refuses a document type declaration, so
 * the five entities of XML are the only ones.
 */
import { SaxesParser, type SaxesTagNS } from 'saxes';

/** An element inside a record. Names have no prefix. */
export interface XmlNode {
  name: string;
  /** The text directly inside it, without spaces around it. */
  text: string;
  /** Without namespace declarations. */
  attributes: Record<string, string>;
  children: XmlNode[];
  /** The line on which it begins, from 1. */
  line: number;
}

/** The `begin` of a container, with an empty node, or the `end` of a container or record; a record's end has its content. */
export interface XmlPiece {
  event: 'begin' | 'end';
  /** The names of the enclosing elements and of the element itself: `Document/BkToCstmrStmt/Stmt`. */
  path: string;
  node: XmlNode;
}

/**
 * What an element is, by its path: a `container` is reported at its begin and end, a `record` is read as a whole. A record inside a record
 * is a separate piece, not a child. Everything else outside a record is skipped.
 */
export type XmlShape = (path: string) => 'container' | 'record' | 'other';

/** The document cannot be read. The message completes “The file …”. */
export class UnreadableXml extends Error {
  /** From 1. */
  readonly line: number;
  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/** Deeper than any business document. */
const DEPTH_MAX = 64;
/** The maximum of characters without the end of a tag or text, and of elements in one record. No sensible document exceeds it. */
const SILENCE_CHARACTERS_MAX = 1_048_576;
const RECORD_ELEMENTS_MAX = 10_000;

/** The pieces of the document in order. Throws UnreadableXml. */
export async function* readXmlStream(
  chunks: AsyncIterable<Uint8Array>,
  shape: XmlShape,
): AsyncGenerator<XmlPiece> {
  const reader = new PieceReader(shape);
  for await (const text of decoded(chunks, reader)) yield* reader.write(text);
  yield* reader.end();
}

interface OpenElement {
  path: string;
  /** Null if it is skipped. */
  node: XmlNode | null;
  isPiece: boolean;
}

class PieceReader {
  readonly #parser = new SaxesParser({ xmlns: true });
  readonly #shape: XmlShape;
  readonly #open: OpenElement[] = [];
  #pieces: XmlPiece[] = [];
  #elements = 0;
  #heardAt = 0;

  constructor(shape: XmlShape) {
    this.#shape = shape;
    const parser = this.#parser;
    parser.on('error', (error) => this.refuse(faultOf(error)));
    parser.on('doctype', () => this.refuse('has a document type declaration, which no bank sends'));
    parser.on('opentag', (tag) => this.#begin(tag));
    parser.on('closetag', () => this.#finish());
    parser.on('text', (text) => this.#add(text));
    parser.on('cdata', (text) => this.#add(text));
  }

  get line(): number {
    return this.#parser.line;
  }

  refuse(message: string): never {
    throw new UnreadableXml(message, this.line);
  }

  write(text: string): XmlPiece[] {
    this.#parser.write(text);
    if (this.#parser.position - this.#heardAt > SILENCE_CHARACTERS_MAX)
      this.refuse(`has an element of more than ${SILENCE_CHARACTERS_MAX} characters`);
    return this.#taken();
  }

  end(): XmlPiece[] {
    this.#parser.close();
    return this.#taken();
  }

  #taken(): XmlPiece[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }

  #begin({ local, attributes }: SaxesTagNS): void {
    this.#heardAt = this.#parser.position;
    if (this.#open.length === DEPTH_MAX) this.refuse(`nests elements more than ${DEPTH_MAX} deep`);
    const around = this.#open.at(-1);
    const path = around ? `${around.path}/${local}` : local;
    const shape = this.#shape(path);
    const isInside = around?.node != null && shape !== 'container';
    const node = shape === 'other' && !isInside ? null : this.#nodeOf(local, attributes);
    if (shape === 'container' && node) this.#pieces.push({ event: 'begin', path, node });
    if (node && shape === 'other') around?.node?.children.push(node);
    // A container has no children: its content consists of pieces.
    this.#open.push({ path, node: shape === 'container' ? null : node, isPiece: shape !== 'other' });
  }

  #nodeOf(name: string, attributes: SaxesTagNS['attributes']): XmlNode {
    if (++this.#elements > RECORD_ELEMENTS_MAX)
      this.refuse(`has more than ${RECORD_ELEMENTS_MAX} elements in one place`);
    const own = Object.values(attributes).filter(({ prefix }) => prefix === '');
    return {
      name,
      text: '',
      attributes: Object.fromEntries(own.map(({ local, value }) => [local, value])),
      children: [],
      line: this.line,
    };
  }

  #finish(): void {
    this.#heardAt = this.#parser.position;
    const { path, node, isPiece } = this.#open.pop() as OpenElement;
    if (node) node.text = node.text.trim();
    if (!isPiece) return;
    this.#elements = 0;
    const line = this.line;
    this.#pieces.push({
      event: 'end',
      path,
      node: node ?? { name: '', text: '', attributes: {}, children: [], line },
    });
  }

  #add(text: string): void {
    this.#heardAt = this.#parser.position;
    const node = this.#open.at(-1)?.node;
    if (node) node.text += text;
  }
}

/** The parser writes `12:34: unexpected end.` */
function faultOf({ message }: Error): string {
  return `is not well-formed XML (${message.replace(/^\d+:\d+: /, '').replace(/\.$/, '')})`;
}

const ENCODINGS: Record<string, string> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'utf-8',
  'utf-16': 'utf-16le',
  'utf-16le': 'utf-16le',
  'utf-16be': 'utf-16be',
  'iso-8859-1': 'iso-8859-1',
  latin1: 'iso-8859-1',
};
/** The declaration is within the first bytes. */
const DECLARATION_BYTES = 256;

async function* decoded(chunks: AsyncIterable<Uint8Array>, reader: PieceReader): AsyncGenerator<string> {
  let decoder: ReturnType<typeof decoderOf> | null = null;
  let head = Buffer.alloc(0);
  const decode = (bytes?: Uint8Array): string => {
    decoder ??= decoderOf(head, reader);
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch {
      return reader.refuse(`has bytes that are not valid ${decoder.encoding.toUpperCase()}`);
    }
  };
  for await (const chunk of chunks) {
    if (decoder) yield decode(chunk);
    else {
      head = Buffer.concat([head, chunk]);
      if (head.length >= DECLARATION_BYTES) yield decode(head);
    }
  }
  yield decoder ? decode() : `${decode(head)}${decode()}`;
}

/** Chosen by the byte order mark, the encoding of `<?`, or the declaration; UTF-8 otherwise. */
function decoderOf(head: Buffer, reader: PieceReader) {
  return new TextDecoder(encodingOf(head, reader), { fatal: true });
}

function encodingOf(head: Buffer, reader: PieceReader): string {
  const start = head.subarray(0, 4).toString('hex');
  if (start.startsWith('fffe') || start === '3c003f00') return 'utf-16le';
  if (start.startsWith('feff') || start === '003c003f') return 'utf-16be';
  if (start.startsWith('efbbbf')) return 'utf-8';
  const declaration = head.subarray(0, DECLARATION_BYTES).toString('latin1');
  const [, declared = 'utf-8'] = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(declaration) ?? [];
  const encoding = ENCODINGS[declared.toLowerCase()];
  // A declaration in single bytes that names UTF-16 is wrong.
  if (encoding === undefined || encoding.startsWith('utf-16'))
    reader.refuse(`is encoded in ${declared}: only UTF-8, UTF-16 and ISO-8859-1 can be read`);
  return encoding;
}
