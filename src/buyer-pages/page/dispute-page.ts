/** The form of a dispute: its subject, reason, comment and files. */
import { FILE_TYPES } from '#kernel/file-type';
import type { MessageValues, Translator } from '#messages';
import {
  amountFieldOf,
  DISPUTE_SCOPES,
  type DisputeFormOnPage,
  type DisputeScope,
  FORM_FILES_MEGABYTES_MAX,
} from '#modules/buyer-page';
import type { FieldError } from '#modules/checkout';
import { DISPUTE_FILES_MAX, DISPUTE_REASONS } from '#modules/disputes';
import { filesField, optionsOf, selectField, textArea, textField } from '#pages/field';
import { describedBy, errorNote, errorOf, type FieldLabels, idOf } from '#pages/form-errors';
import { flag, html, type Markup } from '#pages/markup';
import type { AccountScene } from '../browser-visit.ts';
import { accountPage } from './account-page.ts';
import { sizeText } from './figures.ts';
import { invoiceLabel, invoiceName } from './invoice-name.ts';

export function disputePage(given: AccountScene, form: DisputeFormOnPage, formId: string): string {
  const { translator, links } = given;
  const { invoice } = form;
  const { text } = translator;
  const scene = { ...given, errors: given.errors.map((error) => inWords(error, form, translator)) };
  const title = text('dispute.open');
  const address = `${links.folder}invoices/${invoice.external_id}`;
  return accountPage(
    scene,
    { companyName: invoice.buyer.legal_name ?? '' },
    {
      ...{ title, tab: 'invoices', isBelow: true, labels: labelsOf(form) },
      content: html`<h1>${title}</h1>
<p class="soft about">${invoiceLabel(invoice, translator)} · <bdi>${form.merchantName}</bdi></p>
<form method="post" action="${address}/dispute" enctype="multipart/form-data" novalidate>
<input type="hidden" name="form" value="${formId}">
${scopeField(scene, form)}
${selectField(scene, { name: 'reason', label: 'dispute.reason', value: '' }, reasons(scene), text('field.legal_form_choose'))}
${textArea(scene, { name: 'comment', label: 'dispute.words', value: '', isOptional: true })}
${keptFiles(scene, form)}
${filesField(scene, { name: 'files', label: 'dispute.files', hint: text('error.files', filesMax(translator)) }, FILE_TYPES)}
<button class="main">${text('dispute.send')}</button>
</form>
<p class="onward"><a href="${address}">${invoiceName(invoice, translator)}</a></p>`,
    },
  );
}

function labelsOf({ lines }: DisputeFormOnPage): FieldLabels {
  return {
    ...{ about: 'dispute.about', lines: 'dispute.LINES', amount: 'document.amount' },
    ...{ reason: 'dispute.reason', comment: 'dispute.words', files: 'dispute.files' },
    ...Object.fromEntries(lines.map(({ number }) => [amountFieldOf(number), 'document.amount' as const])),
  };
}

/** Formats amounts and sizes for the reader. */
function inWords(error: FieldError, { currency }: DisputeFormOnPage, translator: Translator): FieldError {
  switch (error.error) {
    case 'error.amount':
      return { ...error, values: { example: translator.money(EXAMPLE_MINOR, currency) } };
    case 'error.amount_max':
      return { ...error, values: { amount: translator.money(Number(error.values?.amount), currency) } };
    case 'error.files':
      return { ...error, values: { ...filesMax(translator), count: Number(error.values?.count) } };
    default:
      return error;
  }
}

const EXAMPLE_MINOR = 12_345;

function filesMax({ locale }: Translator): MessageValues {
  const size = new Intl.NumberFormat(locale, { style: 'unit', unit: 'megabyte', unitDisplay: 'short' });
  return { count: DISPUTE_FILES_MAX, size: size.format(FORM_FILES_MEGABYTES_MAX) };
}

