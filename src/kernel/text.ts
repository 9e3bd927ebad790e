/** What free text may carry: rules of spec/decisions.md §2. Text is stored as given, so it is refused, never cleaned. */

// Cc is exactly the C0 controls, DEL and the C1 controls. Under the `u` and `v` flags, Cs finds lone surrogates only.
// Bidi_Control is U+061C, U+200E, U+200F, U+202A to U+202E and U+2066 to U+2069.
const NOT_PLAIN_LINE = /[\p{Cc}\p{Cs}\p{Bidi_Control}]/u;
const NOT_PLAIN_TEXT = /\r(?!\n)|[\p{Cc}--[\r\n]]|\p{Cs}/v;

// `\s` has the no-break, ideographic and byte order mark spaces. Default_Ignorable adds what shows nothing at all: the
// zero width space and joiners, soft hyphen, fillers. A name of those is as empty as a name of spaces.
const BLANK = /^[\s\p{Default_Ignorable_Code_Point}]*$/u;

/**
 * One line: no control character, so no line break, no lone surrogate and no bidirectional control. A bidirectional
 * control in a name reorders the text around it, so that a reader sees another name or amount than is stored (CVE-2021-42574).
 */
export function isPlainLine(text: string): boolean {
  return !NOT_PLAIN_LINE.test(text);
}

/**
 * Several lines, with \n or \r\n between them. A lone \r is refused: it hides text in a terminal. Bidirectional controls
 * are allowed: right-to-left prose needs them, and a comment or description is shown in a block of its own.
 */
export function isPlainText(text: string): boolean {
  return !NOT_PLAIN_TEXT.test(text);
}

/** Whether a reader would see nothing: empty, or only white space and invisible characters. */
export function isBlank(text: string): boolean {
  return BLANK.test(text);
}

/** The text as given, or null where there is none to see. */
export function blankToNull(text: string | null | undefined): string | null {
  return text === null || text === undefined || isBlank(text) ? null : text;
}
