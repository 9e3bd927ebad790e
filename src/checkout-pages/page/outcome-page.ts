/** How it ended, or how it stands: what happens next, and what is to be paid when. */
import type { CheckoutOutcome } from '#modules/checkout';
import { type Child, html, type Markup } from '../markup.ts';
import { dueTable } from './due-table.ts';
import { type Scene, stepPage } from './step-page.ts';
import { TONES } from './tone.ts';

/** Without script the page asks again by itself; with script it asks often, and changes only when there is something new. */
const REFRESH_SECONDS = 15;

export function outcomePage(scene: Scene, outcome: CheckoutOutcome): string {
  const { view, translator, links } = scene;
  const { title, tone, content } = OUTCOMES[outcome](scene);
  const isWaiting = outcome === 'UNDER_REVIEW';
  return stepPage(scene, {
    title,
    at: 'outcome',
    step: 'outcome',
    ...(isWaiting && {
      head: html`<noscript><meta http-equiv="refresh" content="${REFRESH_SECONDS}"></noscript>
`,
    }),
    content: html`<div class="outcome"${isWaiting && html` data-status="${links.folder}status" data-outcome="${outcome}"`}>
${TONES[tone]}
<h1>${title}</h1>
${content}
${agreed(scene, outcome)}
<p class="soft">${translator.text('outcome.print', { number: view.order.externalId })}</p>
${
  view.returnUrlFor !== null &&
  html`<p class="onward"><a class="main" href="${view.returnUrlFor}" target="_top">${translator.text('common.back_to', { platform: view.platform.name })}</a></p>`
}
</div>`,
  });
}

interface Said {
  title: string;
  tone: keyof typeof TONES;
  content: Child;
}

const OUTCOMES: Record<CheckoutOutcome, (scene: Scene) => Said> = {
  CONFIRMED: ({ view, translator }) => ({
    title: translator.text('outcome.confirmed_title'),
    tone: 'good',
    content: html`<p class="lead">${translator.text('outcome.confirmed', { merchant: view.order.merchantName })}</p>
${view.notifiedEmail !== null && html`<p>${translator.text('outcome.confirmed_mail', { email: view.notifiedEmail })}</p>`}`,
  }),
  UNDER_REVIEW: ({ view, translator }) => ({
    title: translator.text('outcome.pending_title'),
    tone: 'waiting',
    content: html`<p class="lead">${translator.text('outcome.pending')}</p>
${view.notifiedEmail !== null && html`<p>${translator.text('outcome.pending_mail', { email: view.notifiedEmail })}</p>`}
<p>${translator.text('outcome.pending_page')}</p>`,
  }),
  REFUSED: ({ view, translator }) => ({
    title: translator.text('outcome.refused_title'),
    tone: 'over',
    // Whoever may not see which company it is learns only that nothing comes of it.
    content: html`<p class="lead">${
      view.companyName === null
        ? translator.text('outcome.cancelled')
        : translator.text('outcome.refused', { company: view.companyName })
    }</p>
<p>${translator.text('outcome.refused_next', { platform: view.platform.name })}</p>`,
  }),
  CANCELLED: ({ translator }) => ({
    title: translator.text('outcome.cancelled_title'),
    tone: 'over',
    content: html`<p class="lead">${translator.text('outcome.cancelled')}</p>`,
  }),
  EXPIRED: ({ view, translator }) => ({
    title: translator.text('outcome.expired_title'),
    tone: 'over',
    content: html`<p class="lead">${translator.text('outcome.expired', { platform: view.platform.name })}</p>`,
  }),
  COMPLETE: ({ translator }) => ({
    title: translator.text('outcome.done_title'),
    tone: 'good',
    content: html`<p class="lead">${translator.text('outcome.done')}</p>`,
  }),
};

/** What was agreed on is of interest while it is, or may still become, an obligation. */
function agreed({ view, translator }: Scene, outcome: CheckoutOutcome): Markup | null {
  if (!view.agreed || (outcome !== 'CONFIRMED' && outcome !== 'UNDER_REVIEW')) return null;
  return html`<section class="card still"><h2>${translator.text('outcome.pay_next')}</h2>
${dueTable(view.agreed, { isUpTo: outcome === 'UNDER_REVIEW', currency: view.order.currency }, translator)}</section>`;
}
