import { describe, expect, it } from 'vitest';
import { platformOrigins, readOrigin, readReturnUrl } from './origins.rules.ts';

const COMPLETE = 'must be a complete URL, such as https://shop.example/back';
const HTTPS = 'must start with https://, or lead to this machine';
const CREDENTIALS = 'must not contain a user name or a password';

describe('An address that a buyer may be sent to', () => {
  it.each([
    ['https://shop.example', 'https://shop.example/'],
    ['HTTPS://Shop.Example:443/Back?a=b#c', 'https://shop.example/Back?a=b#c'],
    ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
    ['https://ｓｈｏｐ.example', 'https://shop.example/'],
    ['https://shop.example:8443', 'https://shop.example:8443/'],
    ['https://[2001:DB8::1]/', 'https://[2001:db8::1]/'],
    ['https://192.0.2.1/', 'https://192.0.2.1/'],
    ['https://shop.example/a/../b', 'https://shop.example/b'],
    ['https://shop.example/?to=https://evil.example/@', 'https://shop.example/?to=https://evil.example/@'],
    ['http://localhost:3000', 'http://localhost:3000/'],
    ['http://shop.localhost', 'http://shop.localhost/'],
    ['http://127.1.2.3/', 'http://127.1.2.3/'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
    ['http://[::1]:8080/', 'http://[::1]:8080/'],
  ])('%j is taken as %j', (text, href) => {
    expect(`${readReturnUrl(text, true)}`).toBe(href);
  });

  it.each([
    ['', COMPLETE],
    ['shop.example', COMPLETE],
    ['//evil.example', COMPLETE],
    ['/back', COMPLETE],
    ['javascript:alert(1)', COMPLETE],
    ['javascript://shop.example/%0aalert(1)', COMPLETE],
    ['data:text/html,x', COMPLETE],
    ['ftp://shop.example/', COMPLETE],
    ['https:shop.example', COMPLETE],
    ['https:///shop.example', COMPLETE],
    ['https:\\\\shop.example', COMPLETE],
    ['https://shop.example\\@evil.example', COMPLETE],
    ['https://shop.example/\\evil', COMPLETE],
    [' https://shop.example', COMPLETE],
    ['https://shop.example/\n', COMPLETE],
    ['ht\ntps://shop.example', COMPLETE],
    ['https://shop\t.example', COMPLETE],
    ['https://shop.example/\0', COMPLETE],
    ['https://shop.example/\u2028', COMPLETE],
    ['https://shop.example./', COMPLETE],
    ['https://shop..example/', COMPLETE],
    ['https://*.shop.example/', COMPLETE],
    ["https://shop.example;script-src'unsafe-inline'/", COMPLETE],
    ['https://shop.example,evil.example/', COMPLETE],
    ['https://shop.example:65536/', COMPLETE],
    ['https://256.256.256.256/', COMPLETE],
    ['https://[::g]/', COMPLETE],
    ['https://user:password@shop.example/', CREDENTIALS],
    ['https://shop.example@evil.example/', CREDENTIALS],
    ['https://@shop.example/', CREDENTIALS],
    ['https://:@shop.example/', CREDENTIALS],
    ['http://shop.example/', HTTPS],
    ['http://127.0.0.1.evil.example/', HTTPS],
    ['http://localhost.evil.example/', HTTPS],
    ['http://notlocalhost/', HTTPS],
    ['http://10.0.0.1/', HTTPS],
    ['http://[::2]/', HTTPS],
    ['https://shop.example/?signature=x', 'must not have the parameter signature, which Tradeline appends'],
    ['https://shop.example/?%74=1', 'must not have the parameter t, which Tradeline appends'],
    [
      `https://shop.example/${'a'.repeat(2_028)}`,
      'must have at most 2048 characters, including after encoding',
    ],
    [
      `https://shop.example/${'豆'.repeat(300)}`,
      'must have at most 2048 characters, including after encoding',
    ],
  ])('%j is refused: it %s', (text, fault) => {
    expect(readReturnUrl(text, true)).toBe(fault);
  });

  it('in production is never one over http', () => {
    expect(readReturnUrl('http://localhost/', false)).toBe('must start with https://');
    expect(`${readReturnUrl('https://localhost/', false)}`).toBe('https://localhost/');
  });
});

describe('An origin', () => {
  it.each([
    ['https://Shop.example', 'https://shop.example'],
    ['https://shop.example/', 'https://shop.example'],
    ['https://shop.example:443', 'https://shop.example'],
    ['https://bücher.example:8443', 'https://xn--bcher-kva.example:8443'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ])('%j is %j', (text, origin) => {
    expect(readOrigin(text, true)).toBe(origin);
  });

  it.each([
    'https://shop.example/back',
    'https://shop.example/?a',
    'https://shop.example/#a',
    'https://*.shop.example',
    'https://shop.example.',
    'http://shop.example',
    'null',
    '',
  ])('%j is refused', (text) => {
    expect(readOrigin(text, true)).toBeNull();
  });
});

describe('The origins of a platform', () => {
  it('are those of its return URL and its checkout origins, each once', () => {
    const redirect_url = 'https://shop.example:443/back';
    const checkout_origins = ['https://pay.example', 'https://shop.example', 'https://pay.example'];
    expect(platformOrigins({ redirect_url, checkout_origins })).toEqual([
      'https://shop.example',
      'https://pay.example',
    ]);
    expect(platformOrigins({ redirect_url: null, checkout_origins: [] })).toEqual([]);
  });
});
