import { type Static, Type } from 'typebox';
import {
  amountInput,
  CurrencySchema,
  closed,
  externalId,
  looseText,
  minorUnits,
  named,
  nullable,
  oneOf,
  optional,
  unixSeconds,
} from '#kernel/fields';
import { CreditNoteAmountInput } from '#modules/invoices';
import { disputeLifecycle } from './dispute.lifecycle.ts';

export const DISPUTE_REASONS = [
  'NOT_DELIVERED',
  'DAMAGED',
  'WRONG_PRICE',
  'NOT_ORDERED',
  'PAID_ALREADY',
  'OTHER',
] as const;
export type DisputeReason = (typeof DISPUTE_REASONS)[number];

export const DisputeStatusSchema = named('DisputeStatus', oneOf(disputeLifecycle.states));
export const DisputeReasonSchema = named(
  'DisputeReason',
  oneOf(
    DISPUTE_REASONS,
    'Why: goods did not come, were damaged, cost more than agreed, were never ordered; it is paid already; anything else',
  ),
);

/** The maximum length of the buyer's comment and of the comment on a decision, in characters. */
export const DISPUTE_WORDS_MAX = 2_000;
export const DISPUTE_FILES_MAX = 10;

export const DisputeCreation = closed(
  {
    external_id: externalId('Chosen by the platform'),
    reason: DisputeReasonSchema,
    line_number: optional(
      Type.Integer({
        minimum: 1,
        maximum: 500,
        description: 'The line of `line_items` of the invoice, from 1. Default: no particular line',
      }),
    ),
    amount: optional(
      amountInput(
        1,
        "What is disputed, with tax, in minor units of the invoice's currency. Default: all that is outstanding and not disputed yet; " +
          'required for a dispute of a line',
      ),
    ),
    currency: optional({ ...CurrencySchema, description: "Must be the invoice's currency, if sent" }),
    comment: optional(looseText(DISPUTE_WORDS_MAX, "The buyer's comment. It is stored encrypted")),
    file_external_ids: Type.Optional(
      Type.Array(externalId('A file of the invoice'), {
        maxItems: DISPUTE_FILES_MAX,
        description:
          'Files of the invoice that support the dispute: POST /v1/invoices/{external_id}/files adds one',
      }),
    ),
  },
  'DisputeCreation',
);
export type DisputeCreation = Static<typeof DisputeCreation>;

const decisionComment = optional(
  looseText(DISPUTE_WORDS_MAX, 'The reason, in words that the buyer may read. It is stored encrypted'),
);

export const DisputeAcceptance = closed(
  {
    amount: Type.Optional(CreditNoteAmountInput),
    credit_note_external_id: Type.Optional(
      externalId('The external_id of the credit note over the accepted amount. Default: a UUID'),
    ),
    comment: decisionComment,
  },
  'DisputeAcceptance',
);
export type DisputeAcceptance = Static<typeof DisputeAcceptance>;

export const DisputeRejection = closed(
  {
    comment: Type.String({
      ...looseText(DISPUTE_WORDS_MAX, 'The reason, in words that the buyer may read. It is stored encrypted'),
      minLength: 1,
      pattern: '\\S',
    }),
  },
  'DisputeRejection',
);

export const DisputeWithdrawal = closed({ comment: decisionComment }, 'DisputeWithdrawal');

export const DisputeParams = closed({
  external_id: externalId('The invoice'),
  dispute_external_id: externalId('The dispute'),
});

const day = (description: string) => Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description });

export const Dispute = closed(
  {
    external_id: externalId('Unique identifier of the dispute'),
    status: DisputeStatusSchema,
    invoice_external_id: externalId('The disputed invoice'),
    buyer_external_id: externalId('The buyer'),
    merchant_external_id: externalId('The merchant'),
    reason: DisputeReasonSchema,
    line_number: nullable(
      Type.Integer({
        description: 'The line of the invoice, from 1; null if the dispute is not about one line',
      }),
    ),
    currency: CurrencySchema,
    amount: minorUnits('The disputed amount. It counts up to what the invoice still owes'),
    accepted_amount: minorUnits('The part of the amount that was accepted; 0 unless ACCEPTED'),
    is_pausing: Type.Boolean({
      description:
        'Whether the amount bears no late charges and is not overdue while the dispute is open: `disputes_pause` when it was opened',
    }),
    comment: nullable(Type.String({ description: "The buyer's comment" })),
    file_external_ids: Type.Array(externalId('A file of the invoice')),
    created_at: unixSeconds('When it was opened'),
    updated_at: unixSeconds('When it last changed'),
    opened_on: day('The day on which it was opened, in the time zone of the platform'),
    decided_on: nullable(day('The day of the decision, from which the amount counts again; null while OPEN')),
    decision_comment: nullable(Type.String({ description: 'The reason of the decision' })),
    credit_note_external_id: nullable(externalId('The credit note over the accepted amount')),
    opened_by: Type.String({ description: 'The actor: `api_key:…`, `operator:…`, `buyer` or `sandbox`' }),
    decided_by: nullable(Type.String({ description: 'The actor of the decision; null while OPEN' })),
  },
  'Dispute',
);
export type Dispute = Static<typeof Dispute>;
