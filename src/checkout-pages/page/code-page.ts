/** The one-time code, before anything on file is shown. */
import { attribute, flag, html, type Markup } from '../markup.ts';
import { describedBy, errorNote, errorOf, formStart, idOf, type Scene, stepPage } from './step-page.ts';

export function codePage(scene: Scene): string {
  const { view, translator, links } = scene;
  const { maskedEmail = '', isSent = false, validMinutes = 0 } = view.code ?? {};
  const platform = view.platform.name;
  const title = translator.text('code.title');
  const said = isSent
    ? translator.text('code.sent', { email: maskedEmail, minutes: validMinutes })
    : translator.text('code.why', { platform, email: maskedEmail });
  return stepPage(scene, {
    title,
    at: 'code',
    step: 'code',
    content: html`<h1>${title}</h1>
<p class="lead">${said}</p>
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
  // What was typed is not shown again: whoever corrects a code types it anew.
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

/** The button works at any time, as no script may be there to wake it: whoever is too early is told so. */
function again({ view, translator }: Scene): Markup {
  const seconds = view.code?.againInSeconds ?? 0;
  return html`<p class="again"><button class="quiet">${translator.text('code.again')}</button>
${seconds > 0 && html`<span class="soft" data-wait-note>${translator.text('code.wait', { seconds })}</span>`}</p>`;
}

/** Seconds for which the script keeps the button still. */
function waitOf({ view }: Scene): Markup | null {
  const seconds = view.code?.againInSeconds ?? 0;
  return attribute('data-wait', seconds > 0 ? String(seconds) : null);
}
