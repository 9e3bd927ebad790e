import { describe, expect, it } from 'vitest';
import { isEmail, maskEmail } from './email.ts';

// 64 + @ + 189 = 254 characters, each label at most 63.
const domain189 = `${'d'.repeat(63)}.${'e'.repeat(63)}.${'f'.repeat(57)}.com`;

describe('isEmail', () => {
  it.each([
    'ada@example.com',
    'a@b.de',
    'first.last+tag@sub.example.co.uk',
    "o'brien@example.ie",
    '{curly}%odd!#$&*/=?^_`|~-@example.com',
    'buchhaltung@müller.de',
    'info@xn--mller-kva.de',
    'jörg@example.de',
    '用户@例子.公司',
    `${'l'.repeat(64)}@${domain189}`,
  ])('accepts %j', (text) => expect(isEmail(text)).toBe(true));

  it.each([
    ['nothing', ''],
    ['no at', 'example.com'],
    ['no local part', '@example.com'],
    ['no domain', 'ada@'],
    ['no top-level domain', 'ada@localhost'],
    ['an address as domain', 'ada@[127.0.0.1]'],
    ['a numeric domain', 'ada@127.0.0.1'],
    ['two ats', 'ada@b@example.com'],
    ['two addresses', 'ada@example.com,bob@example.com'],
    ['two addresses, spaced', 'ada@example.com bob@example.com'],
    ['a display name', 'Ada <ada@example.com>'],
    ['angle brackets', '<ada@example.com>'],
    ['a comment', 'ada(x)@example.com'],
    ['dots in a row', 'a..b@example.com'],
    ['a dot in front', '.ada@example.com'],
    ['a space around', ' ada@example.com'],
    ['a line break after', 'ada@example.com\n'],
    ['a quoted header injection', '"a\r\nBcc: x@evil.example"@example.com'],
    ['a quoted local part', '"ada"@example.com'],
    ['an address inside quotes', '"x@evil.example x"@example.com'],
    ['an ideographic space', 'a\u3000b@example.com'],
    ['a text direction override', 'a\u202eb@example.com'],
    ['an underscore in the domain', 'ada@exa_mple.com'],
    ['a hyphen at the edge', 'ada@-example.com'],
    ['a local part of 65', `${'l'.repeat(65)}@example.com`],
    ['255 characters', `${'l'.repeat(64)}@d${domain189}`],
    ['very many characters', 'a'.repeat(100_000)],
  ])('refuses %s', (_, text) => expect(isEmail(text)).toBe(false));
});

describe('maskEmail', () => {
  it.each([
    ['carla@morgenrot.example', 'c•••@m•••.example'],
    ['c@mail.morgenrot.co.uk', 'c•••@m•••.uk'],
    ['größe@größe.example', 'g•••@g•••.example'],
    ['😀x@x.example', '😀•••@x•••.example'],
    ['a@localhost', 'a•••@l•••'],
  ])('masks %s as %s', (email, shown) => expect(maskEmail(email)).toBe(shown));
});
