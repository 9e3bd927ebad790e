import { type Static, Type } from 'typebox';
import { Amount } from '#kernel/amount';
import {
  amountInput,
  CurrencySchema,
  closed,
  externalId,
  named,
  oneOf,
  optional,
  unixSeconds,
} from '#kernel/fields';
import { LineItem, LineItemInput } from '#modules/orders';

export const CREDIT_REASONS = [
  'RETURN',
  'DAMAGED',
  'PRICE',
  'DUPLICATE',
  'GOODWILL',
  'CORRECTION',
  'OTHER',
] as const;
export const CreditReasonSchema = named(
  'CreditNoteReasonCode',
  oneOf(
    CREDIT_REASONS,
    'Why: goods came back, were damaged, cost too much, were invoiced twice; goodwill; an error on the invoice; anything else',
  ),
);

export const CreditNoteAmountInput = Type.Object(
  {
    net: amountInput(0, 'Minor units of the currency; 0 where only tax is credited'),
    gross: amountInput(1, 'net + tax'),
    tax: optional(amountInput(0, 'Absent or null is 0')),
    currency: optional({ ...CurrencySchema, description: "Must be the invoice's currency, if sent" }),
  },
  {
    additionalProperties: false,
    title: 'CreditNoteAmountInput',
    'x-gross-is-net-plus-tax': true,
    description:
      "Integers in minor units of the invoice's currency. The credit notes of an invoice sum to at most its net, tax and gross amount",
  },
);

export const CreditNoteCreation = closed(
  {
    external_id: externalId('Chosen by the platform: the number of the credit note, for instance'),
    invoice_external_id: externalId('The invoice that the credit note reduces'),
    reason_code: CreditReasonSchema,
    amount: CreditNoteAmountInput,
    line_items: Type.Optional(
      Type.Array(LineItemInput, {
        maxItems: 500,
        description: 'The credited items. They need not sum to the amount',
      }),
    ),
    invoiced_at: optional(
      unixSeconds('The date of the credit note; neither in the future nor before the invoice. Default: now'),
    ),
  },
  'CreditNoteCreation',
);
export type CreditNoteCreation = Static<typeof CreditNoteCreation>;

export const CreditNoteParams = closed({ external_id: externalId('The credit note') });

export const CreditNote = closed(
  {
    external_id: externalId('Unique credit note identifier'),
    invoice_external_id: externalId('The invoice that the credit note reduces'),
    buyer_external_id: externalId('The buyer of the invoice'),
    merchant_external_id: externalId('The merchant of the invoice'),
    reason_code: CreditReasonSchema,
    created_at: unixSeconds('When the credit note was created'),
    updated_at: unixSeconds('When it last changed'),
    invoiced_at: unixSeconds('The date of the credit note'),
    amount: Amount,
    line_items: Type.Array(LineItem),
  },
  'CreditNote',
);
export type CreditNote = Static<typeof CreditNote>;
