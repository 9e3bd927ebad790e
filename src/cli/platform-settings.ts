/** A platform's settings as options of `tradeline platform create` and `update`. */
import { readFileSync } from 'node:fs';
import { readSettings } from '#config';
import { CURRENCIES, type Currency } from '#kernel/currency';
import { isEmail } from '#kernel/email';
import { FORMALITIES, type Formality, LANGUAGES, type Language } from '#kernel/language';
import { isBlank, isPlainLine } from '#kernel/text';
import { type Logo, readLogo, readOrigin, readReturnUrl } from '#modules/platforms';
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
}

type Readers = {
  [K in keyof PlatformSettings]-?: [option: keyof Values, read: (value: never) => PlatformSettings[K]];
};

const READERS: Readers = {
  name: ['name', platformName],
  language: ['language', (value) => (value === '' ? null : oneOf(value, '--language', LANGUAGES))],
  formality: ['formality', (value) => oneOf(value, '--formality', FORMALITIES)],
  redirectUrl: ['redirect-url', (value) => (value === '' ? null : returnUrl(value))],
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

function returnUrl(value: string): string {
  const url = readReturnUrl(value, isSandbox());
  if (typeof url === 'string') throw new WrongUsage(`--redirect-url ${url}.`);
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
