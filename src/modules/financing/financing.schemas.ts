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
        'FINANCING: the earliest time at which the merchant wants the money. Default: as soon as possible',
      ),
    ),
  },
  'InvoiceServiceRequest',
);

export const InvoiceServiceRequirements = closed(
  {
    service_type: ServiceTypeSchema,
    requirements: Type.Array(ServiceRequirement, { description: 'The requirements that are not met now' }),
    base_amount: minorUnits('The amount that the invoice claims for goods'),
    fee: nullable(ServiceFee),
    advance_amount: minorUnits('The base less the fee, before set-off'),
  },
  'InvoiceServiceRequirements',
);
export type InvoiceServiceRequirements = Static<typeof InvoiceServiceRequirements>;

export const FeeCalculation = closed(
  {
    merchant_external_id: externalId('The merchant that pays the fee'),
    buyer_external_id: Type.Optional(
      externalId('The buyer. If left out, or if its facility has no risk band, the response is a range'),
    ),
    gross_amount: amountInput(1, 'What is financed, in minor units'),
    currency: Type.Optional({ ...CurrencySchema, description: "Default: the platform's currency" }),
    due_at: unixSeconds('When the invoice is due'),
  },
  'FeeCalculation',
);

export const CalculatedFees = closed(
  {
    base_amount: minorUnits('The financed amount'),
    is_exact: Type.Boolean({
      description: 'Whether the fee is known exactly; the lowest fee then equals the highest',
    }),
    lowest_fee: ServiceFee,
    highest_fee: ServiceFee,
    lowest_advance: minorUnits('The base less the highest fee'),
    highest_advance: minorUnits('The base less the lowest fee'),
  },
  'CalculatedFees',
);