/** The fields of a choice are unfolded by the style sheet alone. */
function scopeField(scene: AccountScene, form: DisputeFormOnPage): Markup {
  const { translator, typed } = scene;
  const error = errorOf(scene, 'about');
  const scopes = DISPUTE_SCOPES.filter((scope) => scope !== 'LINES' || form.lines.length > 0);
  const money = (minor: number) => translator.money(minor, form.currency);
  const names: Record<DisputeScope, string> = {
    INVOICE: translator.text('dispute.INVOICE', { amount: money(form.availableMinor) }),
    LINES: translator.text('dispute.LINES'),
    AMOUNT: translator.text('dispute.AMOUNT'),
  };
  const unfolded: Record<DisputeScope, Markup | null> = {
    INVOICE: null,
    LINES: linesField(scene, form),
    AMOUNT: html`<div class="unfold">${amountField(scene, form, { name: 'amount', value: '' })}</div>`,
  };
  const picks = scopes.map((scope, index) => {
    const id = index === 0 ? idOf('about') : `about-${scope.toLowerCase()}`;
    return html`<div class="pick"><input type="radio" id="${id}" name="about" value="${scope}"${flag('checked', typed?.get('about') === scope)} required${describedBy('about', false, error)}><label for="${id}">${names[scope]}</label>
${unfolded[scope]}</div>
`;
  });
  return html`<fieldset class="field picks${error === null ? '' : ' bad'}"><legend>${translator.text('dispute.about')}</legend>
<div class="stack">${picks}</div>
${errorNote('about', error)}</fieldset>`;
}

function linesField(scene: AccountScene, form: DisputeFormOnPage): Markup {
  const { translator, typed } = scene;
  const error = errorOf(scene, 'lines');
  const marked = typed?.getAll('lines') ?? [];
  const picks = form.lines.map(({ number, name, grossMinor, isDisputed }, index) => {
    const id = index === 0 ? idOf('lines') : `lines-${number}`;
    const isMarked = marked.includes(String(number));
    // A line that was marked before another window disputed it shows its error instead.
    if (isDisputed && !isMarked)
      return html`<div class="pick"><input type="checkbox" id="${id}" disabled><label for="${id}"><bdi>${name}</bdi> <span class="soft">${translator.text('error.line_disputed')}</span></label></div>
`;
    const value = grossMinor === null ? '' : translator.money(grossMinor, form.currency);
    return html`<div class="pick"><input type="checkbox" id="${id}" name="lines" value="${number}"${flag('checked', isMarked)}${describedBy('lines', false, error)}><label for="${id}"><bdi>${name}</bdi></label>
<div class="unfold">${amountField(scene, form, { name: amountFieldOf(number), value, of: name })}</div></div>
`;
  });
  return html`<div class="unfold${error !== null && ' bad'}" role="group" aria-label="${translator.text('dispute.LINES')}">
<div class="stack">${picks}</div>
${errorNote('lines', error)}</div>`;
}

function amountField(
  scene: AccountScene,
  { availableMinor, currency }: DisputeFormOnPage,
  field: { name: string; value: string; of?: string },
): Markup {
  const { translator } = scene;
  const most = translator.text('error.amount_max', { amount: translator.money(availableMinor, currency) });
  // The error already says it.
  const hint = errorOf(scene, field.name) === most ? {} : { hint: most };
  return textField(scene, { ...field, ...hint, label: 'document.amount', inputmode: 'text' });
}

function reasons({ translator, typed }: AccountScene): Markup[] {
  const choices = DISPUTE_REASONS.map((value) => ({ value, text: translator.text(`dispute.${value}`) }));
  return optionsOf(choices, typed?.get('reason') ?? '');
}

/** The files of an earlier attempt. If one is unmarked, it is deleted. */
function keptFiles({ translator }: AccountScene, { files }: DisputeFormOnPage): Markup | null {
  if (files.length === 0) return null;
  const picks = files.map(
    ({ id, name, sizeBytes }) =>
      html`<div class="pick"><input type="hidden" name="held" value="${id}"><input type="checkbox" id="kept-${id}" name="kept" value="${id}" checked><label for="kept-${id}"><bdi>${name}</bdi> <span class="soft"><bdi class="whole">${sizeText(sizeBytes, translator)}</bdi></span></label></div>
`,
  );
  return html`<fieldset class="field picks"><legend>${translator.text('dispute.kept')}</legend>
<div class="stack">${picks}</div></fieldset>`;
}
