import type { Translator } from '#messages';
import { writeMailBody } from './mail-body.ts';
import { mailBodyHtml } from './mail-body-html.ts';
import { mailBodyText } from './mail-body-text.ts';
import type { Branding, MailContents, MailKind } from './mail-contents.ts';
import { plainLine } from './plain-line.ts';

export interface RenderedMail {
  /** One line. */
  subject: string;
  /** All of the content, in lines of 72 columns. */
  text: string;
  html: string;
}

/** Renders a mail in the translator's language. Throws where the catalogue lacks a message. */
export async function renderMail<Kind extends MailKind>(
  kind: Kind,
  contents: MailContents[Kind],
  translator: Translator,
  branding: Branding,
): Promise<RenderedMail> {
  const body = writeMailBody(kind, contents, translator, branding);
  return {
    subject: plainLine(body.subject),
    text: mailBodyText(body, translator, plainLine(branding.name)),
    html: await mailBodyHtml(body, translator, branding),
  };
}
