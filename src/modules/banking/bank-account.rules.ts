/** Numbers of bank accounts: an IBAN, or the sort code and number of a British account. */
import { maskIban, readIban } from '#kernel/iban';

const BRITISH_IBAN = /^GB\d{2}[A-Z]{4}(\d{14})$/;

/** The number in a form for comparisons: banks name a British account by its IBAN, or by sort code and number. */
export function comparableNumber(number: string): string {
  const compact = number.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase();
  return BRITISH_IBAN.exec(compact)?.[1] ?? compact;
}

export interface AccountNumbers {
  iban?: string | undefined;
  sortCode?: string | undefined;
  accountNumber?: string | undefined;
}

/** The number of an account from an operator's input, or the fault in it. Null if nothing is given. */
export function numberOf({
  iban,
  sortCode,
  accountNumber,
}: AccountNumbers): string | { fault: string } | null {
  if (iban !== undefined) {
    if (sortCode !== undefined || accountNumber !== undefined)
      return { fault: 'Give either --iban, or --sort-code and --number.' };
    return readIban(iban) ?? { fault: '--iban is no IBAN: its length or its check digits are wrong.' };
  }
  if (sortCode === undefined && accountNumber === undefined) return null;
  const isBritish = /^\d{6}$/.test(plain(sortCode)) && /^\d{8}$/.test(plain(accountNumber));
  return isBritish
    ? plain(sortCode) + plain(accountNumber)
    : { fault: '--sort-code must have 6 digits and --number 8.' };
}

const plain = (text = '') => text.replaceAll(/[\s-]/g, '');

/** The number for operators: only its beginning and its end. */
export function maskedNumber(number: string): string {
  return /^\d+$/.test(number) ? `…${number.slice(-4)}` : maskIban(number);
}
