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
import { OWED_ENTRY_KINDS } from '#modules/invoices';

const day = (description: string) => Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description });
const signed = (description: string) => Type.Integer({ description: `${description}, in minor units` });
const invoiceNumber = nullable(Type.String({ description: 'The number that the merchant gave the invoice' }));

const StatementEntry = closed(
  {
    kind: named(
      'StatementEntryKind',
      oneOf(
        OWED_ENTRY_KINDS,
        'INTEREST, COMPENSATION and REMINDER are late charges; WAIVER is a waived part of one. PAYMENT_RELEASED is money ' +
          'that a credit note or a refund released; CANCELLATION is the rest of a cancelled invoice',
      ),
    ),
    at: unixSeconds('When it was recorded. Entries are sorted by it'),
    on: day('The day of the document: that of the invoice, or the day on which the money came'),
    invoice_external_id: externalId('The invoice'),
    invoice_number: invoiceNumber,
    document_external_id: externalId('The invoice, payment, credit note or late charge'),
    amount: signed('The increase of what is owed; negative if it decreases'),
    balance: signed('What is owed after the entry'),
  },
  'StatementEntry',
);
export type StatementEntry = Static<typeof StatementEntry>;

const StatementInvoice = closed(
  {
    invoice_external_id: externalId('The invoice'),
    invoice_number: invoiceNumber,
    invoiced_at: unixSeconds('The date of the invoice'),
    due_at: unixSeconds('When its next unpaid instalment is due, as of now'),
    due_on: day("Its day in the platform's time zone"),
    days_past_due: Type.Integer({
      minimum: 0,
      description: 'Days from the due day to the day of the statement',
    }),
    payment_reference: Type.String({ description: 'The ISO 11649 creditor reference for its transfer' }),
    outstanding: minorUnits('The outstanding amount of the invoice'),
    disputed: minorUnits('The part of the outstanding amount that open disputes contest'),
    late_charges: minorUnits('The outstanding amount of its late charges'),
  },
  'StatementInvoice',
);
export type StatementInvoice = Static<typeof StatementInvoice>;

const StatementAccount = closed(
  {
    currency: CurrencySchema,
    opening_balance: signed('What was owed before the first entry'),
    entries: Type.Array(StatementEntry, { description: 'Earliest first' }),
    closing_balance: signed('What is owed after the last entry: the sum of the open invoices'),
    open_invoices: Type.Array(StatementInvoice, {
      description: 'The invoices that are not fully paid, by due date',
    }),
    unapplied: nullable(
      minorUnits(
        'The unapplied cash of the buyer at the platform. Null for a key that is restricted to a ' +
          'merchant',
      ),
    ),
  },
  'StatementAccount',
);
export type StatementAccount = Static<typeof StatementAccount>;

export const BuyerStatement = closed(
  {
    buyer_external_id: externalId('The buyer'),
    from: unixSeconds('Entries are from this instant on'),
    at: unixSeconds('The statement is as of this instant'),
    accounts: Type.Array(StatementAccount, {
      description:
        'One for each currency in which something was owed, or in which the buyer has unapplied cash',
    }),
  },
  'BuyerStatement',
);
export type BuyerStatement = Static<typeof BuyerStatement>;

/** The period of a statement. */
export const StatementQuery = closed({
  from: Type.Optional(
    unixSeconds(
      "Entries from this instant on. Default: the first instant of the month of `at` in the platform's time zone",
    ),
  ),
  at: Type.Optional(unixSeconds('As of this instant. Default: now')),
});

export const StatementParams = closed({ external_id: externalId('The buyer') });
