/** A mail body as plain text, in lines of at most 72 columns. */
import type { Translator } from '#messages';
import { KEPT_WHOLE, withoutMarks } from './kept-whole.ts';
import type { MailBody, MailBodyPart } from './mail-body-parts.ts';

const COLUMNS = 72;
/** Characters that take two columns. A line may break between any two of them. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u30ff\uff00-\uff60]/u;
/** Punctuation that must not begin a line. */
const CLOSING = /^[、。，．：；！？）」』】ー…]/u;

export function mailBodyText(
  { title, parts, footer }: MailBody,
  translator: Translator,
  platformName: string,
): string {
  const colon = colonOf(translator);
  const closing = [translator.text('mail.closing'), platformName].join('\n');
  const paragraphs = [
    wrapped(title),
    '-'.repeat(Math.min(COLUMNS, widthOf(title))),
    ...parts.map((part) => `\n${partText(part, colon)}`),
    `\n${closing}`,
    // The delimiter of a signature in plain-text mails.
    '\n-- ',
    wrapped(footer),
  ];
  return withoutMarks(`${paragraphs.join('\n')}\n`);
}

/** A colon with the space after it, if the language has one. In French, a no-break space precedes it. */
function colonOf({ language }: Translator): string {
  if (language === 'FR') return '\u00a0: ';
  return language === 'JA' || language === 'ZH' ? '：' : ': ';
}

function partText(part: MailBodyPart, colon: string): string {
  if ('paragraph' in part) return wrapped(part.paragraph);
  if ('code' in part) return `    ${part.code}`;
  // On one line regardless of its length, so that mail programs make a link of it.
  if ('button' in part) return `${wrapped(`${part.button}${colon}`)}\n${part.url}`;
  if ('facts' in part)
    return part.facts.map(([name, value]) => wrapped(`${name}${colon}${value}`, '  ')).join('\n');
  if ('list' in part)
    return [`${part.list}${colon.trimEnd()}`, ...part.items.map((item) => wrapped(item, '  '))].join('\n');
  if ('schedule' in part)
    return [
      `${part.schedule}${colon.trimEnd()}`,
      ...part.rows.map(([day, amount]) => wrapped(`${day}${colon}${amount}`, '  ')),
    ].join('\n');
  return [`${part.note}${colon.trimEnd()}`, ...part.lines.map((line) => wrapped(line, '  '))].join('\n');
}

/** Breaks lines at spaces, and between wide characters, but never in a day or an amount. A word longer than a line stays whole. */
function wrapped(text: string, indent = ''): string {
  const lines: string[] = [];
  let line = '';
  for (const piece of text.match(PIECES) ?? []) {
    // Leaves room for punctuation that must not begin the next line.
    const columns = WIDE.test(piece) && !CLOSING.test(piece) ? COLUMNS - 2 : COLUMNS;
    const isFull = widthOf(indent + line + piece.trimEnd()) > columns;
    if (isFull && line.trim() !== '' && !CLOSING.test(piece)) {
      lines.push(indent + line.trimEnd());
      line = '';
    }
    line += piece;
  }
  return [...lines, indent + line.trimEnd()].join('\n');
}

/** A wide character, or a word up to the next one, with marked days and amounts undivided, each with the spaces after it. */
const PIECES = new RegExp(`${WIDE.source}[ ]*|(?:${KEPT_WHOLE}|(?!${WIDE.source})[^ ])+[ ]*|[ ]+`, 'gu');

function widthOf(text: string): number {
  let width = 0;
  for (const character of withoutMarks(text)) width += WIDE.test(character) ? 2 : 1;
  return width;
}
