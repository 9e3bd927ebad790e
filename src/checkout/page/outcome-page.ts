/** How it ended, or how it stands: what happens next, and what is to be paid when. */
import type { Outcome } from '#modules/checkout';
import { type Child, html, type Markup } from '../markup.ts';
import { dueTable } from './due-table.ts';
import { MOODS } from './mood.ts';
import { type Scene, stepPage } from './step-page.ts';

/** Without script the page asks again by itself; with script it asks often, and changes only when there is something new. */
const REFRESH_SECONDS = 15;

export function outcomePage(scene: Scene, outcome: Outcome): string {
  const { view, speaker, place } = scene;
  const { title, mood, content } = OUTCOMES[outcome](scene);
  const isWaiting = outcome === 'UNDER_REVIEW';
  return stepPage(scene, {
    title,
    at: 'outcome',
    step: 'outcome',
    ...(isWaiting && {
      head: html`<noscript><meta http-equiv="refresh" content="${REFRESH_SECONDS}"></noscript>
`,
    }),
    content: html`<div class="outcome"${isWaiting && html` data-status="${place.folder}status" data-outcome="${outcome}"`}>
${MOODS[mood]}
<h1>${title}</h1>
${content}
${agreed(scene, outcome)}
<p class="soft">${speaker.text('outcome.print', { number: view.order.externalId })}</p>
${
  view.backUrl !== null &&
  html`<p class="onward"><a class="main" href="${view.backUrl}" target="_top">${speaker.text('common.back_to', { platform: view.platform.name })}</a></p>`
}
</div>`,
  });
}

interface Said {
  title: string;
  mood: keyof typeof MOODS;
  content: Child;
}

const OUTCOMES: Record<Outcome, (scene: Scene) => Said> = {
  CONFIRMED: ({ view, speaker }) => ({
    title: speaker.text('outcome.confirmed_title'),
    mood: 'good',
    content: html`<p class="lead">${speaker.text('outcome.confirmed', { merchant: view.order.merchantName })}</p>
${view.notifiedEmail !== null && html`<p>${speaker.text('outcome.confirmed_mail', { email: view.notifiedEmail })}</p>`}`,
  }),
  UNDER_REVIEW: ({ view, speaker }) => ({
    title: speaker.text('outcome.pending_title'),
    mood: 'waiting',
    content: html`<p class="lead">${speaker.text('outcome.pending')}</p>
${view.notifiedEmail !== null && html`<p>${speaker.text('outcome.pending_mail', { email: view.notifiedEmail })}</p>`}
<p>${speaker.text('outcome.pending_page')}</p>`,
  }),
  REFUSED: ({ view, speaker }) => ({
    title: speaker.text('outcome.refused_title'),
    mood: 'over',
    // Whoever may not see which company it is learns only that nothing comes of it.
    content: html`<p class="lead">${
      view.companyName === null
        ? speaker.text('outcome.cancelled')
        : speaker.text('outcome.refused', { company: view.companyName })
    }</p>
<p>${speaker.text('outcome.refused_next', { platform: view.platform.name })}</p>`,
  }),
  CANCELLED: ({ speaker }) => ({
    title: speaker.text('outcome.cancelled_title'),
    mood: 'over',
    content: html`<p class="lead">${speaker.text('outcome.cancelled')}</p>`,
  }),
  EXPIRED: ({ view, speaker }) => ({
    title: speaker.text('outcome.expired_title'),
    mood: 'over',
    content: html`<p class="lead">${speaker.text('outcome.expired', { platform: view.platform.name })}</p>`,
  }),
  COMPLETE: ({ speaker }) => ({
    title: speaker.text('outcome.done_title'),
    mood: 'good',
    content: html`<p class="lead">${speaker.text('outcome.done')}</p>`,
  }),
};

/** What was agreed on is of interest while it is, or may still become, an obligation. */
function agreed({ view, speaker }: Scene, outcome: Outcome): Markup | null {
  if (!view.agreed || (outcome !== 'CONFIRMED' && outcome !== 'UNDER_REVIEW')) return null;
  return html`<section class="card still"><h2>${speaker.text('outcome.pay_next')}</h2>
${dueTable(view.agreed, { isUpTo: outcome === 'UNDER_REVIEW', currency: view.order.currency }, speaker)}</section>`;
}
