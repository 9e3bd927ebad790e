/** The page of the code step: sends and accepts the one-time code. */
import { codeForms } from '#pages/code-form';
import { html, type Markup } from '#pages/markup';
import { formStart, type Scene, stepPage } from './step-page.ts';

export function codePage(scene: Scene): string {
  const { view, translator } = scene;
  const {
    purpose = 'FILE',
    email = '',
    isSent = false,
    validMinutes = 0,
    againInSeconds = 0,
  } = view.code ?? {};
  const isForCredit = purpose === 'APPLICATION';
  const platform = view.platform.name;
  const title = translator.text('code.title');
  const lead = isSent
    ? translator.text('code.sent', { email, minutes: validMinutes })
    : isForCredit
      ? translator.text('code.applicant')
      : translator.text('code.why', { platform, email });
  return stepPage(scene, {
    title,
    at: 'code',
    step: 'code',
    content: html`<h1>${title}</h1>
<p class="lead">${lead}</p>
${codeForms({ scene, isSent, againInSeconds, hidden: formStart(scene) })}
${isForCredit ? otherWays(scene) : html`<p class="soft">${translator.text('code.no_access', { platform })}</p>`}`,
  });
}

/** A person without access to the mailbox names another one, or continues without credit. */
function otherWays(scene: Scene): Markup {
  const { view, translator, links } = scene;
  return html`<div class="instead">
${view.code?.isSent && html`<p class="soft">${translator.text('code.applicant')}</p>`}
<p><a href="${links.folder}details">${translator.text('code.change_email')}</a></p>
<form method="post" action="${links.folder}code/skip">
${formStart(scene)}
<button class="quiet">${translator.text('code.skip')}</button>
</form>
</div>`;
}
