/**
 * A strict reader of small XML files: well-formed, in UTF-8, without a document type and therefore without custom
 * entities. It implements the part of https://www.w3.org/TR/xml/ that drawings use.
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
const COMMENT = /^<!--(?:(?!--).)*-->/s;
const CDATA = /^<!\[CDATA\[((?:(?!\]\]>).)*)\]\]>/s;
const OPENING = new RegExp(`^<(${NAME})((?:\\s+${NAME}\\s*=\\s*(?:"[^<"]*"|'[^<']*'))*)\\s*(/?)>`);
const CLOSING = new RegExp(`^</(${NAME})\\s*>`);
const ATTRIBUTE = new RegExp(`\\s+(${NAME})\\s*=\\s*(?:"([^<"]*)"|'([^<']*)')`, 'g');
const TEXT = /^[^<]+/;
/** Characters that XML 1.0 §2.2 excludes or advises against. */
const NO_CHARACTER = /[\p{Cc}--[\t\n\r]]|[\ufffe\uffff]|\p{Cs}/v;
/** Deeper than any drawing, and shallow enough for code that recurses over the tree. */
const DEPTH_MAX = 200;
const REFERENCES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Parses the text and returns the root element. Throws NotWellFormed. */
export function readXml(text: string): XmlElement {
  if (NO_CHARACTER.test(text)) throw new NotWellFormed();
  const document: XmlElement = { name: '', attributes: new Map(), text: '', children: [] };
  const open = [document];
  let rest = text.replace(/^\ufeff/, '').replace(DECLARATION, '');
  while (rest !== '') {
    const [length, found] = readPiece(rest);
    const parent = open.at(-1) as XmlElement;
    if (typeof found === 'string') {
      if (parent === document && (found.trim() !== '' || CDATA.test(rest))) throw new NotWellFormed();
      parent.text += found;
    } else if ('closes' in found) {
      if (open.pop()?.name !== found.closes || open.length === 0) throw new NotWellFormed();
    } else {
      parent.children.push(found.element);
      if (!found.isEmpty) open.push(found.element);
      if (open.length > DEPTH_MAX) throw new NotWellFormed();
    }
    rest = rest.slice(length);
  }
  const [root, another] = document.children;
  if (open.length > 1 || !root || another) throw new NotWellFormed();
  return root;
}

type Piece = string | { closes: string } | { element: XmlElement; isEmpty: boolean };

function readPiece(rest: string): [length: number, piece: Piece] {
  const comment = COMMENT.exec(rest);
  if (comment) return [comment[0].length, ''];
  const data = CDATA.exec(rest);
  if (data) return [data[0].length, data[1] as string];
  const characters = TEXT.exec(rest)?.[0];
  if (characters !== undefined) {
    if (characters.includes(']]>')) throw new NotWellFormed();
    return [characters.length, resolved(characters)];
  }
  const closing = CLOSING.exec(rest);
  if (closing) return [closing[0].length, { closes: closing[1] as string }];
  const opening = OPENING.exec(rest);
  if (!opening) throw new NotWellFormed();
  const [whole, name, attributes, slash] = opening as unknown as [string, string, string, string];
  const element = { name, attributes: readAttributes(attributes), text: '', children: [] };
  return [whole.length, { element, isEmpty: slash === '/' }];
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
