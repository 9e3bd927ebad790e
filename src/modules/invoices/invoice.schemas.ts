import { type Static, Type } from 'typebox';
import { Address, AddressInput } from '#kernel/address';
import { Amount, AmountInput } from '#kernel/amount';
import {
  CustomDataSchema,
  closed,
  externalId,
  line,
  minorUnits,
  named,
  nullable,
  oneOf,
  optional,
  PaymentMethodSchema,
  unixSeconds,
} from '#kernel/fields';
import { Contact } from '#modules/buyers';
import { LineItem, LineItemInput } from '#modules/orders';
import {
  collectionLifecycle,
  financingLifecycle,
  InvoiceService,
  insuranceLifecycle,
} from '#modules/services';
import { historyEntry } from '#operation/history';
import { replacementOf } from '#operation/read-only';
import { InvoiceDunning } from './dunning/dunning.schemas.ts';
import { invoiceLifecycle } from './invoice.lifecycle.ts';
import { LateChargeTotals } from './late-charges/late-charge.schemas.ts';

export const InvoiceStatusSchema = named('InvoiceStatus', oneOf(invoiceLifecycle.states));

/** Enough for a month of deliveries, and few enough to lock together. */
export const ORDERS_MAX = 20;

export const InvoiceCreation = closed(
  {
    external_id: externalId('Chosen by the platform'),
    buyer_external_id: Type.Optional(
      externalId('The buyer. Required unless the invoice lists orders. Default: the buyer of the orders'),
    ),
    merchant_external_id: Type.Optional(
      externalId(
        'The merchant. Required unless the invoice lists orders or the platform has a single merchant',
      ),
    ),
    order_external_ids: Type.Optional(
      Type.Array(externalId('An order'), {
        maxItems: ORDERS_MAX,
        description:
          'The invoiced orders, all of one buyer, merchant and currency. The gross amount is taken from them in the listed ' +
          'order, from each up to what it has left to invoice',
      }),
    ),
    invoiced_at: optional(unixSeconds('The date of the invoice; not in the future. Default: now')),
    due_at: optional(
      unixSeconds(
        'When it is due. Required unless the invoice lists orders. Default: as agreed with the orders',
      ),
    ),
    amount: AmountInput,
    payment_method: optional({
      ...PaymentMethodSchema,
      description: 'Required unless the invoice lists orders. Default: the method agreed with the orders',
    }),
    invoice_number: optional(line(100, 'The number or reference on the invoice')),
    contact_external_id: optional(
      externalId('A contact of the buyer. Default: the oldest with assign_to_all_invoices. Null: no contact'),
    ),
    line_items: Type.Optional(
      Type.Array(LineItemInput, {
        maxItems: 500,
        description: 'The items need not sum to the amount (shipping, rounding)',
      }),
    ),
    billing_address: optional(AddressInput),
    delivery_address: optional(AddressInput),
    custom_data: optional(CustomDataSchema),
  },
  'InvoiceCreation',
);
export type InvoiceCreation = Static<typeof InvoiceCreation>;

export const InvoiceParams = closed({ external_id: externalId('The invoice') });
export const InvoiceExpansion = named('InvoiceExpansion', oneOf(['services']));

/** The statuses by which invoices can be filtered for a service; `none` matches invoices without the service. */
export const FINANCING_STATUSES = ['none', ...financingLifecycle.states] as const;
export const COLLECTION_STATUSES = ['none', ...collectionLifecycle.states] as const;
export const INSURANCE_STATUSES = ['none', ...insuranceLifecycle.states] as const;

const InvoiceInstalment = closed(
  {
    number: Type.Integer({ description: 'From 1, in the order of the due days' }),
    due_at: unixSeconds('When it is due'),
    amount: minorUnits('The amount due, with the fee'),
    term_fee: minorUnits('The part of the amount that is the fee of the payment term'),
    paid_amount: minorUnits('The part of the amount that payments settled'),
    credited_amount: minorUnits('The part of the amount that was credited'),
    outstanding_amount: minorUnits('The part of the amount that is still owed'),
  },
  'InvoiceInstallment',
);

