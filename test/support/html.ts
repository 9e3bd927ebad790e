/** Reads HTML more strictly than any browser, by the rules of our own pages. Returns faults and content. */

const VOID = new Set(['area', 'br', 'hr', 'img', 'input', 'link', 'meta', 'path', 'circle', 'rect']);
const TAG = /<(\/?)([a-zA-Z][a-zA-Z0-9]*)((?:\s+[a-z][a-zA-Z-]*(?:="[^"<>]*")?)*)\s*(\/?)>/y;

export interface Element {
  name: string;
  attributes: Record<string, string>;
}

export interface HtmlReading {
  faults: string[];
  elements: Element[];
  /** All text outside tags. */
  text: string;
}

export function readHtml(page: string): HtmlReading {
  const reading: HtmlReading = { faults: [], elements: [], text: '' };
  const open: string[] = [];
  let at = page.startsWith('<!doctype html>\n') ? 16 : 0;
  if (at === 0) reading.faults.push('does not begin with its doctype');
  while (at < page.length) {
    if (page[at] !== '<') {
      const end = page.indexOf('<', at);
      reading.text += page.slice(at, end < 0 ? undefined : end);
      at = end < 0 ? page.length : end;
      continue;
    }
    TAG.lastIndex = at;
    const tag = TAG.exec(page);
    if (!tag) {
      reading.faults.push(`no tag: ${page.slice(at, at + 60)}`);
      return reading;
    }
    at = TAG.lastIndex;
    const [, slash, name = '', written = '', selfClosing] = tag;
    if (slash) {
      const last = open.pop();
      if (last !== name) reading.faults.push(`</${name}> closes ${last}`);
      continue;
    }
    reading.elements.push({ name, attributes: attributesOf(written, reading.faults) });
    if (!VOID.has(name) && !selfClosing) open.push(name);
  }
  if (open.length > 0) reading.faults.push(`left open: ${open.join(', ')}`);
  if (/&(?!(amp|lt|gt|quot|#39);)/.test(page)) reading.faults.push('a bare ampersand');
  return reading;
}

function attributesOf(written: string, faults: string[]): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = '', value = ''] of written.matchAll(/\s([a-z][a-zA-Z-]*)(?:="([^"]*)")?/g)) {
    if (name in attributes) faults.push(`${name} twice`);
    attributes[name] = value;
  }
  return attributes;
}
