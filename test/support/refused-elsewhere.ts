/** The codes and reasons covered by other tests: time, limits and outages need more than one request. */
export const REFUSED_ELSEWHERE = [
  'MANDATE_EXISTS',
  'MANDATE_REFERENCE_EXISTS',
  'REQUEST_TIMEOUT',
  'TOO_MANY_REQUESTS',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
  'IDEMPOTENCY_IN_PROGRESS',
  'FAILED_DEPENDENCY',
  'REGISTRY_UNAVAILABLE',
  'RISK_DECISION_ERROR',
  'LEGAL_FORM_MISMATCH',
  'OVERRIDE_REQUIRED',
  'SECOND_PERSON_REQUIRED',
  // Tested with the operations of invoices.
  'NO_ACTIVE_MANDATE',
  'ORDER_AMOUNT_EXCEEDED',
  'ORDER_NOT_INVOICEABLE',
  'ORDER_MISMATCH',
  'CONTACT_OF_OTHER_BUYER',
  // Tested with the operations of credit notes.
  'CREDIT_NOTE_EXCEEDS_INVOICE',
  'INVOICE_NOT_CREDITABLE',
  // Tested with the operations of disputes.
  'INVOICE_NOT_DISPUTABLE',
  'LINE_ALREADY_DISPUTED',
  'DISPUTE_EXCEEDS_OUTSTANDING',
  'ACCEPTED_AMOUNT_EXCEEDS_DISPUTE',
  'DISPUTED_PAYMENT_NOT_RECORDED',
  // Tested with the operations of promises.
  'PROMISE_EXCEEDS_OUTSTANDING',
  // Tested with the operations of files.
  'TOO_MANY_FILES',
  // Tested with the operations of webhooks.
  'NO_ACTIVE_SUBSCRIPTION',
  // Tested with the operations of services.
  'SERVICE_NOT_OFFERED',
  // Tested in the module of payouts.
  'PAYOUT_SCHEDULED',
  'PAYOUT_DATE_TOO_EARLY',
  'PAYOUT_DATE_NOT_BUSINESS_DAY',
  'NO_VERIFIED_PAYOUT_INSTRUCTION',
  // Tested with the operations of payments.
  'INVOICE_ALREADY_PAID',
  'INVOICE_ALREADY_REFUNDED',
  'INVOICE_HAS_ACTIVE_SERVICE',
  'PAYMENT_ALREADY_REVERSED',
  'PAYMENT_EXCEEDS_OUTSTANDING',
];