export const CreditNoteSummary = closed(
  {
    count: Type.Integer({ description: 'The number of credit notes on the invoice' }),
    amount: { ...Amount, description: 'The sum of the credit notes' },
    original_invoice_amount: { ...Amount, description: 'The amount of the invoice before its credit notes' },
    has_active_mandate: Type.Boolean({
      description: 'Whether the buyer has an active mandate for direct debits',
    }),
    financing_status: nullable(
      Type.String({ description: 'The status of the last financing service; null without one' }),
    ),
  },
  'CreditNoteSummary',
);

export const Invoice = closed(
  {
    external_id: externalId('Unique invoice identifier'),
    status: InvoiceStatusSchema,
    buyer_external_id: externalId('The buyer'),
    merchant_external_id: externalId('The merchant'),
    order_external_ids: Type.Array(externalId('An order'), { description: 'The orders that it covers' }),
    created_at: unixSeconds('When the invoice was created'),
    updated_at: unixSeconds('When it last changed'),
    invoiced_at: unixSeconds('The date of the invoice'),
    due_at: unixSeconds('When the next unpaid instalment is due; the last one, when all are paid'),
    agreed_due_at: unixSeconds('When it was due as created'),
    days_past_due: nullable(
      Type.Integer({
        description: 'Calendar days since the due day, 1 on the first; null unless the status is DUE',
      }),
    ),
    payment_method: PaymentMethodSchema,
    payment_reference: Type.String({
      description: 'The ISO 11649 creditor reference that the buyer writes on the transfer',
    }),
    invoice_number: nullable(Type.String()),
    amount: Amount,
    term_fee: {
      ...Amount,
      description:
        "The invoice's part of the fee of the payment term, which the buyer pays in addition to the amount with the first instalment",
    },
    merchant_term_fee: {
      ...Amount,
      description:
        "The invoice's part of the fee of the payment term if the merchant pays it, deducted from its next payout",
    },
    paid_amount: minorUnits('The part of the amount and the fee that payments settled'),
    credited_amount: minorUnits('The part of the amount that was credited'),
    outstanding_amount: minorUnits('The part of the amount and the fee that is still owed'),
    disputed_amount: minorUnits('The part of the outstanding amount that open disputes contest'),
    late_charges: LateChargeTotals,
    dunning: nullable({
      ...InvoiceDunning,
      description: 'The reminders of the invoice; null before the first step and after the arrears are over',
    }),
    credit_used: minorUnits("What it uses of the buyer's facility"),
    installments: Type.Array(InvoiceInstalment),
    contact: nullable(Contact),
    paid_at: nullable(unixSeconds('When a payment settled it; null unless the status is CLOSED')),
    buyer: closed({ legal_name: nullable(Type.String()) }, 'InvoiceBuyer'),
    services: Type.Optional(
      Type.Array(InvoiceService, { description: 'With expand=services: oldest first' }),
    ),
    credit_note_summary: CreditNoteSummary,
    line_items: Type.Array(LineItem),
    billing_address: nullable(Address),
    delivery_address: nullable(Address),
    custom_data: nullable(CustomDataSchema),
  },
  'Invoice',
);
export type Invoice = Static<typeof Invoice>;

export const InvoiceHistoryEntry = historyEntry(InvoiceStatusSchema, 'InvoiceHistoryEntry');
export type InvoiceHistoryEntry = Static<typeof InvoiceHistoryEntry>;

/** Fields that never change. A PUT may send them with their stored values. */
const immutable = {
  buyer_external_id: externalId('Cannot change: it must be the stored one'),
  amount: AmountInput,
  merchant_external_id: Type.Optional(externalId('Cannot change: if sent, it must be the stored one')),
  order_external_ids: Type.Optional(
    Type.Array(externalId('An order'), {
      description: 'Cannot change: if sent, they must be the stored ones',
    }),
  ),
  invoice_number: optional(line(100, 'Cannot change: if sent, it must be the stored one')),
};

export const InvoiceReplacement = replacementOf(
  {
    ...immutable,
    invoiced_at: unixSeconds('The date of the invoice; not in the future'),
    due_at: unixSeconds('When it is due. Cannot change if the invoice has several instalments'),
    payment_method: PaymentMethodSchema,
    contact_external_id: optional(externalId('A contact of the buyer. Null unlinks it. Default: unchanged')),
    billing_address: optional(AddressInput),
    delivery_address: optional(AddressInput),
    custom_data: optional(CustomDataSchema),
  },
  Invoice,
  'InvoiceReplacement',
);
export type InvoiceReplacement = Static<typeof InvoiceReplacement>;
