/** A company as a registry reports it, for tests to vary. */

import type { BusinessIdentifier } from '#kernel/business-identifier';
import { isRegisterId } from '#kernel/register-id';
import { isVatId } from '#kernel/vat-id';
import type { RegistryEntry } from '#modules/registry';

export const NO_ADDRESS: RegistryEntry['address'] = {
  street: null,
  house: null,
  postcode: null,
  city: null,
  country: 'DE',
  additional: null,
};

export const vatId = (value: string, country = 'DE'): BusinessIdentifier => ({
  type: 'VAT_ID',
  value,
  country,
});
export const registerId = (value: string, country = 'DE'): BusinessIdentifier => ({
  type: 'REGISTER_ID',
  value,
  country,
});

/** The number of digits, in countries whose register numbers consist of digits. */
const REGISTER_DIGITS: Record<string, number> = {
  ...{ CZ: 8, DK: 8, EE: 8, FI: 8, NL: 8 },
  ...{ CH: 9, FR: 9, NO: 9, BE: 10, PL: 10, SE: 10 },
};

/** A trade register number with its check digit, different for each `nth` up to a hundred thousand. */
export function registerNumber(nth: number, country = 'DE'): string {
  if (country === 'DE') return `HRB ${nth}`;
  if (country === 'AT') return `FN ${nth % 1_000_000}a`;
  const length = REGISTER_DIGITS[country];
  if (length === undefined) return `${nth}`;
  const first = 10 ** (length - 1) + (nth % 100_000) * 100;
  return firstOf(
    (step) => `${first + step}`,
    (number) => isRegisterId(number, country),
  );
}

/** A German VAT number with its check digit, different for each `nth`. */
export function germanVatId(nth: number): BusinessIdentifier {
  return vatId(
    firstOf(
      (digit) => `DE${10_000_000 + nth}${digit}`,
      (value) => isVatId(value, 'DE'),
    ),
  );
}

function firstOf(make: (step: number) => string, isRight: (text: string) => boolean): string {
  for (let step = 0; ; step += 1) if (isRight(make(step))) return make(step);
}

/** An entry with every field that a buyer may take over. Another `registerKey` and identifier make it another company. */
export function registryEntry(more: Partial<RegistryEntry>): RegistryEntry {
  return {
    registry: 'TEST',
    registryKey: '1',
    legalName: 'Nordlicht Energie AG',
    tradingName: 'Nordlicht',
    otherNames: [],
    legalForm: 'Aktiengesellschaft',
    elfCode: null,
    address: { ...NO_ADDRESS, street: 'Deich', house: '1', postcode: '25813', city: 'Husum' },
    identifiers: [vatId('DE811907980'), registerId('HRB 70008')],
    incorporatedAt: 1_041_379_200,
    website: null,
    isActive: true,
    ...more,
  };
}
