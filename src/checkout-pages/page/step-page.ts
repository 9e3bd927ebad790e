/** A page of an open checkout: the progress, the order next to it, and the errors of a form. */
import { translatorOf } from '#messages';
import type { CheckoutStep, CheckoutView, FieldError } from '#modules/checkout';
import { errorSummary, type FieldLabels, type FormScene } from '#pages/form-errors';
import { pageFrame } from '#pages/frame';
import { type Child, html, type Markup } from '#pages/markup';
import type { RelativeLinks } from '#pages/relative-links';
import { orderSummary } from './order-summary.ts';
import type { ShownOffer } from './payment-term.ts';

/** The data that pages are rendered from. */
export interface Scene extends FormScene {
  view: CheckoutView;
  links: RelativeLinks;
}

export function sceneOf(
  view: CheckoutView,
  links: RelativeLinks,
  refused: { errors: FieldError[]; typed: URLSearchParams | null } = { errors: [], typed: null },
): Scene {
  return { view, links, translator: translatorOf(view.language, view.formality, view.timeZone), ...refused };
}

export interface StepPage {
  title: string;
  /** The page to which a change of language returns. */
  at: string;
  /** Its step in the progress; null for a page that is not a step. */
  step: CheckoutStep | null;
  content: Child;
  /** The chosen offer, whose fee is added to the summary of the order. */
  agreed?: ShownOffer;
}

export function stepPage(scene: Scene, { title, at, step, content, agreed }: StepPage): string {
  const { view, translator, links, errors } = scene;
  const canCancel = view.isCancellable && at !== 'cancel';
  return pageFrame({
    links,
    translator,
    platform: view.platform,
    isSandbox: view.sandbox !== null,
    title,
    hasErrors: errors.length > 0,
    aside: orderSummary(view.order, agreed ?? null, translator),
    language: { at, version: view.version },
    content: html`${step !== null && progress(scene, step)}
${errorSummary(scene, LABELS)}
${content}`,
    ...(canCancel && {
      footer: html`<p><a href="${links.folder}cancel">${translator.text('common.leave')}</a></p>`,
    }),
  });
}

/** Completed steps are links. The outcome is not shown as a step. */
function progress({ view, translator, links }: Scene, here: CheckoutStep): Markup | null {
  const steps = view.steps.filter((step) => step !== 'outcome');
  if (here === 'outcome' || steps.length < 2) return null;
  const reached = view.steps.indexOf(view.step);
  const items = steps.map((step) => {
    const name = translator.text(`step.${step}`);
    const isDone = view.steps.indexOf(step) < reached;
    if (step === here)
      return html`<li class="${isDone ? 'done here' : 'here'}"><span aria-current="step">${name}</span></li>
`;
    if (isDone && step !== 'code')
      return html`<li class="done"><a href="${links.folder}${step}">${name}</a></li>
`;
    return html`<li${isDone ? html` class="done"` : null}><span>${name}</span></li>
`;
  });
  const count = translator.text('common.step', { step: steps.indexOf(here) + 1, steps: steps.length });
  return html`<nav class="way" aria-label="${translator.text('common.progress')}">
<p class="count">${count}</p>
<ol>${items}</ol>
</nav>`;
}

const LABELS: FieldLabels = {
  consent: null,
  code: 'code.field',
  legalName: 'field.legal_name',
  legalForm: 'field.legal_form',
  tradingName: 'field.trading_name',
  country: 'field.country',
  street: 'field.street',
  house: 'field.house',
  additional: 'field.additional',
  postcode: 'field.postcode',
  city: 'field.city',
  vatId: 'field.vat_id',
  registerId: 'field.register_id',
  query: 'company.search_field',
  salutation: 'field.salutation',
  firstName: 'field.first_name',
  lastName: 'field.last_name',
  email: 'field.email',
  phone: 'field.phone',
  to: 'details.delivery',
  purchaseOrder: 'field.purchase_order',
  invoiceEmail: 'field.invoice_email',
  billingStreet: 'field.street',
  billingHouse: 'field.house',
  billingAdditional: 'field.additional',
  billingPostcode: 'field.postcode',
  billingCity: 'field.city',
  billingCountry: 'field.country',
  term: 'payment.offered',
};

/** The hidden field with the version, for every form. */
export function formStart({ view }: Scene): Markup {
  return html`<input type="hidden" name="version" value="${view.version}">`;
}

/** The company's name, or the word “company” if this browser may not see it. */
export function companyIn({ view, translator }: Scene): string {
  return view.companyName ?? (view.company?.legalName || translator.text('review.company'));
}
