/**
 * The settings of a platform, one line each. Creation, update, versions, approvals and the help of the commands follow from
 * this table; a new setting needs its line and a migration that adds the column with a default.
 */
import { FORMALITIES, LANGUAGES } from '#kernel/language';
import { SWITCHABLE_MAILS } from '#kernel/mail-kind';
import {
  bic,
  brandColor,
  country,
  currency,
  days,
  email,
  iban,
  lineOf,
  logo,
  oneWordOf,
  onOrOff,
  orCleared,
  origin,
  percentage,
  reviewDays,
  type SettingReader,
  timeOfDay,
  timeZone,
  town,
  webPage,
} from './setting-readers.rules.ts';

/** The definition of a setting. */
export interface PlatformSetting<Type extends SettingType, Value> {
  /** The column's type in PostgreSQL. A list is given as a repeated option. */
  readonly type: Type;
  /** `--OPTION` of `tradeline platform create` and `update`. */
  readonly option: string;
  /** What the help shows as its value. */
  readonly shown: string;
  /** Reads the value, or one item of a list. */
  readonly read: SettingReader<Value>;
}

type SettingType = 'text' | 'int' | 'boolean' | 'text[]';

interface SettingTraits {
  /** The column, if its name differs from the setting's because it stores the value in another form. */
  readonly column?: string;
  /** The option names a file, whose content is read. */
  readonly isFile?: true;
  /** Encrypted in versions: they are never deleted, so addresses of persons must not be readable without the platform's key. */
  readonly isEncrypted?: true;
  /** Whether a change loosens it, which takes two operators; one may only tighten it. It is set in a separate command. */
  readonly loosens?: (before: never, after: never) => boolean;
  /** Any change takes two operators. */
  readonly takesTwo?: true;
}

function setting<const Type extends SettingType, Value, const Traits extends SettingTraits = object>(
  type: Type,
  option: string,
  shown: string,
  read: SettingReader<Value>,
  traits?: Traits,
): PlatformSetting<Type, Value> & Traits {
  return { type, option, shown, read, ...(traits as Traits) };
}

const ifHigher = (before: number, after: number) => after > before;
const ifLower = (before: number, after: number) => after < before;
const ifAdded = (before: readonly string[], after: readonly string[]) =>
  after.some((each) => !before.includes(each));
const ifTurnedOn = (before: boolean, after: boolean) => after && !before;

const ifLessReviewed = (before: FinancingReview, after: FinancingReview) =>
  FINANCING_REVIEWS.indexOf(after) < FINANCING_REVIEWS.indexOf(before);

const ENCRYPTED = { isEncrypted: true } as const;
const BY_TWO = { takesTwo: true } as const;
/** Who can pay the fee of a payment term. */
export const TERM_FEE_PAYERS = ['BUYER', 'MERCHANT'] as const;
export type TermFeePayer = (typeof TERM_FEE_PAYERS)[number];
/** Which financings a person decides, the strictest last. */
export const FINANCING_REVIEWS = ['NEVER', 'UNREADABLE_FILES', 'ALWAYS'] as const;
export type FinancingReview = (typeof FINANCING_REVIEWS)[number];
/** What a payment settles first if an invoice has late charges. */
export const LATE_CHARGE_ORDERS = ['PRINCIPAL_FIRST', 'CHARGES_FIRST'] as const;
export type LateChargeOrder = (typeof LATE_CHARGE_ORDERS)[number];
/** The longest name of an account holder in a SEPA transfer. */
const HOLDER_LENGTH_MAX = 70;

