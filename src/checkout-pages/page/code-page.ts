/** The page of the code step: sends and accepts the one-time code. */
import { attribute, flag, html, type Markup } from '../markup.ts';
import { describedBy, errorNote, errorOf, formStart, idOf, type Scene, stepPage } from './step-page.ts';

export function codePage(scene: Scene): string {
  const { view, translator, links } = scene;
  const { maskedEmail = '', isSent = false, validMinutes = 0 } = view.code ?? {};
  const platform = view.platform.name;
  const title = translator.text('code.title');
  const lead = isSent
    ? translator.text('code.sent', { email: maskedEmail, minutes: validMinutes })
    : translator.text('code.why', { platform, email: maskedEmail });
  return stepPage(scene, {
    title,
    at: 'code',
    step: 'code',
    content: html`<h1>${title}</h1>
<p class="lead">${lead}</p>
${isSent && codeForm(scene)}
<form method="post" action="${links.folder}code/send"${waitOf(scene)}>
${formStart(scene)}
${isSent ? again(scene) : html`<button class="main">${translator.text('code.send')}</button>`}
</form>
<p class="soft">${translator.text('code.no_access', { platform })}</p>`,
  });
}

function codeForm(scene: Scene): Markup {
  const { translator, links } = scene;
  const error = errorOf(scene, 'code');
  // A wrong code is not shown again: buyers retype it.
  return html`<form method="post" action="${links.folder}code" novalidate data-check data-required="${translator.text('error.required')}">
${formStart(scene)}
<div class="field code${error === null ? '' : ' bad'}">
<label for="${idOf('code')}">${translator.text('code.field')}</label>
<p class="hint" id="${idOf('code')}-hint">${translator.text('code.hint')}</p>
<input id="${idOf('code')}" name="code" type="text" inputmode="numeric" autocomplete="one-time-code" dir="ltr" enterkeyhint="go" required${flag(
    'invalid',
    error !== null,
  )}${describedBy('code', true, error)}>
${errorNote('code', error)}</div>
<button class="main">${translator.text('common.continue')}</button>
</form>`;
}

/** The button is never disabled here, because without script nothing would enable it. A note gives the time to wait. */
function again({ view, translator }: Scene): Markup {
  const seconds = view.code?.againInSeconds ?? 0;
  return html`<p class="again"><button class="quiet">${translator.text('code.again')}</button>
${seconds > 0 && html`<span class="soft" data-wait-note>${translator.text('code.wait', { seconds })}</span>`}</p>`;
}

/** The seconds for which the script disables the button. */
function waitOf({ view }: Scene): Markup | null {
  const seconds = view.code?.againInSeconds ?? 0;
  return attribute('data-wait', seconds > 0 ? String(seconds) : null);
}
