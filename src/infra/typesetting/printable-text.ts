/** Text as a document can show it. */

/** Line breaks and other control characters, and the bidi controls that reverse what follows. Isolates and marks are kept. */
const UNWELCOME = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\ufeff]+/gu;
/** They join characters or choose a variant. A font need not contain them. */
const JOINERS = /[\u200b-\u200d\u2060]|\p{Variation_Selector}/gu;
/**
 * Arabic vowel marks, which today's spelling leaves out. A letter and its mark are two glyphs, and the PDF says of each glyph that it is
 * both characters: readers would extract them twice, and would extract the mark wherever the letter has the same glyph.
 */
const VOWEL_MARKS = /[\u064b-\u0652\u0670]/g;
const BIDI_MARKS = new Set([0x061c, 0x200e, 0x200f, 0x2066, 0x2067, 0x2068, 0x2069]);
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc]/;
const REPLACEMENT = '\ufffd';
const LENGTH_MAX = 1_000;
/** Ideographs are excluded because they break anywhere. */
const UNBROKEN = /[^\s\u2066-\u2069\u2e80-\uffdc]{25,}/gu;
const PIECE_LENGTH = 12;
const ZERO_WIDTH_SPACE = '\u200b';

/**
 * One line of at most 1,000 characters, without Arabic vowel marks. A character that no font has is replaced. A long word gets places to
 * break, so that it never overflows its column. In a right-to-left document, text without a letter of such a script, such as an address
 * or an account, keeps its own direction.
 */
export function printableText(
  text: string,
  { characters, isRightToLeft }: { characters: ReadonlySet<number>; isRightToLeft: boolean },
): string {
  const line = text
    .replace(UNWELCOME, ' ')
    .replace(JOINERS, '')
    .replace(VOWEL_MARKS, '')
    .replace(/ +/g, ' ')
    .trim();
  const shown = [...line].slice(0, LENGTH_MAX + 1);
  if (shown.length > LENGTH_MAX) shown.splice(LENGTH_MAX - 1, 2, '…');
  const isShown = (code: number) => characters.has(code) || BIDI_MARKS.has(code);
  const printable = shown
    .map((character) => (isShown(character.codePointAt(0) as number) ? character : REPLACEMENT))
    .join('')
    .replace(UNBROKEN, breakable);
  return isRightToLeft && !RIGHT_TO_LEFT.test(printable) ? `\u2066${printable}\u2069` : printable;
}

function breakable(word: string): string {
  const pieces: string[] = [];
  const letters = [...word];
  for (let at = 0; at < letters.length; at += PIECE_LENGTH)
    pieces.push(letters.slice(at, at + PIECE_LENGTH).join(''));
  return pieces.join(ZERO_WIDTH_SPACE);
}
