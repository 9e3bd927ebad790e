import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codeOfLogoFile, LOGO_BYTES_MAX, logoFileOf, logoPathOf, logoUrlOf, readLogo } from './logo.rules.ts';

const svg = (inside: string, attributes = '') =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`);
const filled = (start: string, bytes = 100) => Buffer.from(start.padEnd(bytes, 'x'), 'latin1');

describe('A logo', () => {
  it.each([
    ['image/png', filled('\x89PNG\r\n\x1a\n')],
    ['image/jpeg', filled('\xff\xd8\xff\xe0')],
    ['image/webp', filled('RIFF\n\r\x00\x01WEBPVP8 ')],
    ['image/svg+xml', svg('<path d="M0 0L1 1" style="fill:url(#a);stroke:#fff"/>')],
    ['image/svg+xml', svg('<style>.a { fill: url("#b") }</style><use href="#a"/>')],
    ['image/svg+xml', svg('<image href="data:image/png;base64,iVBORw0KGgo="/>')],
    [
      'image/svg+xml',
      svg(
        '<metadata><rdf:RDF><cc:Work rdf:about="http://a.example/"/></rdf:RDF></metadata>',
        'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:cc="http://creativecommons.org/ns#"',
      ),
    ],
    [
      'image/svg+xml',
      Buffer.from('<?xml version="1.0"?>\n<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:g/></s:svg>'),
    ],
    ['image/svg+xml', readFileSync(new URL('../../cli/demo-logo.svg', import.meta.url))],
  ])('is known as %s by its first bytes', (mediaType, content) => {
    expect(readLogo(content)).toEqual({ mediaType, content });
  });

  it.each([
    ['is not a PNG, JPEG, WebP or SVG image', Buffer.alloc(0)],
    ['is not a PNG, JPEG, WebP or SVG image', filled('GIF89a')],
    ['is not a PNG, JPEG, WebP or SVG image', filled('\x89PNG\n')],
    ['is not a PNG, JPEG, WebP or SVG image', filled('RIFF\0\0\0\0WAVE')],
    ['has more than 64 KB', filled('\x89PNG\r\n\x1a\n', LOGO_BYTES_MAX + 1)],
    ['is not an SVG drawing', Buffer.from('<html xmlns="http://www.w3.org/1999/xhtml"/>')],
    ['is not an SVG drawing', Buffer.from('<svg/>')],
    ['is not well-formed XML in UTF-8 without a document type', svg('<g>')],
    ['is not well-formed XML in UTF-8 without a document type', Buffer.from('<svg>\xff</svg>', 'latin1')],
    [
      'is not well-formed XML in UTF-8 without a document type',
      Buffer.from('<!DOCTYPE svg><svg xmlns="http://www.w3.org/2000/svg"/>'),
    ],
    ['has the element script', svg('<script>alert(1)</script>')],
    ['has the element SCRIPT', svg('<g><SCRIPT/></g>')],
    [
      'has the element x:script',
      svg('<metadata><x:script xmlns:x="http://www.w3.org/2000/svg"/></metadata>'),
    ],
    ['has the element foreignObject', svg('<foreignObject/>')],
    ['has elements of http://www.w3.org/1999/xhtml', svg('<h:p xmlns:h="http://www.w3.org/1999/xhtml"/>')],
    ['has the attribute onload', svg('', 'onload="alert(1)"')],
    ['has the attribute ONCLICK', svg('<g ONCLICK=""/>')],
    ['animates the attribute href', svg('<a><set attributeName="href" to="#"/></a>')],
    ['animates the attribute xlink:href', svg('<animate attributeName="xlink:href" to="#"/>')],
    ['animates the attribute onclick', svg('<set attributeName="onclick" to=""/>')],
    ...[
      ['href', '<a href="javascript:alert(1)"/>'],
      ['href', '<a href="&#106;avascript:alert(1)"/>'],
      ['href', '<image href="https://evil.example/a.png"/>'],
      ['href', '<image href="/a.png"/>'],
      ['href', '<image href="data:image/svg+xml;base64,AAAA"/>'],
      ['href', '<image href="data:text/html,x"/>'],
      ['xlink:href', '<use xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="//evil.example#a"/>'],
      ['src', '<g src="x"/>'],
      ['xml:base', '<g xml:base="https://evil.example/"/>'],
      ['fill', '<path fill="url(https://evil.example/#a)"/>'],
      ['fill', '<path fill="url(a.svg#a)"/>'],
      ['fill', '<path fill="URL( \'a.svg\')"/>'],
      ['fill', '<path fill="\\75rl(a.svg)"/>'],
      ['style', '<path style="background:image-set(\'a.png\' 1x)"/>'],
      ['values', '<animate attributeName="x" values="javascript:alert(1)"/>'],
    ].map(([name, inside]): [string, Buffer] => [
      `refers to an external resource in the attribute ${name}`,
      svg(inside as string),
    ]),
    ...['@import "a.css"', 'a { b: url(a.png) }', 'a { b: url("//evil.example") }', '@\\69mport "a"'].map(
      (style): [string, Buffer] => [
        'refers to an external resource in a style',
        svg(`<style>${style}</style>`),
      ],
    ),
    ['refers to an external resource in a style', svg('<style><![CDATA[@import "a"]]></style>')],
  ])('that %s is refused', (fault, content) => {
    expect(readLogo(content)).toBe(fault);
  });

  it('has an address that changes with its content, below that of the service', () => {
    const [first, second] = ['<g/>', ''].map((inside) =>
      logoPathOf('acme-2', { mediaType: 'image/svg+xml', content: svg(inside) }),
    );
    expect(first).toMatch(/^\/checkout\/logos\/acme-2-[\da-f]{16}\.svg$/);
    expect(second).not.toBe(first);
    const platform = { logo_url: first as string };
    expect(logoUrlOf(platform, 'https://credit.example/b2b')).toBe(`https://credit.example/b2b${first}`);
    expect(codeOfLogoFile(logoFileOf(platform) as string)).toBe('acme-2');
  });

  it('of another server keeps its address, and null stays null', () => {
    const platform = { logo_url: 'https://shop.example/logo.svg' };
    expect(logoUrlOf(platform, 'https://credit.example')).toBe(platform.logo_url);
    expect(logoFileOf(platform)).toBeNull();
    expect(logoUrlOf({ logo_url: null }, 'https://credit.example')).toBeNull();
  });
});
