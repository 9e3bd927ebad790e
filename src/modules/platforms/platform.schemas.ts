import { type Static, Type } from 'typebox';
import {
  CountrySchema,
  CurrencySchema,
  closed,
  FormalitySchema,
  LanguageSchema,
  named,
  nullable,
  oneOf,
  unixSeconds,
} from '#kernel/fields';
import { FINANCING_REVIEWS, LATE_CHARGE_ORDERS, TERM_FEE_PAYERS } from './platform-settings.rules.ts';

export const Platform = closed(
  {
    code: Type.String({ description: 'Unique platform code' }),
    name: Type.String(),
    created_at: unixSeconds('When the platform was created'),
    country: CountrySchema,
    currency: CurrencySchema,
    financing_currencies: Type.Array(CurrencySchema, { description: 'Enabled for financing requests' }),
    collection_currencies: Type.Array(CurrencySchema, { description: 'Enabled for collection requests' }),
    support_emails: Type.Array(Type.String(), {
      description: 'Notified of disabled webhooks, failed mails and waiting reviews',
    }),
    time_zone: Type.String({
      description:
        'IANA name, such as Europe/Berlin. What is due on a day is due until the end of that day in this time zone',
    }),
    payout_term: Type.Integer({ description: 'Days from the acceptance of a service until its payout' }),
    max_payment_term: Type.Integer({ description: 'The longest payment term of orders, in days' }),
    financing_default_days: Type.Integer({
      description: 'Days past due after which a financed invoice is a default',
    }),
    financing_review: named(
      'FinancingReview',
      oneOf(
        FINANCING_REVIEWS,
        'Which financings a person decides. UNREADABLE_FILES: financings whose invoice file cannot be read',
      ),
    ),
    term_fee_payer: named(
      'TermFeePayer',
      oneOf(
        TERM_FEE_PAYERS,
        'Who pays the fee of a payment term. BUYER: with the first instalment. MERCHANT: deducted from its payout, and buyers see no fee. Orders keep what was agreed',
      ),
    ),
    late_charge_order: named(
      'LateChargeOrder',
      oneOf(LATE_CHARGE_ORDERS, 'What a payment settles first if an invoice has late charges'),
    ),
    disputes_pause: Type.Boolean({
      description:
        'Whether a disputed amount is neither charged for being late nor counted as overdue while its dispute is open. Disputes keep the setting of when they were opened',
    }),
    late_interest_basis_points: nullable(
      Type.Integer({
        minimum: 0,
        description:
          'The yearly rate of late interest of the platform: 500 is 5 %. The law of the merchant’s country limits it, unless the buyer has agreed to more. Null for the rate of that law',
      }),
    ),
    wait_for_bank: nullable(
      Type.String({
        pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
        description:
          "The time of day until which reminders wait for the previous day's bank statements, in the time zone of the platform: 11:00. Null if they do not wait",
      }),
    ),
    is_single_merchant: Type.Boolean(),
    language: LanguageSchema,
    formality: FormalitySchema,
    has_erp_configuration: Type.Boolean(),
    logo_url: nullable(Type.String({ description: 'Changes with the image' })),
    redirect_url: nullable(
      Type.String({ description: 'Return URL of checkouts, unless the link has its own' }),
    ),
    min_payout_business_day: Type.Integer({
      minimum: 1,
      description: 'Business days from today before a payout may be scheduled',
    }),
    communication_email: nullable(Type.String()),
    communication_bcc_email: nullable(
      Type.String({ description: 'Copy of all mails to buyers, without codes and checkout links' }),
    ),
  },
  'Platform',
);
export type Platform = Static<typeof Platform>;
