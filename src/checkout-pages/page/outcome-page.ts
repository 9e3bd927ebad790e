/** The page of the outcome: the result, what happens next, and what is due when. */
import { groupedIban } from '#kernel/iban';
import type { Translator } from '#messages';
import type { CheckoutOutcome, TransferDue } from '#modules/checkout';
import type { BankAccount } from '#modules/platforms';
import { type Child, html } from '#pages/markup';
import { TONES } from '#pages/tone';
import { dueTable, type ShownOffer } from './payment-term.ts';
import { refusalReasons } from './refusal.ts';
import { type Scene, stepPage } from './step-page.ts';

export function outcomePage(scene: Scene, outcome: CheckoutOutcome): string {
  const { view, translator, links } = scene;
  const { title, tone, content } = view.paymentDue
    ? awaiting(scene, view.paymentDue)
    : OUTCOMES[outcome](scene);
  const isWaiting = outcome === 'UNDER_REVIEW';
  const agreed = agreedOffer(scene, outcome);
  return stepPage(scene, {
    title,
    at: 'outcome',
    step: 'outcome',
    ...(agreed && { agreed }),
    content: html`<div class="outcome"${isWaiting && html` data-status="${links.folder}status" data-outcome="${outcome}"`}>
${TONES[tone]}
<h1>${title}</h1>
${content}
${
  agreed &&
  html`<section class="card still"><h2>${translator.text('outcome.pay_next')}</h2>
${dueTable(agreed, translator)}</section>`
}
<p class="soft">${translator.text('outcome.print', { number: view.order.externalId })}</p>
${
  view.returnUrl !== null &&
  html`<p class="onward"><a class="main" href="${view.returnUrl}" target="_top">${translator.text('common.back_to', { platform: view.platform.name })}</a></p>`
}
</div>`,
  });
}

interface OutcomeText {
  title: string;
  tone: keyof typeof TONES;
  content: Child;
}

const OUTCOMES: Record<CheckoutOutcome, (scene: Scene) => OutcomeText> = {
  CONFIRMED: ({ view, translator }) => ({
    title: translator.text('outcome.confirmed_title'),
    tone: 'good',
    content: html`<p class="lead">${translator.text('outcome.confirmed', { merchant: view.order.merchantName })}</p>
${view.notifiedEmail !== null && html`<p>${translator.text('outcome.confirmed_mail', { email: view.notifiedEmail })}</p>`}`,
  }),
  // With script, the page polls the status. Without script, it has a link instead of reloading under its reader (WCAG 2.2, 3.2.5).
  UNDER_REVIEW: ({ view, translator, links }) => ({
    title: translator.text('outcome.pending_title'),
    tone: 'waiting',
    content: html`<p class="lead">${translator.text('outcome.pending', { days: view.reviewDays })}</p>
${view.notifiedEmail !== null && html`<p>${translator.text('outcome.pending_mail', { email: view.notifiedEmail })}</p>`}
<p data-polled hidden>${translator.text('outcome.pending_page')}</p>
<p data-unpolled><a href="${links.folder}outcome">${translator.text('outcome.refresh')}</a></p>`,
  }),
  REFUSED: (scene) => ({
    title: scene.translator.text('outcome.refused_title'),
    tone: 'over',
    // A browser that may not see the company learns only that there is no order.
    content: html`<p class="lead">${
      scene.view.companyName === null
        ? scene.translator.text('outcome.cancelled')
        : scene.translator.text('outcome.refused', { company: scene.view.companyName })
    }</p>
${refusalReasons(scene)}
<p>${scene.translator.text('outcome.refused_next', { platform: scene.view.platform.name })}</p>`,
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

/** The transfer: amount, account, deadline and reference. */
function awaiting(
  { view, translator }: Scene,
  { amount, currency, due_at, reference, account }: TransferDue,
): OutcomeText {
  const facts: [string, string][] = [
    [translator.text('order.to_pay'), translator.money(amount, currency)],
    ...(account ? accountFacts(account, translator) : []),
    [translator.text('transfer.reference'), reference],
    ...(due_at === null
      ? []
      : [[translator.text('transfer.until'), translator.day(due_at)] as [string, string]]),
  ];
  return {
    title: translator.text('outcome.awaiting_title'),
    tone: 'waiting',
    content: html`<p class="lead">${translator.text('outcome.awaiting', { merchant: view.order.merchantName })}</p>
${view.notifiedEmail !== null && html`<p>${translator.text('outcome.confirmed_mail', { email: view.notifiedEmail })}</p>`}
${account === null && html`<p>${translator.text('transfer.no_account', { platform: view.platform.name })}</p>`}
<section class="card still"><h2>${translator.text('payment.method')}</h2>
<dl class="sums dues transfer">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`)}</dl></section>`,
  };
}

function accountFacts({ holder, iban, bic }: BankAccount, translator: Translator): [string, string][] {
  return [
    [translator.text('transfer.holder'), holder],
    ['IBAN', groupedIban(iban)],
    ...(bic === null ? [] : [['BIC', bic] as [string, string]]),
  ];
}

/** The agreed offer, while its payments are or may become an obligation. */
function agreedOffer({ view }: Scene, outcome: CheckoutOutcome): ShownOffer | null {
  if (!view.agreed || view.paymentDue || (outcome !== 'CONFIRMED' && outcome !== 'UNDER_REVIEW')) return null;
  return { offer: view.agreed, isUpTo: outcome === 'UNDER_REVIEW', currency: view.order.currency };
}
