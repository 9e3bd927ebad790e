/** Form fields: label, hint, input and error. */
import { COUNTRIES } from '#kernel/country';
import type { MessageKey, Translator } from '#messages';
import { describedBy, errorNote, errorOf, type FormScene, idOf } from './form-errors.ts';
import { attribute, type Child, flag, html, type Markup } from './markup.ts';

export interface Field {
  name: string;
  label: MessageKey;
  /** The stored value; the submitted value replaces it. */
  value: string;
  /** The subject of the field, for screen readers, if several fields have the same label. */
  of?: string;
  hint?: string;
  isOptional?: boolean;
  type?: 'text' | 'email' | 'tel';
  /** A token of HTML's autofill. */
  autocomplete?: string;
  inputmode?: 'numeric' | 'email' | 'tel' | 'text';
}

export function textField(scene: FormScene, field: Field): Markup {
  const { name, hint, isOptional = false, type = 'text' } = field;
  const error = errorOf(scene, name);
  return html`<div class="field${error === null ? '' : ' bad'}">
${labelOf(scene, field)}
${hintOf(name, hint)}<input id="${idOf(name)}" name="${name}" type="${type}" dir="${type === 'text' ? 'auto' : 'ltr'}" value="${shownIn(scene, field)}"${attribute(
    'autocomplete',
    field.autocomplete ?? 'off',
  )}${attribute('inputmode', field.inputmode)}${flag('required', !isOptional)}${flag('invalid', error !== null)}${describedBy(
    name,
    hint !== undefined,
    error,
  )} enterkeyhint="next">
${errorNote(name, error)}</div>
`;
}

const ROWS = 5;

/** Several lines of text. */
export function textArea(
  scene: FormScene,
  field: Omit<Field, 'type' | 'autocomplete' | 'inputmode'>,
): Markup {
  const { name, hint, isOptional = false } = field;
  const error = errorOf(scene, name);
  // HTML drops a line break at the start of the content.
  return html`<div class="field${error === null ? '' : ' bad'}">
${labelOf(scene, field)}
${hintOf(name, hint)}<textarea id="${idOf(name)}" name="${name}" rows="${ROWS}" dir="auto"${flag('required', !isOptional)}${flag('invalid', error !== null)}${describedBy(
    name,
    hint !== undefined,
    error,
  )}>
${shownIn(scene, field)}</textarea>
${errorNote(name, error)}</div>
`;
}

/** Files of these media types. Browsers do not fill in this field again. */
export function filesField(
  scene: FormScene,
  field: Pick<Field, 'name' | 'label' | 'hint'>,
  mediaTypes: readonly string[],
): Markup {
  const { name, hint } = field;
  const error = errorOf(scene, name);
  return html`<div class="field${error === null ? '' : ' bad'}">
${labelOf(scene, { ...field, value: '', isOptional: true })}
${hintOf(name, hint)}<input id="${idOf(name)}" name="${name}" type="file" multiple accept="${mediaTypes.join(',')}"${flag('invalid', error !== null)}${describedBy(
    name,
    hint !== undefined,
    error,
  )}>
${errorNote(name, error)}</div>
`;
}

export interface SelectOption {
  value: string;
  text: string;
}

/** @param blank The text of the first option, which is not a choice. */
export function selectField(scene: FormScene, field: Field, options: Child, blank: string): Markup {
  const { name, hint, isOptional = false } = field;
  const error = errorOf(scene, name);
  return html`<div class="field${error === null ? '' : ' bad'}">
${labelOf(scene, field)}
${hintOf(name, hint)}<select id="${idOf(name)}" name="${name}"${attribute('autocomplete', field.autocomplete)}${flag(
    'required',
    !isOptional,
  )}${flag('invalid', error !== null)}${describedBy(name, hint !== undefined, error)}>
<option value="">${blank}</option>
${options}</select>
${errorNote(name, error)}</div>
`;
}

export function optionsOf(choices: readonly SelectOption[], chosen: string): Markup[] {
  return choices.map(
    ({ value, text }) => html`<option value="${value}"${flag('selected', value === chosen)}>${text}</option>
`,
  );
}

export interface RadioGroup {
  name: string;
  legend: MessageKey;
  chosen: string;
  choices: readonly SelectOption[];
  isOptional?: boolean;
}

/** A few choices next to each other. Links of errors lead to the first. */
export function radioGroup(scene: FormScene, group: RadioGroup): Markup {
  const { name, legend, choices, isOptional = false } = group;
  const { translator, typed } = scene;
  const error = errorOf(scene, name);
  const chosen = typed?.get(name) ?? group.chosen;
  const radios = choices.map(({ value, text }, index) => {
    const id = index === 0 ? idOf(name) : `${idOf(name)}-${index}`;
    return html`<div class="pick"><input type="radio" id="${id}" name="${name}" value="${value}"${flag(
      'checked',
      value === chosen,
    )}${flag('required', !isOptional)}${describedBy(name, false, error)}><label for="${id}">${text}</label></div>
`;
  });
  return html`<fieldset class="field picks${error === null ? '' : ' bad'}">
<legend>${translator.text(legend)}${isOptional && optionalMark(translator)}</legend>
<div class="row">${radios}</div>
${errorNote(name, error)}</fieldset>
`;
}

export function countryField(scene: FormScene, field: Omit<Field, 'label'>): Markup {
  const { translator } = scene;
  const options = optionsOf(countriesOf(translator), shownIn(scene, field));
  const blank = translator.text('field.legal_form_choose');
  return selectField(scene, { autocomplete: 'country', ...field, label: 'field.country' }, options, blank);
}

const countries = new Map<string, SelectOption[]>();

/** All countries, sorted by name in the language. */
export function countriesOf({ locale, country }: Translator): SelectOption[] {
  const known = countries.get(locale);
  if (known) return known;
  const collator = new Intl.Collator(locale);
  const sorted = COUNTRIES.map((code) => ({ value: code, text: country(code) })).sort((one, other) =>
    collator.compare(one.text, other.text),
  );
  countries.set(locale, sorted);
  return sorted;
}

export function shownIn({ typed }: FormScene, { name, value }: Pick<Field, 'name' | 'value'>): string {
  return typed?.get(name) ?? value;
}

function labelOf({ translator }: FormScene, { name, label, of, isOptional = false }: Field): Markup {
  return html`<label for="${idOf(name)}">${translator.text(label)}${of !== undefined && html`<span class="unseen"> (${of})</span>`}${isOptional && optionalMark(translator)}</label>`;
}

export function optionalMark(translator: Translator): Markup {
  return html` <span class="optional">(${translator.text('common.optional')})</span>`;
}

function hintOf(name: string, hint: string | undefined): Markup | null {
  return hint === undefined
    ? null
    : html`<p class="hint" id="${idOf(name)}-hint">${hint}</p>
`;
}
