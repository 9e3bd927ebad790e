/** The reasons of problems: a closed list below the codes, so that a client can branch on it. */
import type { Code, Explained } from './problem-codes.ts';

export const REASONS = {
  API_KEY_MISSING: {
    code: 'UNAUTHORIZED',
    when: 'The request has no `Authorization` header, or an empty one.',
    remedy: 'Send the header Authorization: Bearer <API_KEY>.',
  },
  API_KEY_MALFORMED: {
    code: 'UNAUTHORIZED',
    when: 'The `Authorization` header is not `Bearer` and an API key: it has another scheme, or the key is truncated or mistyped, as its checksum shows.',
    remedy:
      'Send the header Authorization: Bearer <API_KEY>, with the whole key as it was shown: tl_test_… in a sandbox, tl_live_… in production.',
  },
  INSUFFICIENT_SCOPE: { code: 'FORBIDDEN', when: 'The API key lacks the scope in `details.scope`.' },
  MERCHANT_NOT_ALLOWED: {
    code: 'FORBIDDEN',
    when: 'The API key is restricted to one merchant and the request concerns another one or the whole platform, or the platform allows a single merchant and already has it.',
  },
  EXTERNAL_ID_ALREADY_EXISTS: {
    code: 'CONFLICT',
    when: 'Another resource of this kind already has this external_id.',
  },
  IMMUTABLE_FIELD: { code: 'CONFLICT', when: 'The field in `details.field` cannot change after creation.' },
  INVALID_STATUS_TRANSITION: {
    code: 'CONFLICT',
    when: 'The status in `details.status` does not allow this transition; `details.allowed` lists those that it does.',
  },
  ACTIVE_FACILITY_EXISTS: {
    code: 'CONFLICT',
    when: 'The buyer already has a facility, or one under review; `details.status` is its status.',
  },
  PENDING_RENEWAL: { code: 'CONFLICT', when: 'A renewal of the facility is already under review.' },
  PENDING_INCREASE: { code: 'CONFLICT', when: 'An increase of the facility is already under review.' },
  ORDER_HAS_INVOICE: {
    code: 'CONFLICT',
    when: 'The order has an invoice that is not cancelled: cancel the invoice first, or close the order.',
  },
  INVOICE_ALREADY_PAID: {
    code: 'CONFLICT',
    when: 'The invoice is fully paid, since `details.paid_at`.',
  },
  INVOICE_ALREADY_REFUNDED: { code: 'CONFLICT', when: 'The invoice is already cancelled.' },
  INVOICE_NOT_DISPUTABLE: {
    code: 'CONFLICT',
    when: 'Nothing is owed on the invoice: it is paid or cancelled; `details.status` is its status.',
  },
  LINE_ALREADY_DISPUTED: {
    code: 'CONFLICT',
    when: 'An open dispute already covers this line of the invoice; `details.dispute_external_id` identifies it.',
  },
  INVOICE_HAS_ACTIVE_SERVICE: {
    code: 'CONFLICT',
    when: 'The invoice has an active financial service: cancel the service first.',
  },
  PAYMENT_ALREADY_REVERSED: {
    code: 'CONFLICT',
    when: 'The payment was reversed at `details.reversed_at`. Record a new payment if the money arrived after all.',
  },
  PAYOUT_SCHEDULED: {
    code: 'CONFLICT',
    when: 'Payouts to the account are in progress; `details.payouts` is their number. Wait until they are paid.',
  },
  CLOCK_BACKWARDS: {
    code: 'CONFLICT',
    when: 'The sandbox clock never goes back; `details.now` is its current time.',
  },
  TOO_MANY_FILES: {
    code: 'CONFLICT',
    when: 'The invoice has the maximum number of files, `details.files_max`. Delete one first.',
  },
  MANDATE_EXISTS: {
    code: 'CONFLICT',
    when: 'The buyer has an active mandate, `details.reference`: revoke it first. `details.is_same_account` says whether it has the same IBAN.',
  },
  MANDATE_REFERENCE_EXISTS: {
    code: 'CONFLICT',
    when: 'Another mandate of the platform has this reference, regardless of upper and lower case.',
  },
  WEBHOOK_TYPE_EXISTS: { code: 'CONFLICT', when: 'A subscription for this type already exists.' },
  IDEMPOTENCY_IN_PROGRESS: {
    code: 'CONFLICT',
    when: 'A request with this Idempotency-Key is still running.',
  },
  CURRENCY_NOT_ENABLED: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The platform has not enabled the currency in `details.currency`.',
  },
  BUYER_INCOMPLETE: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The buyer is only invited: its company is not known yet. A PUT or the hosted checkout completes it.',
  },
  MERCHANT_NOT_ENROLLED: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The merchant may not sell; `details.status` is its status. The operator of the service can activate it.',
  },
  LEGAL_FORM_MISMATCH: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The registry records the company with the legal form in `details.registry_legal_form`, not `details.legal_form`; `details.business_id` identifies the company.',
  },
  NO_ACTIVE_FACILITY: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The buyer has no granted credit facility: none, one under review, or a rejected one; `details.decision_id` is the decision about it.',
  },
  NO_ACTIVE_SUBSCRIPTION: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'No active subscription covers the event type in `details.event_type`, or the named subscription does not cover it.',
  },
  FACILITY_EXPIRED: {
    code: 'UNPROCESSABLE_ENTITY',
    when: "The period of the buyer's facility has ended; `details.decision_id` is the last decision about it.",
  },
  SERVICE_NOT_OFFERED: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The service is not offered to merchants of the country in `details.country`: no tax is set for its fee.',
  },
  FACILITY_FROZEN: {
    code: 'UNPROCESSABLE_ENTITY',
    when: "The buyer's facility is frozen: it accepts no new orders and, if its period has ended, no renewal.",
  },
  FACILITY_EXCEEDED_AVAILABLE_AMOUNT: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The facility has less available than `details.requested`: `details.available`, in minor units. `details.decision_id` is the decision about its limit.',
  },
  NO_VERIFIED_PAYOUT_INSTRUCTION: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The merchant has no verified account for payouts in this currency, or the account was replaced less than a day ago.',
  },
  PAYOUT_DATE_TOO_EARLY: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'No payout can be made on `details.requested_on`; the earliest day is `details.earliest_on`.',
  },
  PAYOUT_DATE_NOT_BUSINESS_DAY: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'Banks do not transfer money in this currency on `details.requested_on`; the next business day is `details.earliest_on`.',
  },
  INCREASE_NOT_ABOVE_LIMIT: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The increase requests no more than the current limit, `details.total_amount`, in minor units.',
  },
  FACILITY_CURRENCY_CONFLICT: {
    code: 'UNPROCESSABLE_ENTITY',
    when: "The buyer's facility is in another currency, `details.facility_currency`.",
  },
  BUYER_OVERDUE: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The buyer owes more, or for longer, than the limit policy allows; `details` has the figures.',
  },
  PAYMENT_TERM_NOT_AVAILABLE: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The payment term is not offered for this order; `details.unavailable_reason` says why.',
  },
  ORDER_AMOUNT_EXCEEDED: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The invoices of an order would exceed the order: `details.available` is the remainder, in minor units.',
  },
  ORDER_NOT_INVOICEABLE: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The order in `details.order_external_id` is not confirmed, has ended, is closed short, or was placed after the date of the invoice.',
  },
  ORDER_MISMATCH: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The order in `details.order_external_id` differs from the invoice, or from its other orders, in `details.field`.',
  },
  PAYMENT_EXCEEDS_OUTSTANDING: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The payment to the merchant exceeds the outstanding amount of the invoice: `details.outstanding`, in minor units.',
  },
  INVOICE_NOT_CREDITABLE: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The invoice in `details.invoice_external_id` is cancelled, has another currency than the credit note, or a later date.',
  },
  CREDIT_NOTE_EXCEEDS_INVOICE: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The credit notes of an invoice would exceed its net, tax or gross amount: `details.available` is the remainder, in minor units.',
  },
  DISPUTE_EXCEEDS_OUTSTANDING: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The dispute exceeds the outstanding amount of the invoice, less its other open disputes: `details.available`, in minor units.',
  },
  PROMISE_EXCEEDS_OUTSTANDING: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The promise to pay exceeds the outstanding amount of the invoice: `details.outstanding`, in minor units.',
  },
  ACCEPTED_AMOUNT_EXCEEDS_DISPUTE: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The accepted amount exceeds the disputed amount: `details.disputed`, in minor units.',
  },
  DISPUTED_PAYMENT_NOT_RECORDED: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'A dispute PAID_ALREADY can be accepted only after its payment is recorded: `details.missing` is missing, in minor units.',
  },
  NO_ACTIVE_MANDATE: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'DEBIT needs an active mandate of the buyer: record one with POST /v1/buyers/{external_id}/mandates.',
  },
  CONTACT_OF_OTHER_BUYER: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The contact in `details.contact_external_id` belongs to another buyer.',
  },
  REFERENCED_ENTITY_NOT_FOUND: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The field in `details.field` names `details.value`, which does not exist.',
  },
  OVERRIDE_REQUIRED: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'This exceeds what one person may decide; `details.limit_max` is the maximum, null if one person may not decide it at all.',
  },
  SECOND_PERSON_REQUIRED: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'The person who proposed an override cannot approve it: another person must.',
  },
  DECISION_WITHOUT_POLICY: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'A person or a simulator made the decision, so no policy can judge its inputs again; `details.replaces` is the previous decision.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    code: 'UNPROCESSABLE_ENTITY',
    when: 'This Idempotency-Key was used with another request.',
  },
  RISK_DECISION_ERROR: {
    code: 'FAILED_DEPENDENCY',
    when: 'The risk source or the credit policy gave no valid answer, so nothing was decided; `details.cause` says which.',
  },
  REGISTRY_UNAVAILABLE: {
    code: 'FAILED_DEPENDENCY',
    when: 'The company is not stored here, and none of the registries that could know it responded; `details.registries` lists them.',
  },
} as const satisfies Record<string, Explained & { code: Code }>;

export type Reason = keyof typeof REASONS;
