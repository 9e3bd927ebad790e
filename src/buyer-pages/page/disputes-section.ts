/** The disputes of an invoice: the contested amount and why, the decision and who made it, and the button to withdraw one. */
import type { DisputeOnPage, InvoiceOnPage } from '#modules/buyer-page';
import type { Dispute } from '#modules/disputes';
import { html, type Markup } from '#pages/markup';
import type { AccountScene } from '../browser-visit.ts';

/** Null if there is no dispute, and nothing to dispute. */
export function disputesSection(
  scene: AccountScene,
  { invoice, disputes, isDisputable }: InvoiceOnPage,
): Markup | null {
  const { translator, links } = scene;
  const address = `${links.folder}invoices/${invoice.external_id}`;
  const way =
    isDisputable &&
    html`<p class="onward"><a class="quiet" href="${address}/dispute">${translator.text('dispute.open')}</a></p>`;
  if (disputes.length === 0) return way || null;
  return html`<section class="card still" aria-labelledby="disputes"><h2 id="disputes">${translator.text('dispute.title')}</h2>
<ul class="disputes">${disputes.map((each) => disputeOf(scene, each, address))}</ul>
${way}</section>`;
}

const TAGS: Record<Dispute['status'], string> = {
  OPEN: 'tag wait',
  ACCEPTED: 'tag',
  REJECTED: 'tag late',
  WITHDRAWN: 'tag over',
};

function disputeOf(
  scene: AccountScene,
  { dispute, lineName, files, decidedBy }: DisputeOnPage,
  at: string,
): Markup {
  const { translator } = scene;
  const { text, money, dayOn } = translator;
  const { status, amount, accepted_amount: accepted, currency, reason, comment, external_id: id } = dispute;
  const isPart = status === 'ACCEPTED' && accepted > 0 && accepted < amount;
  const decision = [decidedBy, dispute.decided_on && dayOn(dispute.decided_on)];
  return html`<li>
<p class="state"><span class="${TAGS[status]}">${text(`dispute.${status}`)}${isPart && html` · <bdi>${money(accepted, currency)}</bdi>`}</span> <strong><bdi>${money(amount, currency)}</bdi></strong></p>
<p>${text(`dispute.${reason}`)}${lineName !== null && html` · <bdi>${lineName}</bdi>`} <span class="soft">· ${dayOn(dispute.opened_on)}</span></p>
${comment !== null && html`<p class="said" dir="auto">${comment}</p>`}
${files.length > 0 && html`<ul class="links">${files.map((file) => html`<li><a href="${at}/files/${file.external_id}" download><bdi>${file.name}</bdi></a></li>`)}</ul>`}
${status === 'OPEN' && dispute.is_pausing && html`<p class="soft">${text('mail.dispute_paused')}</p>`}
${decidedBy !== null && html`<p class="soft">${decision.map((part, index) => html`${index > 0 && ' · '}<bdi>${part}</bdi>`)}</p>`}
${dispute.decision_comment !== null && html`<p class="said" dir="auto">${dispute.decision_comment}</p>`}
${
  status === 'OPEN' &&
  html`<details class="more"><summary>${text('dispute.withdraw')}</summary>
<form method="post" action="${at}/disputes/${id}/withdraw"><p class="soft">${text('dispute.withdraw_hint')}</p><button class="grave">${text('dispute.withdraw')}</button></form></details>`
}
</li>
`;
}
