import type { Static } from 'typebox';
import { amountInput, closed, externalId, named, nullable, oneOf, optional } from '#kernel/fields';
import type { FacilityTrigger } from '#modules/facilities';
import { Invoice, InvoicePayment } from '#modules/invoices';
import type { OrderTrigger } from '#modules/orders';
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

/** Invoices and their payments make the other transitions. */
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
