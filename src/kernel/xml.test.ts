import { describe, expect, it } from 'vitest';
import { patience } from '#test/patience';
import { checkXml, NotWellFormed, readXml } from './xml.ts';

/** Texts that are not well-formed. */
const MALFORMED = [
  '',
  ' ',
  'text',
  '<a>',
  '</a>',
  '<a></b>',
  '<a/><b/>',
  '<a/>text',
  'text<a/>',
  '<![CDATA[]]><a/>',
  '<a><b></a></b>',
  '<a b/>',
  '<a b=c/>',
  '<a b="1" b="2"/>',
  '<a b="1"c="2"/>',
  '<a b="<"/>',
  '<a b="&"/>',
  '<a>&nbsp;</a>',
  '<a>&#0;</a>',
  '<a>&#xd800;</a>',
  '<a>&#x110000;</a>',
  '<a>&#65</a>',
  '<a>]]></a>',
  '<a>\0</a>',
  '<a>\u001b</a>',
  '<a><!-- -- --></a>',
  '<a><!-- </a>',
  '<?xml version="1.0" encoding="latin1"?><a/>',
  ' <?xml version="1.0"?><a/>',
  '<!DOCTYPE a [<!ENTITY x "y">]><a/>',
  '<!doctype html><a/>',
  '<1a/>',
  '<a:b:c/>',
  '< a/>',
  `${'<a>'.repeat(300)}${'</a>'.repeat(300)}`,
];

describe('An XML file', () => {
  it('is read into a tree: names as written, references resolved, the text directly in each element', () => {
    const root = readXml(
      '\ufeff<?xml version="1.0" encoding="UTF-8"?>\n<!-- a - b --><a:b c="&lt;&#x41;&#66;" d=\'"\'>x<e/>&amp;<![CDATA[<y>]]></a:b >\n',
    );
    expect(root.name).toBe('a:b');
    expect([...root.attributes]).toEqual([
      ['c', '<AB'],
      ['d', '"'],
    ]);
    expect(root.text).toBe('x&<y>');
    expect(root.children).toEqual([{ name: 'e', attributes: new Map(), text: '', children: [] }]);
  });

  it.each([...MALFORMED, '<a><?php x ?></a>'])('%j is refused', (text) => {
    expect(() => readXml(text)).toThrow(NotWellFormed);
  });

  it('of the largest size, made to be slow, is read at once', () => {
    const startedAt = performance.now();
    for (const part of ['<a ', 'a="', '<!--', '<a b="" ', '&#1', '<a/>'])
      expect(() => readXml(part.repeat(65_536 / part.length))).toThrow(NotWellFormed);
    expect(performance.now() - startedAt).toBeLessThan(patience(1));
  });
});

describe('A checked XML file', () => {
  const check = (text: string) => [...checkXml(text)].length;

  it.each([
    '\ufeff<?xml version="1.0" encoding="UTF-8"?>\n<a:b c="&lt;&#x41;" d=\'"\'>x<e/>&amp;<![CDATA[<y>]]></a:b >\n',
    '<?xml-stylesheet href="x.xsl"?><a><?php x ?></a><!-- end -->',
    `<a>${'x'.repeat(1_000_000)}</a>`,
    `<a><!--${'-x'.repeat(500_000)}--></a>`,
    `<a b="${'x'.repeat(60_000)}"/>`,
  ])('%.40j is well-formed', (text) => {
    expect(check(text)).toBe(0);
  });

  it.each([...MALFORMED, '<a/><b></b>', '<a><?xml version="1.0"?></a>', '<a><? x?></a>', '<a><?x</a>'])(
    '%j is refused',
    (text) => {
      expect(() => check(text)).toThrow(NotWellFormed);
    },
  );

  it('lets others run between its pieces, of which it has millions', () => {
    expect(check(`<a>${'<b/>'.repeat(100_000)}</a>`)).toBe(10);
  });

  it('made to exhaust the stack is refused or read', () => {
    for (const part of ['<a ', 'a="', '<!--', ' a="" ', '&#1', '<![CDATA[', '<?x '])
      expect(() => check(`<a>${part.repeat(500_000)}`)).toThrow(NotWellFormed);
    expect(() => check(`<a${Array.from({ length: 500_000 }, (_, nth) => ` a${nth}=""`).join('')}/>`)).toThrow(
      NotWellFormed,
    );
  });
});
