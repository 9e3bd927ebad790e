/** The page before the code: the platform's name, and the masked address for the code. */
import type { CodeView } from '#modules/buyer-page';
import { codeForms } from '#pages/code-form';
import { errorSummary } from '#pages/form-errors';
import { pageFrame } from '#pages/frame';
import { html } from '#pages/markup';
import type { AccountScene } from '../browser-visit.ts';
import { FIELD_LABELS } from './account-page.ts';

export function buyerCodePage(
  scene: AccountScene,
  { email, isSent, validMinutes, againInSeconds }: CodeView,
): string {
  const { around, translator, links, errors } = scene;
  const { platform } = around;
  const title = translator.text('code.title');
  const lead =
    email === null
      ? translator.text('account.no_email', { platform: platform.name })
      : isSent
        ? translator.text('code.sent', { email, minutes: validMinutes })
        : translator.text('account.code_why', { email });
  return pageFrame({
    ...{ links, translator, title, platform, isSandbox: around.isSandbox },
    hasErrors: errors.length > 0,
    secure: 'account.secure',
    content: html`${errorSummary(scene, FIELD_LABELS)}
<h1>${title}</h1>
<p class="lead">${lead}</p>
${email !== null && codeForms({ scene, isSent, againInSeconds, hidden: null })}
${email !== null && html`<p class="soft">${translator.text('code.no_access', { platform: platform.name })}</p>`}`,
  });
}
