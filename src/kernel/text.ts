/** Rules for free text. Text is stored as sent, so invalid text is refused and never cleaned. */

// Cc is exactly the C0 controls, DEL and the C1 controls. With the `u` and `v` flags, Cs matches only lone surrogates.
// Bidi_Control is U+061C, U+200E, U+200F, U+202A to U+202E and U+2066 to U+2069.
const NOT_PLAIN_LINE = /[\p{Cc}\p{Cs}\p{Bidi_Control}]/u;
const NOT_PLAIN_TEXT = /\r(?!\n)|[\p{Cc}--[\r\n]]|\p{Cs}/v;

// `\s` includes the no-break space, the ideographic space and the byte order mark. Default_Ignorable adds invisible
// characters: zero width space and joiners, soft hyphen, fillers. A name that consists of them is as empty as one of
// spaces.
const BLANK = /^[\s\p{Default_Ignorable_Code_Point}]*$/u;

/**
 * One line without control characters (so without line breaks), lone surrogates and bidirectional controls. A
 * bidirectional control in a name reorders the text around it, so that a reader sees another name or amount than is
 * stored (CVE-2021-42574).
 */
export function isPlainLine(text: string): boolean {
  return !NOT_PLAIN_LINE.test(text);
}

/**
 * Several lines, separated by \n or \r\n. A lone \r is refused: it hides text in a terminal. Bidirectional controls are
 * allowed: right-to-left prose needs them, and a comment or description is shown in its own block.
 */
export function isPlainText(text: string): boolean {
  return !NOT_PLAIN_TEXT.test(text);
}

/** Whether the text is empty, or only white space and invisible characters. */
export function isBlank(text: string): boolean {
  return BLANK.test(text);
}

/** The text as sent, or null if it is blank. */
export function blankToNull(text: string | null | undefined): string | null {
  return text === null || text === undefined || isBlank(text) ? null : text;
}
