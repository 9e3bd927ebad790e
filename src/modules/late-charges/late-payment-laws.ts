/** The late payment laws and reference rates that ship with the program, in policies/late-payment. */
import { readFileSync } from 'node:fs';
import {
  type LatePaymentLaw,
  type ReferenceRates,
  readLatePaymentLaw,
  readReferenceRates,
} from './late-payment-law.schemas.ts';

const FOLDER = new URL('../../../policies/late-payment/', import.meta.url);

/** The member states of the Union, and the countries of the other currencies. */
export const LAW_COUNTRIES = [
  ...['AT', 'BE', 'BG', 'HR', 'CY', 'CZ', 'DK', 'EE', 'FI', 'FR', 'DE', 'GR', 'HU', 'IE', 'IT', 'LV', 'LT'],
  ...['LU', 'MT', 'NL', 'PL', 'PT', 'RO', 'SK', 'SI', 'ES', 'SE', 'NO', 'CH', 'GB', 'US', 'CA', 'JP', 'AU'],
  'NZ',
] as const;

const laws = new Map<string, LatePaymentLaw>();
let rates: ReferenceRates | undefined;

/** The law of a country; undefined for a country without a file. Each file is read once. */
export function latePaymentLawOf(country: string): LatePaymentLaw | undefined {
  if (!(LAW_COUNTRIES as readonly string[]).includes(country)) return undefined;
  const known = laws.get(country);
  if (known) return known;
  const file = `${country}.json`;
  const read = readLatePaymentLaw(readFileSync(new URL(file, FOLDER), 'utf8'));
  if ('faults' in read) throw new Error(`policies/late-payment/${file}: ${read.faults.join('; ')}.`);
  laws.set(country, read.law);
  return read.law;
}

/** The reference rates that ship with the program. Read once. */
export function shippedReferenceRates(): ReferenceRates {
  if (rates) return rates;
  const read = readReferenceRates(readFileSync(new URL('reference-rates.json', FOLDER), 'utf8'));
  if ('faults' in read)
    throw new Error(`policies/late-payment/reference-rates.json: ${read.faults.join('; ')}.`);
  rates = read.rates;
  return rates;
}
