/** HTML that is escaped by construction. Only this file imports the library, so that nothing else can bypass escaping. */
import { html as tag } from 'hono/html';

export type Markup = ReturnType<typeof tag> & { readonly isEscaped: true };

/** Content of an element or an attribute. Undefined, null and false render nothing. */
export type Child = string | number | Markup | null | undefined | false | readonly Child[];

export function html(strings: TemplateStringsArray, ...values: Child[]): Markup {
  return tag(strings, ...values) as Markup;
}

/** A boolean attribute such as `checked`. */
export function flag(name: Flag, isSet: boolean): Markup | null {
  return isSet ? FLAGS[name] : null;
}

const FLAGS = {
  autofocus: html` autofocus`,
  checked: html` checked`,
  open: html` open`,
  required: html` required`,
  selected: html` selected`,
  invalid: html` aria-invalid="true"`,
} as const;
type Flag = keyof typeof FLAGS;

/** An attribute that is omitted if it has no value. */
export function attribute(name: Attribute, value: string | null | undefined): Markup | null {
  return value === null || value === undefined || value === '' ? null : ATTRIBUTES[name](value);
}

const ATTRIBUTES = {
  autocomplete: (value: string) => html` autocomplete="${value}"`,
  'aria-describedby': (value: string) => html` aria-describedby="${value}"`,
  inputmode: (value: string) => html` inputmode="${value}"`,
  'data-wait': (value: string) => html` data-wait="${value}"`,
  pattern: (value: string) => html` pattern="${value}"`,
} as const;
type Attribute = keyof typeof ATTRIBUTES;
