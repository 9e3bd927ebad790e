/** An address: as text, and as form fields. */
import type { Address } from '#kernel/address';
import type { Translator } from '#messages';
import { countryField, textField } from '#pages/field';
import { html, type Markup } from '#pages/markup';
import type { Scene } from './step-page.ts';

type Parts = { [Part in keyof Address]: string | null };

/** The address in the lines of an envelope. */
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

/** The address on one line. */
export function addressLine(address: Parts, translator: Translator): string {
  const { street, house, postcode, city, country } = address;
  return [joined(street, house), joined(postcode, city), country && translator.country(country)]
    .filter((part) => part)
    .join(', ');
}

function joined(one: string | null, other: string | null): string {
  return [one, other].filter((part) => part).join(' ');
}

/**
 * @param section The autofill section: browsers fill two addresses of a page separately.
 * @param prefix The prefix of the field names, if the page has another address.
 */
export function addressFields(
  scene: Scene,
  known: Parts,
  { section, prefix = '', withCountry = true }: { section: string; prefix?: string; withCountry?: boolean },
): Markup {
  const field = (part: keyof Address, token: string) => ({
    name: prefix === '' ? part : `${prefix}${part.charAt(0).toUpperCase()}${part.slice(1)}`,
    value: known[part] ?? '',
    autocomplete: `${section} ${token}`,
  });
  return html`<div class="fields street">
${textField(scene, { ...field('street', 'address-line1'), label: 'field.street' })}
${textField(scene, { ...field('house', ''), label: 'field.house', autocomplete: 'off', isOptional: true })}
</div>
${textField(scene, { ...field('additional', 'address-line2'), label: 'field.additional', isOptional: true })}
<div class="fields town">
${textField(scene, { ...field('postcode', 'postal-code'), label: 'field.postcode' })}
${textField(scene, { ...field('city', 'address-level2'), label: 'field.city' })}
</div>
${withCountry && countryField(scene, field('country', 'country'))}`;
}