/** All settings by name, in the order in which the help lists them. */
export const PLATFORM_SETTINGS = {
  name: setting('text', 'name', 'NAME', lineOf('the name that buyers read', 255)),
  // Null: the language of the platform's country.
  language: setting('text', 'language', 'EN', orCleared(oneWordOf(LANGUAGES))),
  formality: setting('text', 'formality', FORMALITIES.join('|'), oneWordOf(FORMALITIES)),
  redirect_url: setting('text', 'redirect-url', 'URL', orCleared(webPage)),
  checkout_origins: setting('text[]', 'checkout-origin', 'ORIGIN', origin),
  logo: setting('text', 'logo', 'FILE', orCleared(logo), { column: 'logo_url', isFile: true }),
  support_emails: setting('text[]', 'support-email', 'ADDRESS', email, ENCRYPTED),
  communication_email: setting('text', 'communication-email', 'ADDRESS', orCleared(email), ENCRYPTED),
  communication_bcc_email: setting('text', 'bcc-email', 'ADDRESS', orCleared(email), ENCRYPTED),
  // Kinds of mails that are not sent.
  mails_off: setting('text[]', 'mail-off', 'KIND', oneWordOf(SWITCHABLE_MAILS)),
  sends_checkout_invitations: setting('boolean', 'invitations', 'on|off', onOrOff),
  sends_monthly_statements: setting('boolean', 'monthly-statements', 'on|off', onOrOff),
  // Looser: a buyer owes for longer.
  max_payment_term: setting('int', 'max-payment-term', 'DAYS', days(0), { loosens: ifHigher }),
  // Looser: a buyer can owe in another currency.
  financing_currencies: setting('text[]', 'financing-currency', 'CURRENCY', currency, { loosens: ifAdded }),
  collection_currencies: setting('text[]', 'collection-currency', 'CURRENCY', currency, { loosens: ifAdded }),
  // Looser: a merchant is paid sooner.
  payout_term: setting('int', 'payout-term', 'DAYS', days(0), { loosens: ifLower }),
  min_payout_business_day: setting('int', 'min-payout-business-day', 'DAYS', days(1), { loosens: ifLower }),
  // Looser: fewer invoices default, and later.
  financing_default_days: setting('int', 'financing-default-days', 'DAYS', days(1), { loosens: ifHigher }),
  // Looser: money is paid out that no person has reviewed.
  financing_review: setting(
    'text',
    'financing-review',
    FINANCING_REVIEWS.join('|'),
    oneWordOf(FINANCING_REVIEWS),
    { loosens: ifLessReviewed },
  ),
  has_erp_configuration: setting('boolean', 'erp', 'on|off', onOrOff),
  // Looser: a new merchant sells before an operator has reviewed it.
  enrolls_merchants: setting('boolean', 'enroll-merchants', 'on|off', onOrOff, { loosens: ifTurnedOn }),
  brand_color: setting('text', 'brand-color', '#RRGGBB', orCleared(brandColor)),
  privacy_url: setting('text', 'privacy-url', 'URL', orCleared(webPage)),
  imprint_url: setting('text', 'imprint-url', 'URL', orCleared(webPage)),
  terms_url: setting('text', 'terms-url', 'URL', orCleared(webPage)),
  // Working days.
  review_days: setting('int', 'review-days', 'DAYS', reviewDays),
  time_zone: setting('text', 'time-zone', 'ZONE', timeZone),
  // Who pays the fee of a payment term. It is a price, like those of the price table.
  term_fee_payer: setting('text', 'term-fee-payer', 'BUYER|MERCHANT', oneWordOf(TERM_FEE_PAYERS), BY_TWO),
  // Which debt a buyer's payment settles first. It is a term of the contract.
  late_charge_order: setting(
    'text',
    'late-charge-order',
    LATE_CHARGE_ORDERS.join('|'),
    oneWordOf(LATE_CHARGE_ORDERS),
    BY_TWO,
  ),
  // Whether the amount of an open dispute is neither charged nor overdue. It is a term of the contract.
  disputes_pause: setting('boolean', 'disputes-pause', 'on|off', onOrOff, BY_TWO),
  // The late interest, if it is lower than by law. It is a term of the contract.
  late_interest_basis_points: setting('int', 'late-interest', 'PERCENT', orCleared(percentage), BY_TWO),
  // Until when reminders wait for the previous day's bank statements.
  wait_for_bank: setting('text', 'wait-for-bank', 'HH:MM', orCleared(timeOfDay)),
  // The account to which buyers transfer money.
  account_holder: setting(
    'text',
    'account-holder',
    'NAME',
    orCleared(lineOf('a name', HOLDER_LENGTH_MAX)),
    BY_TWO,
  ),
  iban: setting('text', 'iban', 'IBAN', orCleared(iban), { column: 'iban_sealed', takesTwo: true }),
  bic: setting('text', 'bic', 'BIC', orCleared(bic), BY_TWO),
  // The place of the account holder, which transfers from the account must state. It does not redirect money.
  account_town: setting('text', 'account-town', 'TOWN', orCleared(town)),
  account_country: setting('text', 'account-country', 'COUNTRY', orCleared(country)),
} as const;

type Settings = typeof PLATFORM_SETTINGS;
export type PlatformSettingName = keyof Settings;

type ValueOf<Setting> =
  Setting extends PlatformSetting<infer Type, infer Value>
    ? Type extends 'text[]'
      ? Value[]
      : Value
    : never;

/** Settings by name, as an operator enters them: a logo as a picture, and an IBAN in clear. */
export type GivenSettings = { [Name in PlatformSettingName]?: ValueOf<Settings[Name]> };

type ColumnOf<Name extends PlatformSettingName> = Settings[Name] extends {
  column: infer Column extends string;
}
  ? Column
  : Name;

/** The settings that have a trait. */
type NameWith<Trait extends keyof SettingTraits> = {
  [Name in PlatformSettingName]: Settings[Name] extends Record<Trait, unknown> ? Name : never;
}[PlatformSettingName];

/** All settings with a common type, for code that iterates over them. */
export const settingsByName: ReadonlyMap<
  PlatformSettingName,
  PlatformSetting<SettingType, unknown> & SettingTraits
> = new Map(Object.entries(PLATFORM_SETTINGS) as [PlatformSettingName, Settings[PlatformSettingName]][]);

const columnOf = (name: PlatformSettingName) => settingsByName.get(name)?.column ?? name;

/** The columns of `platforms` that hold settings, with their types in PostgreSQL. */
export const SETTING_COLUMNS = Object.fromEntries(
  [...settingsByName].map(([name, { type }]) => [columnOf(name), type]),
) as { readonly [Name in PlatformSettingName as ColumnOf<Name>]: Settings[Name]['type'] };
export type SettingColumn = keyof typeof SETTING_COLUMNS;

function columnsWith<Trait extends keyof SettingTraits>(trait: Trait): ColumnOf<NameWith<Trait>>[] {
  return [...settingsByName]
    .filter(([, each]) => each[trait] !== undefined)
    .map(([name]) => columnOf(name) as ColumnOf<NameWith<Trait>>);
}

/** The columns of settings that one operator may only tighten. */
export const PLATFORM_CONTROLS = columnsWith('loosens');
/** The columns of settings of which every change takes two operators, such as the account that receives money. */
export const SETTINGS_BY_TWO = columnsWith('takesTwo');
export const ENCRYPTED_SETTINGS: readonly SettingColumn[] = columnsWith('isEncrypted');
