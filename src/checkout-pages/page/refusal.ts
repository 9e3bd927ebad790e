/** Why credit was refused, and the button that requests a review by a person. */

import type { Refusal } from '#modules/checkout';
import { html, type Markup } from '#pages/markup';
import { formStart, type Scene } from './step-page.ts';

/** Null for a browser that may not see the reasons. */
export function refusalReasons(scene: Scene): Markup | null {
  const { view, translator } = scene;
  if (view.refusal === null) return null;
  const { reasons } = view.refusal;
  return html`<div class="refusal">
${
  reasons.length > 0 &&
  html`<p id="reasons"><strong>${translator.text('refused.reasons')}</strong></p>
<ul aria-labelledby="reasons">${reasons.map((code) => html`<li>${translator.text(`reason.${code}`)}</li>`)}</ul>`
}
${reviewOffer(scene, view.refusal.review)}
</div>`;
}

function reviewOffer(scene: Scene, review: Refusal['review']): Markup | null {
  const { view, translator, links } = scene;
  if (review === 'NONE') return null;
  if (review === 'DECIDED') return html`<p>${translator.text('refused.decided')}</p>`;
  if (review === 'ASKED')
    return html`<p role="status">${translator.text('refused.asked', { email: view.person?.email ?? view.notifiedEmail ?? '' })}</p>`;
  return html`<p>${translator.text('refused.person', { days: view.reviewDays })}</p>
<form method="post" action="${links.folder}payment/appeal">
${formStart(scene)}
<button class="quiet">${translator.text('refused.ask')}</button>
</form>`;
}
