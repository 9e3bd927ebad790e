import { describe, expect, it } from 'vitest';
import { patience } from '#test/patience';
import { NotWellFormed, readXml } from './xml.ts';

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

  it.each([
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
    '<a><?php x ?></a>',
    '<?xml version="1.0" encoding="latin1"?><a/>',
    ' <?xml version="1.0"?><a/>',
    '<!DOCTYPE a [<!ENTITY x "y">]><a/>',
    '<!doctype html><a/>',
    '<1a/>',
    '<a:b:c/>',
    '< a/>',
    `${'<a>'.repeat(300)}${'</a>'.repeat(300)}`,
  ])('%j is refused', (text) => {
    expect(() => readXml(text)).toThrow(NotWellFormed);
  });

  it('of the largest size, made to be slow, is read at once', () => {
    const startedAt = performance.now();
    for (const part of ['<a ', 'a="', '<!--', '<a b="" ', '&#1', '<a/>'])
      expect(() => readXml(part.repeat(65_536 / part.length))).toThrow(NotWellFormed);
    expect(performance.now() - startedAt).toBeLessThan(patience(1));
  });
});
