/** The page for an error or a disabled platform: what happened, and what to do. */
import type { MessageKey, Translator } from '#messages';
import type { PlatformView } from '#modules/checkout';
import { html } from '../markup.ts';
import type { RelativeLinks } from '../relative-links.ts';
import { pageFrame } from './frame.ts';
import { TONES } from './tone.ts';

export type Notice = 'link' | 'disabled' | 'too_many' | 'away' | 'foreign' | 'malformed';

export interface NoticePage {
  notice: Notice;
  translator: Translator;
  links: RelativeLinks;
  platform: PlatformView | null;
  /** The page answers a form, so that retrying must open another address. */
  isForm?: boolean;
}

export function noticePage({ notice, translator, links, platform, isForm = false }: NoticePage): string {
  const title = translator.text(`page.${notice}_title` satisfies MessageKey);
  const canRetry = notice === 'too_many' || notice === 'away';
  return pageFrame({
    links,
    translator,
    platform,
    title,
    content: html`<div class="outcome">
${TONES[canRetry ? 'waiting' : 'over']}
<h1>${title}</h1>
<p class="lead">${translator.text(`page.${notice}`, { platform: platform?.name ?? '' })}</p>
${canRetry && html`<p class="onward"><a class="main" href="${isForm ? `${links.folder}./` : ''}">${translator.text('page.retry')}</a></p>`}
</div>`,
  });
}
