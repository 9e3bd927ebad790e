import { type Static, Type } from 'typebox';
import {
  amountInput,
  CurrencySchema,
  closed,
  externalId,
  minorUnits,
  named,
  nullable,
  oneOf,
  PaymentMethodSchema,
  PaymentTermSchema,
  unixSeconds,
} from '#kernel/fields';
import { Facility } from './facility.schemas.ts';
import { UNAVAILABLE_REASONS } from './payment-terms.rules.ts';
import { PLACEMENT_REASONS } from './term-placement.rules.ts';

export const PurchaseQuery = closed({
  gross_amount: amountInput(1, 'The gross amount of the purchase, in minor units'),
  currency: Type.Optional({ ...CurrencySchema, description: "Default: the platform's currency" }),
  merchant_external_id: Type.Optional(externalId('The merchant of the purchase')),
  payment_method: Type.Optional({ ...PaymentMethodSchema, description: 'Default: TRANSFER' }),
  ordered_at: Type.Optional(unixSeconds('The date of the order, not in the future. Default: now')),
});

const Fee = named(
  'Fee',
  closed({
    net: minorUnits('The fee without tax'),
    tax: minorUnits('The tax on the fee'),
    gross: minorUnits('net + tax'),
  }),
);

/** The price and the days of a payment term. */
export const termConditions = {
  fee: {
    ...Fee,
    description: 'What the buyer pays for the term. Due with the first instalment, and not part of it',
  },
  merchant_fee: {
    ...Fee,
    description:
      "What the merchant pays for the term instead, out of its next payout: only if the platform's term_fee_payer is MERCHANT",
  },
  installments: Type.Array(
    closed(
      {
        due_at: unixSeconds('When it is due'),
        amount: closed(
          { value: minorUnits('In minor units'), currency: CurrencySchema },
          'InstallmentAmount',
        ),
      },
      'Installment',
    ),
    {
      minItems: 1,
      description: 'They sum to the gross amount; the first has the remainder of the division',
    },
  ),
};

const PaymentTermOffer = closed(
  { payment_method: PaymentMethodSchema, payment_term: PaymentTermSchema, ...termConditions },
  'PaymentTermOffer',
);

const UnavailableTerm = closed(
  {
    payment_term: PaymentTermSchema,
    reason: named(
      'UnavailableTermReason',
      oneOf(
        [...UNAVAILABLE_REASONS, ...PLACEMENT_REASONS],
        'Why an order with this term would be refused. TERM_TOO_LONG: longer than the platform allows. ' +
          "PRICE_CLASS: not offered to the buyer's price class. PAYMENT_METHOD: credit goes with TRANSFER or DEBIT. " +
          'NO_ACTIVE_MANDATE: DEBIT needs a mandate. ALREADY_DUE: its first day has passed',
      ),
    ),
  },
  'UnavailableTerm',
);

export const PaymentTerms = closed(
  {
    payment_terms: Type.Array(PaymentTermOffer),
    unavailable_terms: Type.Array(UnavailableTerm),
    facility: nullable(Facility),
  },
  'PaymentTerms',
);
export type PaymentTerms = Static<typeof PaymentTerms>;
