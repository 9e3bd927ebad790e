/**
 * The text of a QR code with which a banking app fills in a SEPA credit transfer: EPC069-12, version 002 of the data. Each element is a
 * line; lines after the last used element are left out.
 */
import type { Currency } from '#kernel/currency';
import { isInEea, isInSepa } from '#kernel/sepa';

export interface EpcTransfer {
  beneficiary: { name: string; iban: string; bic: string | null } | null;
  /** In minor units. */
  amountMinor: number;
  currency: Currency;
  /** ISO 11649. */
  reference: string;
}

const UTF_8 = '1';
const AMOUNT_MINOR_MAX = 99_999_999_999;
const NAME_CHARACTERS_MAX = 70;
const PAYLOAD_BYTES_MAX = 331;

/**
 * Returns null if no SEPA transfer is possible: a currency other than the euro, no IBAN or one of a country outside SEPA, no BIC
 * outside the EEA, nothing to pay, or more than 999,999,999.99.
 */
export function epcQrOf({ beneficiary, amountMinor, currency, reference }: EpcTransfer): string | null {
  if (beneficiary === null || currency !== 'EUR') return null;
  if (amountMinor < 1 || amountMinor > AMOUNT_MINOR_MAX) return null;
  const { name, iban, bic } = beneficiary;
  if (!isInSepa(iban) || (bic === null && !isInEea(iban))) return null;
  const withName = (text: string) =>
    ['BCD', '002', UTF_8, 'SCT', bic ?? '', text, iban, amountText(amountMinor), '', reference].join('\n');
  const characters = [...name.replaceAll(/\s+/g, ' ').trim()].slice(0, NAME_CHARACTERS_MAX);
  // Only four-byte characters, such as rare ideographs, make it too long.
  while (Buffer.byteLength(withName(characters.join(''))) > PAYLOAD_BYTES_MAX) characters.pop();
  return withName(characters.join('').trimEnd());
}

/** EUR12.30, without thousands separators. */
function amountText(minor: number): string {
  const text = `${minor}`.padStart(3, '0');
  return `EUR${text.slice(0, -2)}.${text.slice(-2)}`;
}
