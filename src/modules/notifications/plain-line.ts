/** Line breaks and other control characters, and bidi controls, which could reverse the text around a name. */
const UNWELCOME = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;
const LENGTH_MAX = 200;

/** Foreign text as one line of at most 200 characters: it cannot start a header or a new line. */
export function plainLine(text: string): string {
  const line = text.replace(UNWELCOME, ' ').replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length > LENGTH_MAX ? `${characters.slice(0, LENGTH_MAX - 1).join('')}…` : line;
}

/** Foreign text that may have several lines, each without control characters. Drops empty lines. */
export function plainLines(text: string): string[] {
  return text
    .split(/\r\n|\n/)
    .map((line) => line.replace(UNWELCOME, ' ').replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '');
}
