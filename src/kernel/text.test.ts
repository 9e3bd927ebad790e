import { describe, expect, it } from 'vitest';
import { blankToNull, isBlank, isPlainLine, isPlainText } from './text.ts';

/** Text → whether it is plain as one line, and as several lines. */
const TABLE: [name: string, text: string, line: boolean, text_: boolean][] = [
  ['nothing', '', true, true],
  ['letters of many scripts', 'Müller Łódź Ελλάς 会社 😀 👩‍👩‍👧', true, true],
  ['a no-break space', 'a\u00a0b', true, true],
  ['a private use character', '\ue000', true, true],
  ['a line feed', 'a\nb', false, true],
  ['a carriage return and line feed', 'a\r\nb\r\n', false, true],
  ['a carriage return alone', 'a\rb', false, false],
  ['a carriage return at the end', 'a\r', false, false],
  ['two carriage returns and a line feed', 'a\r\r\n', false, false],
  ['a tab', 'a\tb', false, false],
  ['NUL', 'a\0', false, false],
  ['escape', '\u001b[31m', false, false],
  ['DEL', 'a\u007f', false, false],
  ['next line, a C1 control', 'a\u0085b', false, false],
  ['the last C1 control', '\u009f', false, false],
  ['half of a pair, the first', 'a\ud83d', false, false],
  ['half of a pair, the second', '\ude00a', false, false],
  ['the halves in the wrong order', '\ude00\ud83d', false, false],
  ['a left-to-right mark', 'a\u200eb', false, true],
  ['a right-to-left mark', 'a\u200fb', false, true],
  ['an Arabic letter mark', 'a\u061cb', false, true],
  ['a left-to-right embedding', 'a\u202ab', false, true],
  ['a pop of directional formatting', 'a\u202cb', false, true],
  ['a right-to-left override', 'Bank\u202ekcabtseT', false, true],
  ['a left-to-right isolate', 'a\u2066b', false, true],
  ['a pop of a directional isolate', 'a\u2069b', false, true],
  ['letters that are written from right to left', 'שלום بنك', true, true],
  ['a zero width joiner', 'a\u200db', true, true],
  ['the halves on two lines', '\ud83d\n\ude00', false, false],
];

describe('isPlainLine', () => {
  it.each(TABLE)('%s', (_, text, expected) => expect(isPlainLine(text)).toBe(expected));
});

describe('isPlainText', () => {
  it.each(TABLE)('%s', (_, text, __, expected) => expect(isPlainText(text)).toBe(expected));
});

describe('isBlank', () => {
  it.each([
    '',
    ' ',
    ' \t\r\n',
    '\u00a0',
    '\u1680',
    '\u2003',
    '\u2028',
    '\u202f',
    '\u205f',
    '\u3000',
    '\u200b',
    '\u200d',
    '\u2060',
    '\ufeff',
    '\u00ad',
    '\u3164',
  ])('%j is blank', (text) => expect(isBlank(text)).toBe(true));

  it.each(['a', ' a ', '.', '0', '\u200b0', '😀', '\0'])('%j is not', (text) =>
    expect(isBlank(text)).toBe(false),
  );
});

describe('blankToNull', () => {
  it.each([
    [null, null],
    [undefined, null],
    ['', null],
    [' \u200b', null],
    [' a ', ' a '],
  ])('%j becomes %j', (text, expected) => expect(blankToNull(text)).toBe(expected));
});
