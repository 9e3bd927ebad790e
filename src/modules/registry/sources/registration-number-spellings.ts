import { compact } from './registry-json.ts';

/** How registries group their own numbers, which GLEIF repeats. */
const NATIONAL_SPELLINGS: Record<string, [form: RegExp, spelling: string]> = {
  BE: [/^0?(\d{3})(\d{3})(\d{3})$/, '0$1.$2.$3'],
  CH: [/^(?:CHE)?(\d{3})(\d{3})(\d{3})$/, 'CHE-$1.$2.$3'],
  DE: [/^(HRA|HRB|GNR|PR|VR)(\d+)$/, '$1 $2'],
  FI: [/^(\d{7})(\d)$/, '$1-$2'],
  NO: [/^(\d{3})(\d{3})(\d{3})$/, '$1 $2 $3'],
  SE: [/^(\d{6})(\d{4})$/, '$1-$2'],
};

/**
 * The spellings to query, most likely first: a registry that compares letter by letter finds "556016-0680" but not
 * "5560160680".
 */
export function registryNumberSpellings(value: string, country: string): string[] {
  const bare = withoutCountry(compact(value), country);
  const [form, spelling] = NATIONAL_SPELLINGS[country] ?? [];
  const national = form && spelling && form.test(bare) ? [bare.replace(form, spelling)] : [];
  return [...new Set([...national, bare, value.trim()])].filter((text) => compact(text) !== '');
}

/** Whether two spellings are the same number. Grouping, case, leading zeros and a country prefix are ignored. */
export function isSameRegistryNumber(one: string, other: string, country: string): boolean {
  const key = (text: string) => withoutCountry(compact(text), country).replace(/^(?:CHE(?=\d))?0*(?=\d)/, '');
  return key(one) === key(other);
}

/** `SE5560160680` has a country prefix; the letters of `CHE…` and `HRB…` belong to the number. */
function withoutCountry(bare: string, country: string): string {
  return bare.startsWith(country) && /^\d+$/.test(bare.slice(country.length))
    ? bare.slice(country.length)
    : bare;
}
