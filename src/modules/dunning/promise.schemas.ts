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

export const PromiseCreation = closed(
  {
    external_id: Type.Optional(externalId('Chosen by the platform. Default: a UUID')),
    amount: optional(
      amountInput(
        1,
        "The amount that the buyer promised to pay, in minor units of the invoice's currency. Default: the whole outstanding amount",
      ),
    ),
    currency: optional({ ...CurrencySchema, description: "Must be the invoice's currency, if sent" }),
    until: unixSeconds(
      "An instant of the last day of the promise, in the platform's time zone: not before today",
    ),
  },
  'PromiseCreation',
);
export type PromiseCreation = Static<typeof PromiseCreation>;

/** A buyer's promise to pay. */
export const PromiseToPay = closed(
  {
    external_id: externalId('As chosen at creation'),
    invoice_external_id: externalId('The invoice'),
    amount: minorUnits('The amount that the buyer promised to pay, in minor units'),
    currency: CurrencySchema,
    until: unixSeconds('The end of its last day, after which the reminders continue'),
    created_at: unixSeconds('When it was recorded'),
    withdrawn_at: nullable(
      unixSeconds('When it was withdrawn, or an operator resumed the reminders of the invoice'),
    ),
  },
  'PromiseToPay',
);
export type PromiseToPay = Static<typeof PromiseToPay>;

export const PromiseParams = closed({
  external_id: externalId('The invoice'),
  promise_external_id: externalId('The promise'),
});
