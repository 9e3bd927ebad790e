import type { Speaker } from '#messages';
import { writeLetter } from './letter.ts';
import { letterHtml } from './letter-html.ts';
import { letterText } from './letter-text.ts';
import type { MailContents, MailKind, PlatformLook } from './mail-contents.ts';
import { plainLine } from './plain-line.ts';

export interface RenderedMail {
  /** One line, whatever the values are. */
  subject: string;
  /** Complete by itself, in lines of 72 columns. */
  text: string;
  html: string;
}

/** A mail in the words of one voice. Throws where the catalogue lacks a message. */
export async function renderMail<Kind extends MailKind>(
  kind: Kind,
  contents: MailContents[Kind],
  speaker: Speaker,
  look: PlatformLook,
): Promise<RenderedMail> {
  const letter = writeLetter(kind, contents, speaker, look);
  return {
    subject: plainLine(letter.subject),
    text: letterText(letter, speaker, plainLine(look.name)),
    html: await letterHtml(letter, speaker, look),
  };
}
