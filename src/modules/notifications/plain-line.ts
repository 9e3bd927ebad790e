/** Line breaks and all other controls; marks and overrides of direction, with which a name could turn the text around it. */
const UNWELCOME = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;
const LENGTH_MAX = 200;

/** Text of others as one harmless line: it cannot begin a header, nor a line of its own. At most 200 characters. */
export function plainLine(text: string): string {
  const line = text.replace(UNWELCOME, ' ').replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length > LENGTH_MAX ? `${characters.slice(0, LENGTH_MAX - 1).join('')}…` : line;
}

/** The same for a text that may have several lines: what it says stays in its paragraph. */
export function plainLines(text: string): string[] {
  return text
    .split(/\r\n|\n/)
    .map((line) => line.replace(UNWELCOME, ' ').replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '');
}
