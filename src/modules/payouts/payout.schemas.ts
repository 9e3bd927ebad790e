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
import { PayoutInstruction } from '#modules/payees';
import { payoutLifecycle } from './payout.lifecycle.ts';

export const CalendarDaySchema = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });

export const ScheduledOnFilter = Type.Optional(
  Type.String({
    pattern:
      '^(\\d{4}-\\d{2}-\\d{2}|\\d{4}-\\d{2}-\\d{2}\\.\\.|(\\d{4}-\\d{2}-\\d{2})?\\.\\.\\d{4}-\\d{2}-\\d{2})$',
    description: 'Business day: a day, or a range gte..lte with either end open',
  }),
);

export const PayoutStatusSchema = named('PayoutStatus', oneOf(payoutLifecycle.states));
export const PayoutSchemeSchema = PayoutInstruction.properties.type;

export const PayoutParams = closed({ external_id: externalId('The payout') });

const payout = {
  external_id: externalId('Chosen by the service'),
  end_to_end_id: Type.String({ description: 'The id by which the bank names the payout on both statements' }),
  merchant_external_id: externalId('The merchant that is paid'),
  payout_instruction_external_id: externalId('The account that the payout goes to'),
  scheme: PayoutSchemeSchema,
  status: PayoutStatusSchema,
  created_at: unixSeconds('When it was first scheduled'),
  updated_at: unixSeconds('When it last changed'),
  scheduled_on: { ...CalendarDaySchema, description: 'The business day on which it is to be paid' },
  amount: minorUnits('The amount that the merchant is paid; 0 if debts of the merchant take all of it'),
  currency: CurrencySchema,
  paid_at: nullable(unixSeconds('When the bank paid it; null while it is not paid')),
  failure_reason: nullable(Type.String({ description: 'Why it failed; null in other statuses' })),
};

export const Payout = closed(payout, 'Payout');
export type Payout = Static<typeof Payout>;

export const PayoutAdvance = closed(
  {
    service_external_id: externalId('The financing service'),
    invoice_external_id: externalId('The invoice of the service'),
    base_amount: minorUnits('The amount that the invoice claimed for goods when the service was accepted'),
    fee_net: minorUnits('The fee of the service, without tax'),
    fee_tax: minorUnits('The tax on the fee'),
    fee_tax_category: nullable(Type.String({ description: 'UN/CEFACT 5305; null without a fee' })),
    set_off_amount: minorUnits('The debt of the merchant that was deducted when the service was accepted'),
    amount: minorUnits('The amount paid: the base less the fee and the set-off'),
  },
  'PayoutAdvance',
);

export const PayoutCollection = closed(
  {
    invoice_external_id: nullable(externalId('The invoice that the buyer paid')),
    amount: minorUnits('Money of the merchant; below 0 if a payment was reversed after it was paid out'),
  },
  'PayoutCollection',
);

export const PayoutDetail = closed(
  {
    ...payout,
    advances: Type.Array(PayoutAdvance, { description: 'Financed invoices' }),
    collections: Type.Array(PayoutCollection, {
      description: 'Money that buyers paid to the platform for invoices that are not financed',
    }),
    set_off_amount: minorUnits('The debt of the merchant that is deducted from the payout'),
  },
  'PayoutDetail',
);
export type PayoutDetail = Static<typeof PayoutDetail>;
