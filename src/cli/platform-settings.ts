/** What a platform is set up with, as options of `tradeline platform create` and `update`. */
import { readFileSync } from 'node:fs';
import { readSettings } from '#config';
import { isEmail } from '#kernel/email';
import { FORMALITIES, type Formality, LANGUAGES, type Language } from '#kernel/language';
import { StartRefused } from '#kernel/start-refused';
import { isBlank, isPlainLine } from '#kernel/text';
import { type Logo, readLogo, readOrigin, readReturnUrl } from '#modules/platforms';
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
} as const;

type Values = { [K in keyof typeof PLATFORM_OPTIONS]?: string | string[] };

/** What was said, read; undefined where nothing was said. Null, or an empty list: said to be nothing. */
export interface PlatformSettings {
  name?: string;
  language?: Language;
  formality?: Formality;
  redirectUrl?: string | null;
  checkoutOrigins?: string[];
  logo?: Logo;
  supportEmails?: string[];
  communicationEmail?: string | null;
  communicationBccEmail?: string | null;
  sendsCheckoutInvitations?: boolean;
  maxPaymentTerm?: number;
}

type Readers = {
  [K in keyof PlatformSettings]-?: [option: keyof Values, read: (said: never) => PlatformSettings[K]];
};

const READERS: Readers = {
  name: ['name', platformName],
  language: ['language', (said) => oneOf(said, '--language', LANGUAGES)],
  formality: ['formality', (said) => oneOf(said, '--formality', FORMALITIES)],
  redirectUrl: ['redirect-url', (said) => (said === '' ? null : returnUrl(said))],
  checkoutOrigins: ['checkout-origin', (said) => [...new Set(allBut(said).map(origin))]],
  logo: ['logo', logo],
  supportEmails: ['support-email', (said) => allBut(said).map((each) => email(each, '--support-email'))],
  communicationEmail: [
    'communication-email',
    (said) => (said === '' ? null : email(said, '--communication-email')),
  ],
  communicationBccEmail: ['bcc-email', (said) => (said === '' ? null : email(said, '--bcc-email'))],
  sendsCheckoutInvitations: ['invitations', (said) => oneOf(said, '--invitations', ['on', 'off']) === 'on'],
  maxPaymentTerm: ['max-payment-term', (said) => wholeNumber(said, '--max-payment-term', 0)],
};

/** Throws StartRefused with one sentence for the first that is wrong. */
export function readPlatformSettings(values: Values): PlatformSettings {
  const settings: Record<string, unknown> = {};
  for (const [setting, [option, read]] of Object.entries(READERS)) {
    const said = values[option];
    if (said !== undefined) settings[setting] = read(said as never);
  }
  return settings;
}

export function platformName(said: string | undefined): string {
  return required(
    said,
    '--name',
    (name) => isPlainLine(name) && !isBlank(name) && name.length <= 255,
    'the name that buyers read, one line of at most 255 characters',
  );
}

function oneOf<const T extends string>(said: string, option: string, known: readonly T[]): T {
  return required(
    said,
    option,
    (word) => known.some((each) => each === word),
    `one of ${known.join(', ')}`,
  ) as T;
}

function email(said: string, option: string): string {
  return required(said, option, isEmail, 'an e-mail address');
}

/** A list that is said to be empty has the one item ''. */
function allBut(said: string[]): string[] {
  return said.filter((each) => each !== '');
}

const isSandbox = () => readSettings().environment === 'sandbox';

function returnUrl(said: string): string {
  const url = readReturnUrl(said, isSandbox());
  if (typeof url === 'string') throw new StartRefused(`--redirect-url ${url}.`);
  return url.href;
}

function origin(said: string): string {
  const read = readOrigin(said, isSandbox());
  if (read !== null) return read;
  throw new StartRefused(
    '--checkout-origin must be scheme, host and port of an https address, such as https://shop.example' +
      (isSandbox() ? ', or of an http one that leads to this machine.' : '.'),
  );
}

function logo(path: string): Logo {
  let content: Buffer;
  try {
    content = readFileSync(path);
  } catch (error) {
    throw new StartRefused(`--logo cannot be read from ${path} (${(error as Error).message}).`);
  }
  const read = readLogo(content);
  if (typeof read === 'string') throw new StartRefused(`--logo is refused: ${path} ${read}.`);
  return read;
}
