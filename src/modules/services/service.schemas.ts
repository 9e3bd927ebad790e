import { type Static, Type } from 'typebox';
import {
  CurrencySchema,
  closed,
  externalId,
  minorUnits,
  named,
  nullable,
  oneOf,
  unixSeconds,
} from '#kernel/fields';
import { collectionLifecycle } from './collection.lifecycle.ts';
import { financingLifecycle } from './financing.lifecycle.ts';
import { insuranceLifecycle } from './insurance.lifecycle.ts';
import { SERVICE_TYPES } from './service-status.rules.ts';

export const ServiceTypeSchema = named('ServiceType', oneOf(SERVICE_TYPES, 'The kind of service'));

export const ServiceStatusSchema = named(
  'ServiceStatus',
  oneOf([
    ...new Set([...financingLifecycle.states, ...insuranceLifecycle.states, ...collectionLifecycle.states]),
  ]),
);

/** What a service can require. */
export const REQUIREMENT_CODES = [
  'INVOICE_INELIGIBLE',
  'FACILITY_MISSING',
  'FACILITY_EXPIRED',
  'FACILITY_FROZEN',
  'FACILITY_CURRENCY_CONFLICT',
  'FACILITY_EXCEEDED_AVAILABLE_AMOUNT',
  'MERCHANT_NOT_ENROLLED',
  'NO_VERIFIED_PAYOUT_INSTRUCTION',
  'INVOICE_CURRENCY_NOT_SUPPORTED',
  'INVOICE_PAYMENT_TERM_EXCEEDED',
  'NO_ACTIVE_MANDATE',
  'NO_INVOICE_FILE_FOUND',
  'INVOICE_FILE_DATA_MISMATCH',
] as const;
export type RequirementCode = (typeof REQUIREMENT_CODES)[number];

export const ServiceRequirement = closed(
  {
    code: named('ServiceRequirementCode', oneOf(REQUIREMENT_CODES, 'What is not met')),
    description: Type.String({ description: 'The same in words' }),
  },
  'ServiceRequirement',
);
export type ServiceRequirement = Static<typeof ServiceRequirement>;

/** Categories of tax, by their codes in UN/CEFACT 5305. */
export const TAX_CATEGORIES = ['S', 'E', 'AE', 'O'] as const;
export type TaxCategory = (typeof TAX_CATEGORIES)[number];

export const TaxCategorySchema = named(
  'TaxCategory',
  oneOf(TAX_CATEGORIES, 'UN/CEFACT 5305: S standard rate, E exempt, AE reverse charge, O outside the scope'),
);

export const ServiceFee = closed(
  {
    net: minorUnits('The fee without tax'),
    tax: minorUnits('The tax on the fee'),
    gross: minorUnits('The fee with tax'),
    currency: CurrencySchema,
    tax_category: nullable({ ...TaxCategorySchema, description: 'Null without a fee' }),
    tax_basis_points: nullable(Type.Integer({ description: 'The rate of the tax: 1900 is 19 %' })),
  },
  'ServiceFee',
);
export type ServiceFee = Static<typeof ServiceFee>;

export const InvoiceService = Type.Object(
  {
    external_id: externalId('Chosen by the service'),
    invoice_external_id: externalId('The invoice'),
    merchant_external_id: externalId('The merchant of the invoice'),
    service_type: ServiceTypeSchema,
    status: ServiceStatusSchema,
    created_at: unixSeconds('When it was requested'),
    updated_at: unixSeconds('When it last changed'),
    terms_accepted_at: unixSeconds('When the merchant accepted the terms of the service'),
    requested_payout_at: nullable(unixSeconds('When the merchant wants to be paid at the earliest')),
    requirements: Type.Array(ServiceRequirement, {
      description: 'Everything that was not met when the service was last examined',
    }),
    base_amount: minorUnits('What the invoice claims for goods: its gross amount without what is credited'),
    fee: ServiceFee,
    set_off_amount: minorUnits('What the merchant owed, and is deducted'),
    advance: closed(
      {
        value: minorUnits('What the merchant is paid: the base without the fee and what is set off'),
        currency: CurrencySchema,
      },
      'ServiceAdvance',
    ),
    accepted_at: nullable(unixSeconds('When it was accepted')),
    paid_out_at: nullable(unixSeconds('When the bank paid the advance')),
  },
  { title: 'InvoiceService', description: 'A financial service on an invoice' },
);
export type InvoiceService = Static<typeof InvoiceService>;
