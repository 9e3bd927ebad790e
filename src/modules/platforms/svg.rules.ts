/**
 * Which SVG files are accepted as a logo. They are only shown as images, where scripts do not run and nothing is loaded;
 * this check is a second line of defence.
 */
import { NotWellFormed, readXml, type XmlElement } from '#kernel/xml';

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';
/** Namespaces of documents, whose elements do more than draw. */
const FOREIGN_NAMESPACES = ['http://www.w3.org/1999/xhtml', 'http://www.w3.org/1998/Math/MathML'];
const ACTIVE_ELEMENTS = [
  'script',
  'foreignobject',
  'iframe',
  'object',
  'embed',
  'handler',
  'listener',
  'audio',
  'video',
];
const PICTURE_DATA = /^data:image\/(png|jpeg|webp|gif);base64,[a-z\d+/=\s]*$/i;
/** What refers to an address outside the file, in a style or a painting attribute: by scheme or host, or hidden by escapes. */
const OUTSIDE = /\/\/|\\|@import|url\(\s*["']?\s*[^#"'\s]|(image|image-set|src)\(|(java|vb)script:/i;

/** Why the drawing is refused, as the end of a sentence; null if it is accepted. */
export function svgFault(bytes: Uint8Array): string | null {
  let root: XmlElement;
  try {
    root = readXml(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (error) {
    if (error instanceof NotWellFormed || error instanceof TypeError)
      return 'is not well-formed XML in UTF-8 without a document type';
    throw error;
  }
  const [prefix, local] = partsOf(root.name);
  const namespace = root.attributes.get(prefix === '' ? 'xmlns' : `xmlns:${prefix}`);
  if (local !== 'svg' || namespace !== SVG_NAMESPACE) return 'is not an SVG drawing';
  return faultBelow(root);
}

function faultBelow(element: XmlElement): string | null {
  const [, local] = partsOf(element.name);
  if (ACTIVE_ELEMENTS.includes(local)) return `has the element ${element.name}`;
  if (local === 'style' && OUTSIDE.test(element.text)) return 'refers to an external resource in a style';
  for (const [name, value] of element.attributes) {
    const fault = attributeFault(name, value);
    if (fault !== null) return fault;
  }
  for (const child of element.children) {
    const fault = faultBelow(child);
    if (fault !== null) return fault;
  }
  return null;
}

function attributeFault(name: string, value: string): string | null {
  const [prefix, local] = partsOf(name);
  if (prefix === 'xmlns' || name === 'xmlns')
    return FOREIGN_NAMESPACES.includes(value) ? `has elements of ${value}` : null;
  if (local.startsWith('on')) return `has the attribute ${name}`;
  const outside = `refers to an external resource in the attribute ${name}`;
  if (local === 'base') return outside;
  if (local === 'href' || local === 'src')
    return value.startsWith('#') || PICTURE_DATA.test(value) ? null : outside;
  // An animation can set another attribute, whose own value was already checked.
  if (local === 'attributename' && /^(on|(\w+:)?(href|src|base)$)/i.test(value.trim()))
    return `animates the attribute ${value}`;
  // Attributes of other namespaces draw nothing: editors keep their notes there.
  return prefix === '' && OUTSIDE.test(value) ? outside : null;
}

/** The parts of a name in lower case, as lenient parsers read it. */
function partsOf(name: string): [prefix: string, local: string] {
  const [first = '', second] = name.toLowerCase().split(':');
  return second === undefined ? ['', first] : [first, second];
}
