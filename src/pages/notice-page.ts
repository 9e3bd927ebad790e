/** The page for an error or a disabled platform: what happened, and what to do. */
import type { MessageKey, Translator } from '#messages';
import type { PlatformView } from '#modules/checkout';
import { pageFrame } from './frame.ts';
import { html } from './markup.ts';
import type { RelativeLinks } from './relative-links.ts';
import { TONES } from './tone.ts';

export type Notice = 'link' | 'disabled' | 'too_many' | 'away' | 'foreign' | 'malformed';

/** The words of a surface for each notice. Both texts get the name of the platform. */
export type NoticeTexts = Readonly<Record<Notice, readonly [title: MessageKey, lead: MessageKey]>>;

export interface NoticePage {
  notice: Notice;
  texts: NoticeTexts;
  translator: Translator;
  links: RelativeLinks;
  platform: PlatformView | null;
  /** The page answers a form, so that retrying must open another address. */
  isForm?: boolean;
}

export function noticePage({
  notice,
  texts,
  translator,
  links,
  platform,
  isForm = false,
}: NoticePage): string {
  const [titleKey, leadKey] = texts[notice];
  const values = { platform: platform?.name ?? '' };
  const title = translator.text(titleKey, values);
  const canRetry = notice === 'too_many' || notice === 'away';
  return pageFrame({
    links,
    translator,
    platform,
    title,
    content: html`<div class="outcome">
${TONES[canRetry ? 'waiting' : 'over']}
<h1>${title}</h1>
<p class="lead">${translator.text(leadKey, values)}</p>
${canRetry && html`<p class="onward"><a class="main" href="${isForm ? `${links.folder}./` : ''}">${translator.text('page.retry')}</a></p>`}
</div>`,
  });
}
