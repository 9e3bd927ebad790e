/** The page of the code step: sends and accepts the one-time code. */
import { CODE_DIGITS } from '#modules/checkout';
import { attribute, flag, html, type Markup } from '../markup.ts';
import { describedBy, errorNote, errorOf, formStart, idOf, type Scene, stepPage } from './step-page.ts';

export function codePage(scene: Scene): string {
  const { view, translator, links } = scene;
  const { purpose = 'FILE', email = '', isSent = false, validMinutes = 0 } = view.code ?? {};
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
${isSent && codeForm(scene)}
<form method="post" action="${links.folder}code/send"${waitOf(scene)}>
${formStart(scene)}
${isSent ? again(scene) : html`<button class="main">${translator.text('code.send')}</button>`}
</form>
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

function codeForm(scene: Scene): Markup {
  const { translator, links } = scene;
  const error = errorOf(scene, 'code');
  // A wrong code is not shown again: buyers retype it.
  return html`<form method="post" action="${links.folder}code" novalidate>
${formStart(scene)}
<div class="field code${error === null ? '' : ' bad'}">
<label for="${idOf('code')}">${translator.text('code.field')}</label>
<p class="hint" id="${idOf('code')}-hint">${translator.text('code.hint')}<span data-digits-note hidden> · ${translator.text('code.sends')}</span></p>
<input id="${idOf('code')}" name="code" type="text" inputmode="numeric" autocomplete="one-time-code" dir="ltr" enterkeyhint="go" data-digits="${CODE_DIGITS}" required${flag(
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
