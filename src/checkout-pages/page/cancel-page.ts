/** The page that confirms a cancellation. */
import { html } from '#pages/markup';
import { formStart, type Scene, stepPage } from './step-page.ts';

export function cancelPage(scene: Scene): string {
  const { view, translator, links } = scene;
  const title = translator.text('cancel.title');
  return stepPage(scene, {
    title,
    at: 'cancel',
    step: null,
    content: html`<h1>${title}</h1>
<p class="lead">${translator.text('cancel.text', { platform: view.platform.name })}</p>
<form method="post" action="${links.folder}cancel" class="row ways">
${formStart(scene)}
<button class="grave">${translator.text('cancel.confirm')}</button>
<a class="quiet" href="${links.folder}${view.step}">${translator.text('cancel.keep')}</a>
</form>`,
  });
}
