import { type Static, Type } from 'typebox';
import {
  amountInput,
  CurrencySchema,
  closed,
  externalId,
  minorUnits,
  nullable,
  optional,
  unixSeconds,
} from '#kernel/fields';
import { ServiceFee, ServiceRequirement, ServiceTypeSchema } from '#modules/services';

export const InvoiceServiceParams = closed({
  external_id: externalId('The invoice'),
  service_type: ServiceTypeSchema,
});

export const InvoiceServiceRequest = closed(
  {
    terms_accepted_at: unixSeconds('When the merchant accepted the terms of the service; not in the future'),
    payout_at: optional(
      unixSeconds(
        'FINANCING: when the merchant wants the money at the earliest. Default: as soon as possible',
      ),
    ),
  },
  'InvoiceServiceRequest',
);

export const InvoiceServiceRequirements = closed(
  {
    service_type: ServiceTypeSchema,
    requirements: Type.Array(ServiceRequirement, { description: 'Everything that is not met now' }),
    base_amount: minorUnits('What the invoice claims for goods'),
    fee: nullable(ServiceFee),
    advance_amount: minorUnits('The base without the fee, before anything is set off'),
  },
  'InvoiceServiceRequirements',
);
export type InvoiceServiceRequirements = Static<typeof InvoiceServiceRequirements>;

export const FeeCalculation = closed(
  {
    merchant_external_id: externalId('The merchant that pays the fee'),
    buyer_external_id: Type.Optional(
      externalId('The buyer. Left out, or without a graded facility, the answer is a range'),
    ),
    gross_amount: amountInput(1, 'What is financed, in minor units'),
    currency: Type.Optional({ ...CurrencySchema, description: "Default: the platform's currency" }),
    due_at: unixSeconds('When the invoice is due'),
  },
  'FeeCalculation',
);

export const CalculatedFees = closed(
  {
    base_amount: minorUnits('What is financed'),
    is_exact: Type.Boolean({ description: 'Whether the fee is known: the lowest is the highest' }),
    lowest_fee: ServiceFee,
    highest_fee: ServiceFee,
    lowest_advance: minorUnits('The base without the highest fee'),
    highest_advance: minorUnits('The base without the lowest fee'),
  },
  'CalculatedFees',
);
