/** A letter as plain text, in lines of at most 72 columns. */
import type { Translator } from '#messages';
import type { MailBody, MailBodyPart } from './mail-body.ts';

const COLUMNS = 72;
/** Scripts whose characters take two columns, and between any two of which a line may end. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u30ff\uff00-\uff60]/u;
/** What must not begin a line. */
const CLINGING = /^[、。，．：；！？）」』】ー…]/u;

export function mailBodyText(
  { title, parts, footer }: MailBody,
  translator: Translator,
  platformName: string,
): string {
  const closing = [translator.text('mail.closing'), platformName].join('\n');
  const paragraphs = [
    wrapped(title),
    '-'.repeat(Math.min(COLUMNS, widthOf(title))),
    ...parts.map((part) => `\n${partText(part)}`),
    `\n${closing}`,
    // The line under which mail programs look for a signature.
    '\n-- ',
    wrapped(footer),
  ];
  return `${paragraphs.join('\n')}\n`;
}

function partText(part: MailBodyPart): string {
  if ('paragraph' in part) return wrapped(part.paragraph);
  if ('code' in part) return `    ${part.code}`;
  // On a line of its own, whatever its length: mail programs make a link of it.
  if ('button' in part) return `${wrapped(part.button)}:\n${part.url}`;
  if ('facts' in part)
    return part.facts.map(([name, value]) => wrapped(`${name}: ${value}`, '  ')).join('\n');
  if ('schedule' in part)
    return [
      `${part.schedule}:`,
      ...part.rows.map(([day, amount]) => wrapped(`${day}: ${amount}`, '  ')),
    ].join('\n');
  return [`${part.note}:`, ...part.lines.map((line) => wrapped(line, '  '))].join('\n');
}

/** Broken at spaces, and between the characters of scripts that have none. A word that is too long stays whole. */
function wrapped(text: string, indent = ''): string {
  const lines: string[] = [];
  let line = '';
  for (const piece of text.match(PIECES) ?? []) {
    // A sign that must not begin the next line finds room at the end of this one.
    const columns = WIDE.test(piece) && !CLINGING.test(piece) ? COLUMNS - 2 : COLUMNS;
    const isFull = widthOf(indent + line + piece.trimEnd()) > columns;
    if (isFull && line.trim() !== '' && !CLINGING.test(piece)) {
      lines.push(indent + line.trimEnd());
      line = '';
    }
    line += piece;
  }
  return [...lines, indent + line.trimEnd()].join('\n');
}

/** One wide character, or a word up to the next wide one, with the spaces after it. */
const PIECES = new RegExp(`${WIDE.source}[ ]*|(?:(?!${WIDE.source})[^ ])+[ ]*|[ ]+`, 'gu');

function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 2 : 1;
  return width;
}
