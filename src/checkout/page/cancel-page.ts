/** Asks once more before the order is cancelled. */
import { html } from '../markup.ts';
import { formStart, type Scene, stepPage } from './step-page.ts';

export function cancelPage(scene: Scene): string {
  const { view, speaker, place } = scene;
  const title = speaker.text('cancel.title');
  return stepPage(scene, {
    title,
    at: 'cancel',
    step: null,
    content: html`<h1>${title}</h1>
<p class="lead">${speaker.text('cancel.text', { platform: view.platform.name })}</p>
<form method="post" action="${place.folder}cancel" class="row ways">
${formStart(scene)}
<button class="grave">${speaker.text('cancel.confirm')}</button>
<a class="quiet" href="${place.folder}${view.step}">${speaker.text('cancel.keep')}</a>
</form>`,
  });
}
