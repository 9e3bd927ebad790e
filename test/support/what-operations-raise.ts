/** The effect that every writing operation of the API can have on the amount that buyers may owe. */
import type { Harmless } from './what-commands-raise.ts';

/** Bodies with which one key requests as much as possible. */
type Requests = { path: string; body: object }[];

const MOST = { requested_amount: 1_000_000_000_000 };

/** Every writing operation of the API, by its id. */
export const operations: Record<string, Exclude<Harmless, 'begins'> | Requests> = {
  createMerchant: 'other',
  replaceMerchant: 'other',
  createBuyer: 'policy decides',
  replaceBuyer: 'policy decides',
  replaceBuyerSettings: 'other',
  createContact: 'other',
  replaceContact: 'other',
  deleteContact: 'other',
  createPayoutInstruction: 'other',
  replacePayoutInstruction: 'other',
  deletePayoutInstruction: 'other',
  // DEBIT is another way to pay within the limit.
  createMandate: 'other',
  revokeMandate: 'lowers',
  createFacility: ['plain', 'frozen', 'z-rejected', 'z-in-review'].map((buyer) => ({
    path: `/v1/buyers/${buyer}/facility`,
    body: MOST,
  })),
  requestIncrease: ['plain', 'frozen', 'z-rejected', 'z-in-review'].map((buyer) => ({
    path: `/v1/buyers/${buyer}/facility/increase`,
    body: MOST,
  })),
  renewFacility: ['plain', 'frozen', 'z-rejected', 'z-in-review'].map((buyer) => ({
    path: `/v1/buyers/${buyer}/facility/renew`,
    body: {},
  })),
  createDraftOrder: 'other',
  // An order uses the limit; it does not raise it.
  createOrder: 'other',
  // The same policy on other inputs, and nothing is stored.
  evaluateWhatIf: 'reads',
  cancelOrder: 'lowers',
  closeOrder: 'lowers',
  recordPrepayment: 'other',
  // An invoice uses the reservation of its orders, or uses the limit.
  createInvoice: 'other',
  // A payment frees credit that can be used again: the limit stays.
  createInvoicePayment: 'other',
  payInvoice: 'other',
  refundInvoice: 'other',
  // The debt was authorized earlier, and is owed again.
  reverseInvoicePayment: 'other',
  createCreditNote: 'lowers',
  // Disputed amounts do not count as overdue; the limit stays.
  createPageLink: 'reads',
  createDispute: 'other',
  acceptDispute: 'lowers',
  rejectDispute: 'lowers',
  withdrawDispute: 'lowers',
  // The debt remains; the buyer is only not reminded.
  createPromise: 'other',
  withdrawPromise: 'other',
  // A later due day excuses arrears with the merchant. While we finance the invoice, it cannot change.
  replaceInvoice: 'other',
  // A financing uses the limit; it does not raise it.
  requestInvoiceService: 'other',
  cancelInvoiceService: 'lowers',
  calculateFees: 'reads',
  createInvoiceFile: 'other',
  deleteInvoiceFile: 'other',
  createWebhook: 'other',
  replaceWebhook: 'other',
  deleteWebhook: 'other',
  recoverWebhook: 'other',
  redeliverEvent: 'other',
  rotateWebhookKey: 'other',
  testWebhook: 'other',
  setSandboxClock: 'sandbox only',
  simulateFacility: 'sandbox only',
  simulateOrder: 'sandbox only',
  simulateInvoice: 'sandbox only',
  simulatePayoutInstruction: 'sandbox only',
  simulatePayout: 'sandbox only',
  simulateBankEntry: 'sandbox only',
  simulateService: 'sandbox only',
};
