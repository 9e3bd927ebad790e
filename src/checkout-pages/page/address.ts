/** An address: as text, and as form fields. */
import type { Address } from '#kernel/address';
import type { Translator } from '#messages';
import { html, type Markup } from '../markup.ts';
import { countryField, textField } from './field.ts';
import type { Scene } from './step-page.ts';

type Parts = { [Part in keyof Address]: string | null };

/** In the lines of an envelope. */
export function addressLines(address: Parts, translator: Translator): Markup {
  const { street, house, additional, postcode, city, country } = address;
  const lines = [
    joined(street, house),
    additional,
    joined(postcode, city),
    country && translator.country(country),
  ].filter((line) => line);
  return html`${lines.map((line, index) => html`${index > 0 && html`<br>`}<bdi>${line}</bdi>`)}`;
}

/** On one line. */
export function addressLine(address: Parts, translator: Translator): string {
  const { street, house, postcode, city, country } = address;
  return [joined(street, house), joined(postcode, city), country && translator.country(country)]
    .filter((part) => part)
    .join(', ');
}

function joined(one: string | null, other: string | null): string {
  return [one, other].filter((part) => part).join(' ');
}

/** @param section The autofill section: browsers fill two addresses of a page separately. */
export function addressFields(
  scene: Scene,
  known: Parts,
  { section, withCountry = true }: { section: string; withCountry?: boolean },
): Markup {
  const token = (name: string) => `${section} ${name}`;
  return html`<div class="row">
${textField(scene, { name: 'street', label: 'field.street', value: known.street ?? '', autocomplete: token('address-line1') })}
${textField(scene, { name: 'house', label: 'field.house', value: known.house ?? '', isOptional: true, size: 'short' })}
</div>
${textField(scene, { name: 'additional', label: 'field.additional', value: known.additional ?? '', isOptional: true, autocomplete: token('address-line2') })}
<div class="row">
${textField(scene, { name: 'postcode', label: 'field.postcode', value: known.postcode ?? '', autocomplete: token('postal-code'), size: 'short' })}
${textField(scene, { name: 'city', label: 'field.city', value: known.city ?? '', autocomplete: token('address-level2') })}
</div>
${withCountry && countryField(scene, { name: 'country', value: known.country ?? '', autocomplete: token('country') })}`;
}
