import { type Static, Type } from 'typebox';
import {
  amountInput,
  CurrencySchema,
  closed,
  externalId,
  line,
  named,
  nullable,
  oneOf,
  optional,
} from '#kernel/fields';
import { bankTransactionLifecycle } from '#modules/banking';
import type { FacilityTrigger } from '#modules/facilities';
import { SIMULATED_TRIGGERS } from '#modules/financing';
import { Invoice, InvoicePayment } from '#modules/invoices';
import type { OrderTrigger } from '#modules/orders';
import { ServiceTypeSchema } from '#modules/services';
import { ClockAdvance } from './clock.schemas.ts';

/** The reason in the history of a simulated transition. */
export const SIMULATED = 'Simulated in the sandbox.';

export const FACILITY_TRIGGERS = [
  'grant',
  'reject',
  'renew',
  'reject_renewal',
  'increase',
  'reject_increase',
  'freeze',
  'unfreeze',
  'expire',
] as const satisfies readonly FacilityTrigger[];

/** The transitions of an order that can be simulated. Invoices and their payments make the others. */
export const ORDER_TRIGGERS = [
  'confirm',
  'decline',
  'cancel',
  'expire',
] as const satisfies readonly OrderTrigger[];

export const FacilitySimulation = closed(
  {
    buyer_external_id: externalId('The buyer'),
    trigger: named('FacilityTrigger', oneOf(FACILITY_TRIGGERS, 'The transition of the facility')),
    total_amount: optional(
      amountInput(
        1,
        'The granted limit, in minor units; with `grant`, `renew` and `increase` only. Default: the requested limit, else ' +
          'the current limit, else 10,000 units of the currency',
      ),
    ),
  },
  'FacilitySimulation',
);

export const OrderSimulation = closed(
  {
    external_id: externalId('The order'),
    trigger: named('OrderTrigger', oneOf(ORDER_TRIGGERS, 'The transition of the order')),
  },
  'OrderSimulation',
);

const INVOICE_TRIGGERS = ['pay', 'reverse', 'advance_to_due'] as const;

export const InvoiceSimulation = closed(
  {
    external_id: externalId('The invoice'),
    trigger: named('InvoiceSimulationTrigger', oneOf(INVOICE_TRIGGERS, 'What happens')),
    amount: optional(
      amountInput(
        1,
        'What the buyer transfers, in minor units; with `pay` only. Default: what is still owed',
      ),
    ),
    payment_external_id: optional(
      externalId('The payment that bounces; with `reverse` only. Default: the last one that is not reversed'),
    ),
  },
  'InvoiceSimulation',
);
export type InvoiceSimulation = Static<typeof InvoiceSimulation>;

export const SimulatedInvoice = closed(
  {
    invoice: Invoice,
    payment: nullable(InvoicePayment),
    clock: nullable(ClockAdvance),
  },
  'SimulatedInvoice',
);

export const PAYOUT_TRIGGERS = ['instruct', 'confirm', 'fail', 'return'] as const;

export const PayoutSimulation = closed(
  {
    external_id: externalId('The payout'),
    trigger: named('PayoutSimulationTrigger', oneOf(PAYOUT_TRIGGERS, 'What happens')),
  },
  'PayoutSimulation',
);

export const PAYOUT_INSTRUCTION_TRIGGERS = ['verify', 'unverify'] as const;

export const PayoutInstructionSimulation = closed(
  {
    external_id: externalId('The payout instruction'),
    trigger: named(
      'PayoutInstructionTrigger',
      oneOf(PAYOUT_INSTRUCTION_TRIGGERS, 'The transition of the payout instruction'),
    ),
  },
  'PayoutInstructionSimulation',
);

const ENTRY_AMOUNT_MAX = 999_999_999_999_999;

export const BankEntrySimulation = closed(
  {
    amount: Type.Integer({
      minimum: -ENTRY_AMOUNT_MAX,
      maximum: ENTRY_AMOUNT_MAX,
      not: { const: 0 },
      description: 'Minor units of the currency of the account: positive for money that comes in',
    }),
    bank_account_external_id: optional(externalId('The bank account of the platform. Default: main')),
    text: optional(line(140, 'What the payer wrote')),
    end_to_end_id: optional(line(35, 'The EndToEndId, by which a reversal refers to the payment')),
    counterparty_name: optional(line(140, 'Who paid, or was paid')),
    is_reversal: optional(
      Type.Boolean({
        description: 'Whether it takes back the payment with this end_to_end_id. Default: false',
      }),
    ),
  },
  'BankEntrySimulation',
);

export const SimulatedBankEntry = closed(
  {
    bank_account_external_id: externalId('The bank account'),
    amount: Type.Integer({ description: 'Minor units of the currency, signed' }),
    currency: CurrencySchema,
    status: named('BankTransactionStatus', oneOf(bankTransactionLifecycle.states)),
    queue_reason: nullable(Type.String({ description: 'Why it waits for an operator' })),
    invoice_external_ids: Type.Array(externalId('An invoice that it settles')),
    payout_external_ids: Type.Array(externalId('A payout that it confirms or returns')),
  },
  'SimulatedBankEntry',
);

export const ServiceSimulation = closed(
  {
    invoice_external_id: externalId('The invoice'),
    service_type: ServiceTypeSchema,
    trigger: named(
      'ServiceSimulationTrigger',
      oneOf(SIMULATED_TRIGGERS, 'The transition of the last service of the type'),
    ),
  },
  'ServiceSimulation',
);
