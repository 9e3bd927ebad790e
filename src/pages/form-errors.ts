/** The errors of a form: above it, next to its fields, and in the language of the reader. */
import type { MessageKey, MessageValues, Translator } from '#messages';
import type { FieldError } from '#modules/checkout';
import { attribute, html, type Markup } from './markup.ts';

/** The data that a page with a form is rendered from. */
export interface FormScene {
  translator: Translator;
  /** The errors of the form that was sent. */
  errors: FieldError[];
  /** The fields of the form that was sent; null if there was none, or its values are not shown. */
  typed: URLSearchParams | null;
}

/** The labels of a surface's fields by name; null for a field whose message needs no label. */
export type FieldLabels = Readonly<Record<string, MessageKey | null>>;

/** The summary takes the focus, so that a screen reader reads it first. */
export function errorSummary({ errors, translator }: FormScene, labels: FieldLabels): Markup | null {
  if (errors.length === 0) return null;
  const fields = errors.filter((error) => labels[fieldName(error)] !== undefined);
  const others = errors.filter((error) => !fields.includes(error));
  const sentence = (error: FieldError) => translator.text(error.error, error.values);
  // Messages do not name their field.
  const labelled = (error: FieldError) => {
    const label = labels[fieldName(error)];
    if (!label) return sentence(error);
    const name = translator.text(label);
    // A label that is a question has its mark.
    return `${name}${/[?;؟？]$/.test(name) ? '' : ':'} ${sentence(error)}`;
  };
  return html`<div class="wrong" id="wrong" role="alert" tabindex="-1" autofocus>
${others.map((error) => html`<p>${sentence(error)}</p>`)}
${
  fields.length > 0 &&
  html`<p><strong>${translator.text('error.summary', { count: fields.length })}</strong></p>
<ul>${fields.map((error) => html`<li><a href="#${idOf(fieldName(error))}">${labelled(error)}</a></li>`)}</ul>`
}
</div>`;
}

/** The name of the field in the form, from the path of the error. */
export function fieldName({ field }: FieldError): string {
  const last = field?.split('.').at(-1) ?? '';
  return last.replaceAll(/_([a-z])/g, (_, body: string) => body.toUpperCase());
}

/** The id of a field. Names are unique within a page. */
export function idOf(name: string): string {
  return `f-${name}`;
}

export function errorOf({ errors, translator }: FormScene, name: string): string | null {
  const error = errors.find((one) => one.field !== null && fieldName(one) === name);
  return error ? translator.text(error.error, error.values as MessageValues) : null;
}

/** The error below a field, which describes it for screen readers. */
export function errorNote(name: string, error: string | null): Markup | null {
  return error === null
    ? null
    : html`<p class="error" id="${idOf(name)}-error">${error}</p>
`;
}

/** The `aria-describedby` of a field: its hint and its error. */
export function describedBy(name: string, hasHint: boolean, error: string | null): Markup | null {
  const ids = [hasHint && `${idOf(name)}-hint`, error !== null && `${idOf(name)}-error`];
  return attribute('aria-describedby', ids.filter(Boolean).join(' '));
}
