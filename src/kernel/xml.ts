/**
 * A strict reader of XML: well-formed, in UTF-8, without a document type and therefore without custom entities. It
 * implements the part of https://www.w3.org/TR/xml/ that drawings and business documents use.
 */

export interface XmlElement {
  /** As written: `svg` or `svg:path`. */
  name: string;
  /** As written, with references resolved. */
  attributes: Map<string, string>;
  /** The text directly inside the element. */
  text: string;
  children: XmlElement[];
}

export class NotWellFormed extends Error {}

const NAME =
  '[A-Za-z_\\u00c0-\\uffff][\\w.\\u00b7-\\uffff-]*(?::[A-Za-z_\\u00c0-\\uffff][\\w.\\u00b7-\\uffff-]*)?';
const DECLARATION =
  /^<\?xml\s+version\s*=\s*["']1\.0["'](?:\s+encoding\s*=\s*["']utf-8["'])?(?:\s+standalone\s*=\s*["'](?:yes|no)["'])?\s*\?>/i;
const COMMENT = '<!--';
const CDATA = '<![CDATA[';
const CDATA_END = ']]>';
const INSTRUCTION = new RegExp(`^<\\?(?!xml\\s)${NAME}(?:\\s|\\?>)`, 'i');
const OPENING = new RegExp(`^<(${NAME})((?:\\s+${NAME}\\s*=\\s*(?:"[^<"]*"|'[^<']*'))*)\\s*(/?)>`);
const CLOSING = new RegExp(`^</(${NAME})\\s*>`);
const ATTRIBUTE = new RegExp(`\\s+(${NAME})\\s*=\\s*(?:"([^<"]*)"|'([^<']*)')`, 'g');
/** Characters that XML 1.0 §2.2 excludes or advises against. */
const NO_CHARACTER = /[\p{Cc}--[\t\n\r]]|[\ufffe\uffff]|\p{Cs}/v;
/** Deeper than any drawing or document, and shallow enough for code that recurses over the tree. */
const DEPTH_MAX = 200;
/** Characters of a tag with its attributes: a longer one would exhaust the stack of the regular expression. */
const TAG_LENGTH_MAX = 65_536;
/** How many pieces `checkXml` reads before it yields: about 10 ms. */
const PIECES_AT_ONCE = 10_000;
const REFERENCES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Parses a small text and returns the root element. Processing instructions are refused. Throws NotWellFormed. */
export function readXml(text: string): XmlElement {
  if (NO_CHARACTER.test(text)) throw new NotWellFormed();
  const document: XmlElement = { name: '', attributes: new Map(), text: '', children: [] };
  const open = [document];
  const content = contentOf(text);
  for (let at = 0; at < content.length; ) {
    const [end, found] = readPiece(content, at);
    const parent = open.at(-1) as XmlElement;
    if (typeof found === 'string') {
      if (parent === document && (found.trim() !== '' || content.startsWith(CDATA, at)))
        throw new NotWellFormed();
      parent.text += found;
    } else if ('closes' in found) {
      if (open.pop()?.name !== found.closes || open.length === 0) throw new NotWellFormed();
    } else {
      parent.children.push(found.element);
      if (!found.isEmpty) open.push(found.element);
      if (open.length > DEPTH_MAX) throw new NotWellFormed();
    }
    at = end;
  }
  const [root, another] = document.children;
  if (open.length > 1 || !root || another) throw new NotWellFormed();
  return root;
}

/**
 * Checks a text of any size without a tree. Throws NotWellFormed. It yields regularly, so that the caller can let other work run in
 * between.
 */
export function* checkXml(text: string): Generator<void, void> {
  if (NO_CHARACTER.test(text)) throw new NotWellFormed();
  const content = contentOf(text);
  const open: string[] = [];
  let hasRoot = false;
  let pieces = 0;
  for (let at = 0; at < content.length; ) {
    if (++pieces % PIECES_AT_ONCE === 0) yield;
    if (content.startsWith('<?', at)) {
      at = endOfInstruction(content, at);
      continue;
    }
    const [end, found] = readPiece(content, at);
    if (typeof found === 'string') {
      if (open.length === 0 && (found.trim() !== '' || content.startsWith(CDATA, at)))
        throw new NotWellFormed();
    } else if ('closes' in found) {
      if (open.pop() !== found.closes) throw new NotWellFormed();
    } else {
      if (open.length === 0 && hasRoot) throw new NotWellFormed();
      hasRoot = true;
      if (!found.isEmpty) open.push(found.element.name);
      if (open.length > DEPTH_MAX) throw new NotWellFormed();
    }
    at = end;
  }
  if (!hasRoot || open.length > 0) throw new NotWellFormed();
}

/** The text without byte order mark and declaration. */
const contentOf = (text: string) => text.replace(/^\ufeff/, '').replace(DECLARATION, '');

type Piece = string | { closes: string } | { element: XmlElement; isEmpty: boolean };

/** The piece that begins at an index, and the index after it. */
function readPiece(text: string, at: number): [end: number, piece: Piece] {
  if (text[at] !== '<') {
    const next = text.indexOf('<', at);
    const end = next === -1 ? text.length : next;
    const characters = text.slice(at, end);
    if (characters.includes(CDATA_END)) throw new NotWellFormed();
    return [end, resolved(characters)];
  }
  if (text.startsWith(COMMENT, at)) {
    const end = endOf('--', text, at + COMMENT.length);
    if (text[end] !== '>') throw new NotWellFormed();
    return [end + 1, ''];
  }
  if (text.startsWith(CDATA, at)) {
    const start = at + CDATA.length;
    const end = endOf(CDATA_END, text, start);
    return [end, text.slice(start, end - CDATA_END.length)];
  }
  const tag = text.slice(at, at + TAG_LENGTH_MAX);
  const closing = CLOSING.exec(tag);
  if (closing) return [at + closing[0].length, { closes: closing[1] as string }];
  const opening = OPENING.exec(tag);
  if (!opening) throw new NotWellFormed();
  const [whole, name, attributes, slash] = opening as unknown as [string, string, string, string];
  const element = { name, attributes: readAttributes(attributes), text: '', children: [] };
  return [at + whole.length, { element, isEmpty: slash === '/' }];
}

function endOfInstruction(text: string, at: number): number {
  if (!INSTRUCTION.test(text.slice(at, at + TAG_LENGTH_MAX))) throw new NotWellFormed();
  return endOf('?>', text, at);
}

/** The index after the next occurrence of the mark. */
function endOf(mark: string, text: string, from: number): number {
  const found = text.indexOf(mark, from);
  if (found === -1) throw new NotWellFormed();
  return found + mark.length;
}

function readAttributes(text: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single = ''] of text.matchAll(ATTRIBUTE)) {
    if (attributes.has(name)) throw new NotWellFormed();
    attributes.set(name, resolved(double ?? single));
  }
  return attributes;
}

function resolved(text: string): string {
  return text.replaceAll(
    /&(?:(\w+);|#(\d{1,7});|#x([\da-fA-F]{1,6});)?/g,
    (_, name: string | undefined, decimal: string | undefined, hexadecimal: string | undefined) => {
      const code = decimal ? Number(decimal) : hexadecimal ? Number.parseInt(hexadecimal, 16) : null;
      if (code === null && Object.hasOwn(REFERENCES, name ?? '')) return REFERENCES[name as string] as string;
      if (code === null || code > 0x10ffff || NO_CHARACTER.test(String.fromCodePoint(code)))
        throw new NotWellFormed();
      return String.fromCodePoint(code);
    },
  );
}
