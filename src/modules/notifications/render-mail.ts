import type { MailKind } from '#kernel/mail-kind';
import type { Translator } from '#messages';
import { keepingWhole, withoutMarks } from './kept-whole.ts';
import { writeMailBody } from './mail-body.ts';
import { mailBodyHtml } from './mail-body-html.ts';
import type { MailBodyPart } from './mail-body-parts.ts';
import { mailBodyText } from './mail-body-text.ts';
import type { Branding, MailContents } from './mail-contents.ts';
import { plainLine } from './plain-line.ts';

export interface RenderedMail {
  /** One line. */
  subject: string;
  /** The whole content, in lines of 72 columns. */
  text: string;
  html: string;
}

/**
 * Renders a mail in the translator's language. Throws if the catalogue lacks a message, or the contents a value.
 * @param pageLink To the buyer's own page, at the end of the mail.
 */
export async function renderMail<Kind extends MailKind>(
  kind: Kind,
  contents: MailContents[Kind],
  translator: Translator,
  branding: Branding,
  pageLink: string | null = null,
): Promise<RenderedMail> {
  const written = writeMailBody(kind, contents, keepingWhole(translator), branding);
  const body = { ...written, parts: [...written.parts, ...pageLinkOf(pageLink, translator)] };
  assertComplete(kind, body);
  return {
    subject: plainLine(withoutMarks(body.subject)),
    text: mailBodyText(body, translator, plainLine(branding.name)),
    html: withoutMarks(await mailBodyHtml(body, translator, branding)),
  };
}

/** Contents come from stored events, and a missing value would be sent as “undefined”. */
function assertComplete(kind: MailKind, part: unknown): void {
  if (part === undefined) throw new Error(`The mail ${kind} lacks a value.`);
  if (typeof part === 'object' && part !== null)
    for (const each of Object.values(part)) assertComplete(kind, each);
}

function pageLinkOf(url: string | null, { text }: Translator): MailBodyPart[] {
  return url === null
    ? []
    : [{ button: text('mail.page_button'), url, fallback: text('mail.link_fallback') }];
}
