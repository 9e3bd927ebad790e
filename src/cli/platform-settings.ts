/** A platform's settings as options of `tradeline platform create` and `update`. */
import { readFileSync } from 'node:fs';
import { readSettings } from '#config';
import { CURRENCIES, type Currency } from '#kernel/currency';
import { isEmail } from '#kernel/email';
import { readBic, readIban } from '#kernel/iban';
import { FORMALITIES, type Formality, LANGUAGES, type Language } from '#kernel/language';
import { isTimeZone } from '#kernel/local-day';
import { isBlank, isPlainLine } from '#kernel/text';
import { type Logo, readBrandColor, readLogo, readOrigin, readReturnUrl } from '#modules/platforms';
import { WrongUsage } from './arguments.ts';
import { required, wholeNumber } from './options.ts';

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true } as const;

export const PLATFORM_OPTIONS = {
  name: text,
  language: text,
  formality: text,
  'redirect-url': text,
  'checkout-origin': texts,
  logo: text,
  'support-email': texts,
  'communication-email': text,
  'bcc-email': text,
  invitations: text,
  'max-payment-term': text,
  'financing-currency': texts,
  'collection-currency': texts,
  'payout-term': text,
  'min-payout-business-day': text,
  erp: text,
  'enroll-merchants': text,
  'brand-color': text,
  'privacy-url': text,
  'imprint-url': text,
  'terms-url': text,
  'review-days': text,
  'time-zone': text,
  'account-holder': text,
  iban: text,
  bic: text,
} as const;

type Values = { [K in keyof typeof PLATFORM_OPTIONS]?: string | string[] };

/** The given options, parsed; undefined if not given, null or an empty list if given as empty. */
export interface PlatformSettings {
  name?: string;
  language?: Language | null;
  formality?: Formality;
  redirectUrl?: string | null;
  checkoutOrigins?: string[];
  logo?: Logo;
  supportEmails?: string[];
  communicationEmail?: string | null;
  communicationBccEmail?: string | null;
  sendsCheckoutInvitations?: boolean;
  maxPaymentTerm?: number;
  financingCurrencies?: Currency[];
  collectionCurrencies?: Currency[];
  payoutTerm?: number;
  minPayoutBusinessDay?: number;
  hasErpConfiguration?: boolean;
  enrollsMerchants?: boolean;
  brandColor?: string | null;
  privacyUrl?: string | null;
  imprintUrl?: string | null;
  termsUrl?: string | null;
  reviewDays?: number;
  timeZone?: string;
  accountHolder?: string | null;
  iban?: string | null;
  bic?: string | null;
}

type Readers = {
  [K in keyof PlatformSettings]-?: [option: keyof Values, read: (value: never) => PlatformSettings[K]];
};

const READERS: Readers = {
  name: ['name', platformName],
  language: ['language', (value) => (value === '' ? null : oneOf(value, '--language', LANGUAGES))],
  formality: ['formality', (value) => oneOf(value, '--formality', FORMALITIES)],
  redirectUrl: ['redirect-url', (value) => (value === '' ? null : webPage(value, '--redirect-url'))],
  checkoutOrigins: ['checkout-origin', (value) => [...new Set(nonEmpty(value).map(origin))]],
  logo: ['logo', logo],
  supportEmails: ['support-email', (value) => nonEmpty(value).map((each) => email(each, '--support-email'))],
  communicationEmail: [
    'communication-email',
    (value) => (value === '' ? null : email(value, '--communication-email')),
  ],
  communicationBccEmail: ['bcc-email', (value) => (value === '' ? null : email(value, '--bcc-email'))],
  sendsCheckoutInvitations: ['invitations', (value) => isOn(value, '--invitations')],
  maxPaymentTerm: ['max-payment-term', (value) => wholeNumber(value, '--max-payment-term', 0)],
  financingCurrencies: ['financing-currency', (value) => currencies(value, '--financing-currency')],
  collectionCurrencies: ['collection-currency', (value) => currencies(value, '--collection-currency')],
  payoutTerm: ['payout-term', (value) => wholeNumber(value, '--payout-term', 0)],
  minPayoutBusinessDay: [
    'min-payout-business-day',
    (value) => wholeNumber(value, '--min-payout-business-day', 1),
  ],
  hasErpConfiguration: ['erp', (value) => isOn(value, '--erp')],
  enrollsMerchants: ['enroll-merchants', (value) => isOn(value, '--enroll-merchants')],
  brandColor: ['brand-color', (value) => (value === '' ? null : brandColor(value))],
  privacyUrl: ['privacy-url', (value) => (value === '' ? null : webPage(value, '--privacy-url'))],
  imprintUrl: ['imprint-url', (value) => (value === '' ? null : webPage(value, '--imprint-url'))],
  termsUrl: ['terms-url', (value) => (value === '' ? null : webPage(value, '--terms-url'))],
  reviewDays: ['review-days', reviewDays],
  timeZone: ['time-zone', timeZone],
  accountHolder: ['account-holder', (value) => (value === '' ? null : accountHolder(value))],
  iban: ['iban', (value) => (value === '' ? null : iban(value))],
  bic: ['bic', (value) => (value === '' ? null : bic(value))],
};

