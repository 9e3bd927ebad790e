/** Bank accounts that payouts go to: the fields of each type, and which values match. */
import { readBic, readIban } from '#kernel/iban';
import type { Issue } from '#kernel/problem';
import type { IssueCode } from '#kernel/problem-codes';
import { isInSepa } from '#kernel/sepa';

export const PAYOUT_TYPES = ['SEPA', 'FPS', 'SWIFT'] as const;
export type PayoutType = (typeof PAYOUT_TYPES)[number];

/** The fields of each type. All are required, and no others are allowed. */
export const FIELDS_OF_TYPE = {
  SEPA: ['beneficiary_name', 'iban', 'bic'],
  FPS: ['beneficiary_name', 'sort_code', 'account_number'],
  SWIFT: ['beneficiary_name', 'account_number', 'bic', 'bank_name', 'bank_address'],
} as const satisfies Record<PayoutType, readonly string[]>;

type DetailName = (typeof FIELDS_OF_TYPE)[PayoutType][number];

/** The beneficiary and the account: the fields of its type. */
export type PayoutDetails = Partial<Record<DetailName, string>>;

/** Countries whose BICs are used with IBANs of another country, because they have no IBANs of their own. */
const COUNTRY_OF_IBAN: Record<string, string> = {
  ...Object.fromEntries(
    ['BL', 'GF', 'GP', 'MF', 'MQ', 'NC', 'PF', 'PM', 'RE', 'TF', 'WF', 'YT'].map((code) => [code, 'FR']),
  ),
  ...{ GG: 'GB', IM: 'GB', JE: 'GB', AX: 'FI' },
};

/** The issues of the details beyond the format of each field: a country outside SEPA, or an IBAN and a BIC of different countries. */
export function detailIssues(type: PayoutType, details: PayoutDetails): Issue[] {
  const issue = (field: DetailName, code: IssueCode, message: string): Issue => ({
    code,
    path: `body.${field}`,
    message,
  });
  if (type === 'FPS') return [];
  const number = type === 'SEPA' ? 'iban' : 'account_number';
  const iban = readIban(details[number] ?? '');
  if (iban === null)
    return looksLikeIban(details[number])
      ? [issue(number, 'INVALID_FORMAT', 'looks like an IBAN, but its length or its check digits are wrong')]
      : [];
  const country = iban.slice(0, 2);
  if (type === 'SEPA' && !isInSepa(iban))
    return [
      issue(number, 'INVALID_VALUE', 'belongs to a country outside SEPA: send an instruction of type SWIFT'),
    ];
  const bicCountry = (readBic(details.bic ?? '') ?? '').slice(4, 6);
  return (COUNTRY_OF_IBAN[bicCountry] ?? bicCountry) === country
    ? []
    : [issue('bic', 'INVALID_VALUE', `is a bank in ${bicCountry}, but the account is in ${country}`)];
}

function looksLikeIban(text = ''): boolean {
  return /^[A-Z]{2}\d{2}[A-Z0-9]{11,}$/i.test(text.replaceAll(/\s/g, ''));
}

/** The fields of the type in stored form: numbers and BICs without spaces, in capitals. */
export function readDetails(type: PayoutType, body: PayoutDetails): PayoutDetails {
  const compact = (text: string) => text.replaceAll(/\s/g, '').toUpperCase();
  const read = (name: DetailName) => {
    const text = body[name] as string;
    return ['iban', 'bic', 'account_number'].includes(name) ? compact(text) : text.trim();
  };
  return Object.fromEntries(FIELDS_OF_TYPE[type].map((name) => [name, read(name)]));
}

/** The identity of an account. Equal for two instructions with the same account, regardless of the beneficiary's name. */
export function accountOf({ iban, sort_code, account_number, bic }: PayoutDetails): string {
  if (iban !== undefined) return iban;
  if (sort_code !== undefined) return `${sort_code} ${account_number}`;
  return readIban(account_number ?? '') ?? `${bic?.slice(0, 8)} ${account_number}`;
}

/** The end of the account number: `…3000`. */
export function maskAccount(details: PayoutDetails): string {
  return `…${accountOf(details).slice(-4)}`;
}

/** Replaced accounts, and additional accounts of a merchant, get no payouts for this long, so that the owner of the old one can object. */
export const COOL_OFF_SECONDS = 24 * 60 * 60;
