/** A page instead of a checkout: what is the matter, and what to do. */
import type { MessageKey, Speaker } from '#messages';
import type { PlatformView } from '#modules/checkout';
import { html } from '../markup.ts';
import type { Place } from '../place.ts';
import { framed } from './frame.ts';
import { MOODS } from './mood.ts';

export type Notice = 'link' | 'disabled' | 'too_many' | 'away' | 'foreign' | 'odd';

export interface NoticePage {
  notice: Notice;
  speaker: Speaker;
  place: Place;
  platform: PlatformView | null;
  /** It answers a form, whose address is none to look at. */
  isForm?: boolean;
}

export function noticePage({ notice, speaker, place, platform, isForm = false }: NoticePage): string {
  const title = speaker.text(`page.${notice}_title` satisfies MessageKey);
  const canRetry = notice === 'too_many' || notice === 'away';
  return framed({
    place,
    speaker,
    platform,
    title,
    content: html`<div class="outcome">
${MOODS[canRetry ? 'waiting' : 'over']}
<h1>${title}</h1>
<p class="lead">${speaker.text(`page.${notice}`, { platform: platform?.name ?? '' })}</p>
${canRetry && html`<p class="onward"><a class="main" href="${isForm ? `${place.folder}./` : ''}">${speaker.text('page.retry')}</a></p>`}
</div>`,
  });
}