/** Throws WrongUsage for the first invalid option. */
export function readPlatformSettings(values: Values): PlatformSettings {
  const settings: Record<string, unknown> = {};
  for (const [setting, [option, read]] of Object.entries(READERS)) {
    const value = values[option];
    if (value !== undefined) settings[setting] = read(value as never);
  }
  return settings;
}

export function platformName(value: string | undefined): string {
  return required(
    value,
    '--name',
    (name) => isPlainLine(name) && !isBlank(name) && name.length <= 255,
    'the name that buyers read, one line of at most 255 characters',
  );
}

/** Texts of buyers have this number of working days in a sentence. */
const REVIEW_DAYS_MAX = 30;

function reviewDays(value: string): number {
  const isDays = (days: string) => /^\d{1,2}$/.test(days) && +days >= 1 && +days <= REVIEW_DAYS_MAX;
  return Number(required(value, '--review-days', isDays, `working days, 1 to ${REVIEW_DAYS_MAX}`));
}

function timeZone(value: string): string {
  return required(value, '--time-zone', isTimeZone, 'the IANA name of a time zone, such as Europe/Berlin');
}

function brandColor(value: string): string {
  const read = readBrandColor(value);
  if (typeof read === 'string') throw new WrongUsage(`--brand-color ${read}.`);
  return read.color;
}

/** The longest name of an account holder in a SEPA transfer. */
const ACCOUNT_HOLDER_LENGTH_MAX = 70;

function accountHolder(value: string): string {
  const isName = (name: string) =>
    isPlainLine(name) && !isBlank(name) && name.length <= ACCOUNT_HOLDER_LENGTH_MAX;
  return required(
    value,
    '--account-holder',
    isName,
    `a name of at most ${ACCOUNT_HOLDER_LENGTH_MAX} characters`,
  );
}

function iban(value: string): string {
  const read = readIban(value);
  if (read === null)
    throw new WrongUsage('--iban is no IBAN: its country, length or check digits are wrong.');
  return read;
}

function bic(value: string): string {
  const read = readBic(value);
  if (read === null) throw new WrongUsage('--bic is no BIC, such as COBADEFFXXX.');
  return read;
}

function oneOf<const T extends string>(value: string, option: string, known: readonly T[]): T {
  return required(
    value,
    option,
    (word) => known.some((each) => each === word),
    `one of ${known.join(', ')}`,
  ) as T;
}

function isOn(value: string, option: string): boolean {
  return oneOf(value, option, ['on', 'off']) === 'on';
}

function currencies(value: string[], option: string): Currency[] {
  return [...new Set(nonEmpty(value).map((each) => oneOf(each, option, CURRENCIES as readonly Currency[])))];
}

function email(value: string, option: string): string {
  return required(value, option, isEmail, 'an e-mail address');
}

/** The items of a list option; an empty list is given as one item ''. */
function nonEmpty(value: string[]): string[] {
  return value.filter((each) => each !== '');
}

const isSandbox = () => readSettings().environment === 'sandbox';

function webPage(value: string, option: string): string {
  const url = readReturnUrl(value, isSandbox());
  if (typeof url === 'string') throw new WrongUsage(`${option} ${url}.`);
  return url.href;
}

function origin(value: string): string {
  const read = readOrigin(value, isSandbox());
  if (read !== null) return read;
  throw new WrongUsage(
    '--checkout-origin must be scheme, host and port of an https address, such as https://shop.example' +
      (isSandbox() ? ', or of an http one that leads to this machine.' : '.'),
  );
}

function logo(path: string): Logo {
  let content: Buffer;
  try {
    content = readFileSync(path);
  } catch (error) {
    throw new WrongUsage(`--logo cannot be read from ${path} (${(error as Error).message}).`);
  }
  const read = readLogo(content);
  if (typeof read === 'string') throw new WrongUsage(`--logo is refused: ${path} ${read}.`);
  return read;
}
