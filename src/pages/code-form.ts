/** The form that takes a mailed one-time code, and the one that sends another. */
import { CODE_DIGITS } from '#modules/checkout';
import { describedBy, errorNote, errorOf, type FormScene, idOf } from './form-errors.ts';
import { attribute, type Child, flag, html, type Markup } from './markup.ts';

export interface CodeForms {
  scene: FormScene & { links: { folder: string } };
  isSent: boolean;
  /** Seconds until another code may be sent. */
  againInSeconds: number;
  /** Rendered at the start of both forms. */
  hidden: Child;
}

export function codeForms(forms: CodeForms): Markup {
  const { scene, isSent, againInSeconds, hidden } = forms;
  const { translator, links } = scene;
  const wait = attribute('data-wait', againInSeconds > 0 ? String(againInSeconds) : null);
  return html`${isSent && codeForm(forms)}
<form method="post" action="${links.folder}code/send"${wait}>
${hidden}
<p class="again">${isSent ? html`<button class="quiet">${translator.text('code.again')}</button>` : html`<button class="main">${translator.text('code.send')}</button>`}
${againInSeconds > 0 && waiting(forms)}</p>
</form>`;
}

function codeForm({ scene, hidden }: CodeForms): Markup {
  const { translator, links } = scene;
  const error = errorOf(scene, 'code');
  // A wrong code is not shown again: buyers retype it.
  return html`<form method="post" action="${links.folder}code" novalidate>
${hidden}
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
function waiting({ scene: { translator }, againInSeconds: seconds }: CodeForms): Markup {
  return html`<span class="soft" data-wait-note>${translator.text('code.wait', { seconds })}</span>`;
}
