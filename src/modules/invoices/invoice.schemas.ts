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

/** Enough for a month of deliveries, and few enough to lock at once. */
export const ORDERS_MAX = 20;

export const InvoiceCreation = closed(
  {
    external_id: externalId('Chosen by the platform'),
    buyer_external_id: Type.Optional(
      externalId('The buyer; only an invoice of orders may leave it out: it is the buyer of the orders'),
    ),
    merchant_external_id: Type.Optional(
      externalId('The merchant; only an invoice of orders, and a single-merchant platform, may leave it out'),
    ),
    order_external_ids: Type.Optional(
      Type.Array(externalId('An order'), {
        maxItems: ORDERS_MAX,
        description:
          'The orders that are invoiced, of one buyer, merchant and currency. The gross amount is taken of them as they ' +
          'are listed, each up to what is left of it',
      }),
    ),
    invoiced_at: optional(unixSeconds('The date of the invoice; not in the future. Default: now')),
    due_at: optional(
      unixSeconds('When it is due; only an invoice of orders may leave it out: it is due as they agreed'),
    ),
    amount: AmountInput,
    payment_method: optional({
      ...PaymentMethodSchema,
      description: 'Only an invoice of orders may leave it out: it is the one that they agreed',
    }),
    invoice_number: optional(line(100, 'The number or reference on the invoice')),
    contact_external_id: optional(
      externalId('A contact of the buyer. Default: the oldest with assign_to_all_invoices; null for none'),
    ),
    line_items: Type.Optional(
      Type.Array(LineItemInput, {
        maxItems: 500,
        description: 'They need not sum to the amount (shipping, rounding)',
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

/** The statuses of services, by which invoices are listed; `none` is an invoice without the service. */
export const FINANCING_STATUSES = ['none', ...financingLifecycle.states] as const;
export const COLLECTION_STATUSES = ['none', ...collectionLifecycle.states] as const;
export const INSURANCE_STATUSES = ['none', ...insuranceLifecycle.states] as const;

const InvoiceInstalment = closed(
  {
    number: Type.Integer({ description: 'From 1, in the order of their days' }),
    due_at: unixSeconds('When it is due'),
    amount: minorUnits('What is due then, with the fee'),
    term_fee: minorUnits('The part of it that is the fee of the payment term'),
    paid_amount: minorUnits('What is paid of the instalment'),
    credited_amount: minorUnits('What is credited of the instalment'),
    outstanding_amount: minorUnits('What is still owed of the instalment'),
  },
  'InvoiceInstallment',
);

export const CreditNoteSummary = closed(
  {
    count: Type.Integer({ description: 'Credit notes on the invoice' }),
    amount: { ...Amount, description: 'The sum of the credit notes' },
    original_invoice_amount: { ...Amount, description: 'The amount of the invoice before them' },
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
        "The invoice's part of the fee of the payment term, which the buyer pays beside the amount with the first instalment",
    },
    merchant_term_fee: {
      ...Amount,
      description:
        "The invoice's part of the fee of the payment term that the merchant pays instead, out of its next payout",
    },
    paid_amount: minorUnits('What payments settled of the amount and the fee'),
    credited_amount: minorUnits('What credit notes took off the amount'),
    outstanding_amount: minorUnits('Still owed of the amount and the fee'),
    disputed_amount: minorUnits('What of the outstanding amount open disputes contest'),
    late_charges: LateChargeTotals,
    dunning: nullable({
      ...InvoiceDunning,
      description: 'The reminders of the invoice; null before the first step, and where the arrears are over',
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

/** The fields that a PUT may name, with their stored values, and that never change. */
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
    due_at: unixSeconds('When it is due. Of an invoice with several instalments it cannot change'),
    payment_method: PaymentMethodSchema,
    contact_external_id: optional(externalId('A contact of the buyer; null unlinks it. Default: as it is')),
    billing_address: optional(AddressInput),
    delivery_address: optional(AddressInput),
    custom_data: optional(CustomDataSchema),
  },
  Invoice,
  'InvoiceReplacement',
);
export type InvoiceReplacement = Static<typeof InvoiceReplacement>;
