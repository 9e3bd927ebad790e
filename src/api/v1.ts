/** The whole public API: [method, path, operation, the path of a created resource]. */

import type { Route } from '#http/bind';
import { createPageLink } from '#modules/buyer-page';
import {
  createBuyer,
  createContact,
  deleteContact,
  getBuyer,
  getBuyerSettings,
  getContact,
  listBuyers,
  listContacts,
  replaceBuyer,
  replaceBuyerSettings,
  replaceContact,
  searchBuyers,
} from '#modules/buyers';
import { getRedirectUrl } from '#modules/checkout';
import {
  acceptDispute,
  createDispute,
  getDispute,
  listDisputes,
  rejectDispute,
  withdrawDispute,
} from '#modules/disputes';
import { createPromise, listPromises, withdrawPromise } from '#modules/dunning';
import {
  createFacility,
  getFacility,
  listFacilities,
  listFacilityHistory,
  listLedger,
  listPaymentTerms,
  renewFacility,
  requestIncrease,
} from '#modules/facilities';
import {
  calculateFees,
  cancelInvoiceService,
  getInvoiceService,
  listInvoiceServiceRequirements,
  listInvoiceServices,
  requestInvoiceService,
} from '#modules/financing';
import {
  closeOrder,
  createCreditNote,
  createInvoice,
  createInvoiceFile,
  createInvoicePayment,
  deleteInvoiceFile,
  getCreditNote,
  getInvoice,
  getInvoiceFile,
  getInvoicePaymentDetails,
  listCreditNotes,
  listInvoiceCharges,
  listInvoiceFiles,
  listInvoiceHistory,
  listInvoicePayments,
  listInvoices,
  payInvoice,
  refundInvoice,
  replaceInvoice,
  reverseInvoicePayment,
} from '#modules/invoices';
import { getLedgerEntry, getLedgerStatement, getTrialBalance } from '#modules/ledger';
import { createMandate, getMandate, listMandates, revokeMandate } from '#modules/mandates';
import { createMerchant, getMerchant, listMerchants, replaceMerchant } from '#modules/merchants';
import { getMeta, listStateMachines } from '#modules/meta';
import { listMessages } from '#modules/notifications';
import {
  cancelOrder,
  createDraftOrder,
  createOrder,
  getOrder,
  listOrderHistory,
  listOrders,
  recordPrepayment,
} from '#modules/orders';
import {
  createPayoutInstruction,
  deletePayoutInstruction,
  getPayoutInstruction,
  listPayoutInstructions,
  replacePayoutInstruction,
} from '#modules/payees';
import { getPayout, getPayoutReconciliation, listPayouts } from '#modules/payouts';
import { getPlatform } from '#modules/platforms';
import { listLegalForms, searchBusinesses } from '#modules/registry';
import {
  getSandboxClock,
  setSandboxClock,
  simulateBankEntry,
  simulateFacility,
  simulateInvoice,
  simulateOrder,
  simulatePayout,
  simulatePayoutInstruction,
  simulateService,
} from '#modules/sandbox';
import {
  getBuyerStatement,
  getBuyerStatementDocument,
  getFiledDocument,
  getInvoiceDocument,
  listFiledDocuments,
} from '#modules/statements';
import { evaluateWhatIf, getDecision, listDecisions } from '#modules/underwriting';
import {
  createWebhook,
  deleteWebhook,
  getEvent,
  listEvents,
  listWebhookDeliveries,
  listWebhookHistory,
  listWebhooks,
  recoverWebhook,
  redeliverEvent,
  replaceWebhook,
  rotateWebhookKey,
  testWebhook,
} from '#modules/webhooks';

export const v1: readonly Route[] = [
  ['GET', '/v1/platform', getPlatform],

  ['POST', '/v1/merchants', createMerchant, '/v1/merchants/{external_id}'],
  ['GET', '/v1/merchants', listMerchants],
  ['GET', '/v1/merchants/{external_id}', getMerchant],
  ['PUT', '/v1/merchants/{external_id}', replaceMerchant],

  ['POST', '/v1/payout_instructions', createPayoutInstruction, '/v1/payout_instructions/{external_id}'],
  ['GET', '/v1/payout_instructions', listPayoutInstructions],
  ['GET', '/v1/payout_instructions/{external_id}', getPayoutInstruction],
  ['PUT', '/v1/payout_instructions/{external_id}', replacePayoutInstruction],
  ['DELETE', '/v1/payout_instructions/{external_id}', deletePayoutInstruction],

  ['GET', '/v1/payouts', listPayouts],
  ['GET', '/v1/payouts/{external_id}', getPayout],
  ['GET', '/v1/payouts/{external_id}/reconciliation', getPayoutReconciliation],

  ['POST', '/v1/buyers', createBuyer, '/v1/buyers/{external_id}'],
  ['GET', '/v1/buyers', listBuyers],
  ['GET', '/v1/buyers/search', searchBuyers],
  ['GET', '/v1/buyers/{external_id}', getBuyer],
  ['PUT', '/v1/buyers/{external_id}', replaceBuyer],
  ['GET', '/v1/buyers/{external_id}/settings', getBuyerSettings],
  ['PUT', '/v1/buyers/{external_id}/settings', replaceBuyerSettings],
  ['POST', '/v1/buyers/{external_id}/page_link', createPageLink],
  ['GET', '/v1/buyers/{external_id}/messages', listMessages],
  ['GET', '/v1/buyers/{external_id}/statement', getBuyerStatement],
  ['GET', '/v1/buyers/{external_id}/statement/document', getBuyerStatementDocument],

  ['POST', '/v1/contacts', createContact, '/v1/contacts/{external_id}'],
  ['GET', '/v1/contacts', listContacts],
  ['GET', '/v1/contacts/{external_id}', getContact],
  ['PUT', '/v1/contacts/{external_id}', replaceContact],
  ['DELETE', '/v1/contacts/{external_id}', deleteContact],

  [
    'POST',
    '/v1/buyers/{external_id}/mandates',
    createMandate,
    '/v1/buyers/{buyer_external_id}/mandates/{reference}',
  ],
  ['GET', '/v1/buyers/{external_id}/mandates', listMandates],
  ['GET', '/v1/buyers/{external_id}/mandates/{reference}', getMandate],
  ['POST', '/v1/buyers/{external_id}/mandates/{reference}/revoke', revokeMandate],

  ['POST', '/v1/buyers/{external_id}/facility', createFacility, '/v1/buyers/{buyer_external_id}/facility'],
  ['GET', '/v1/buyers/{external_id}/facility', getFacility],
  ['POST', '/v1/buyers/{external_id}/facility/increase', requestIncrease],
  ['POST', '/v1/buyers/{external_id}/facility/renew', renewFacility],
  ['GET', '/v1/buyers/{external_id}/facility/ledger', listLedger],
  ['GET', '/v1/buyers/{external_id}/facility/history', listFacilityHistory],
  ['GET', '/v1/buyers/{external_id}/payment_terms', listPaymentTerms],
  ['GET', '/v1/facilities', listFacilities],

  ['GET', '/v1/buyers/{external_id}/decisions', listDecisions],
  ['GET', '/v1/decisions/{decision_id}', getDecision],
  ['POST', '/v1/decisions/{decision_id}/what_if', evaluateWhatIf],

  ['POST', '/v1/orders/draft', createDraftOrder, '/v1/orders/{external_id}'],
  ['POST', '/v1/orders', createOrder, '/v1/orders/{external_id}'],
  ['GET', '/v1/orders', listOrders],
  ['GET', '/v1/orders/{external_id}', getOrder],
  ['GET', '/v1/orders/{external_id}/history', listOrderHistory],
  ['POST', '/v1/orders/{external_id}/cancel', cancelOrder],
  ['POST', '/v1/orders/{external_id}/close', closeOrder],
  ['POST', '/v1/orders/{external_id}/paid', recordPrepayment],
  ['GET', '/v1/orders/{external_id}/redirect_url', getRedirectUrl],

  ['POST', '/v1/invoices', createInvoice, '/v1/invoices/{external_id}'],
  ['GET', '/v1/invoices', listInvoices],
  ['GET', '/v1/invoices/{external_id}', getInvoice],
  ['PUT', '/v1/invoices/{external_id}', replaceInvoice],
  ['GET', '/v1/invoices/{external_id}/history', listInvoiceHistory],
  ['GET', '/v1/invoices/{external_id}/payment_details', getInvoicePaymentDetails],
  ['POST', '/v1/credit_notes', createCreditNote, '/v1/credit_notes/{external_id}'],
  ['GET', '/v1/credit_notes', listCreditNotes],
  ['GET', '/v1/credit_notes/{external_id}', getCreditNote],
  ['POST', '/v1/invoices/{external_id}/payments', createInvoicePayment],
  ['GET', '/v1/invoices/{external_id}/payments', listInvoicePayments],
  ['GET', '/v1/invoices/{external_id}/charges', listInvoiceCharges],
  [
    'POST',
    '/v1/invoices/{external_id}/disputes',
    createDispute,
    '/v1/invoices/{invoice_external_id}/disputes/{external_id}',
  ],
  ['GET', '/v1/invoices/{external_id}/disputes', listDisputes],
  ['POST', '/v1/invoices/{external_id}/promises', createPromise],
  ['GET', '/v1/invoices/{external_id}/promises', listPromises],
  ['POST', '/v1/invoices/{external_id}/promises/{promise_external_id}/withdraw', withdrawPromise],
  ['GET', '/v1/invoices/{external_id}/disputes/{dispute_external_id}', getDispute],
  ['POST', '/v1/invoices/{external_id}/disputes/{dispute_external_id}/accept', acceptDispute],
  ['POST', '/v1/invoices/{external_id}/disputes/{dispute_external_id}/reject', rejectDispute],
  ['POST', '/v1/invoices/{external_id}/disputes/{dispute_external_id}/withdraw', withdrawDispute],
  ['POST', '/v1/invoices/{external_id}/payments/{payment_external_id}/reverse', reverseInvoicePayment],
  ['POST', '/v1/invoices/calculate_fees', calculateFees],
  [
    'POST',
    '/v1/invoices/{external_id}/services/{service_type}',
    requestInvoiceService,
    '/v1/invoices/{invoice_external_id}/services/{service_type}',
  ],
  ['GET', '/v1/invoices/{external_id}/services', listInvoiceServices],
  ['GET', '/v1/invoices/{external_id}/services/{service_type}', getInvoiceService],
  ['GET', '/v1/invoices/{external_id}/services/{service_type}/requirements', listInvoiceServiceRequirements],
  ['POST', '/v1/invoices/{external_id}/services/{service_type}/cancel', cancelInvoiceService],
  ['POST', '/v1/invoices/{external_id}/paid', payInvoice],
  ['POST', '/v1/invoices/{external_id}/refund', refundInvoice],
  [
    'POST',
    '/v1/invoices/{external_id}/files',
    createInvoiceFile,
    '/v1/invoices/{invoice_external_id}/files/{external_id}',
  ],
  ['GET', '/v1/invoices/{external_id}/documents/{kind}', getInvoiceDocument],
  ['GET', '/v1/invoices/{external_id}/filed_documents', listFiledDocuments],
  ['GET', '/v1/invoices/{external_id}/filed_documents/{document_id}', getFiledDocument],
  ['GET', '/v1/invoices/{external_id}/files', listInvoiceFiles],
  ['GET', '/v1/invoices/{external_id}/files/{file_external_id}', getInvoiceFile],
  ['DELETE', '/v1/invoices/{external_id}/files/{file_external_id}', deleteInvoiceFile],

  ['GET', '/v1/ledger/trial_balance', getTrialBalance],
  ['GET', '/v1/ledger/statement', getLedgerStatement],
  ['GET', '/v1/ledger/entries/{entry_id}', getLedgerEntry],

  ['GET', '/v1/businesses/search', searchBusinesses],
  ['GET', '/v1/legal_forms', listLegalForms],

  ['POST', '/v1/webhooks', createWebhook, '/v1/webhooks/{type}'],
  ['GET', '/v1/webhooks', listWebhooks],
  ['PUT', '/v1/webhooks/{type}', replaceWebhook],
  ['DELETE', '/v1/webhooks/{type}/unsubscribe', deleteWebhook],
  ['POST', '/v1/webhooks/{type}/signature_key', rotateWebhookKey],
  ['POST', '/v1/webhooks/{type}/test', testWebhook],
  ['GET', '/v1/webhooks/{type}/deliveries', listWebhookDeliveries],
  ['GET', '/v1/webhooks/{type}/history', listWebhookHistory],
  ['POST', '/v1/webhooks/{type}/recover', recoverWebhook],
  ['GET', '/v1/events', listEvents],
  ['GET', '/v1/events/{event_id}', getEvent],
  ['POST', '/v1/events/{event_id}/redeliver', redeliverEvent],

  ['GET', '/v1/sandbox/clock', getSandboxClock],
  ['POST', '/v1/sandbox/clock', setSandboxClock],
  ['POST', '/v1/sandbox/facilities', simulateFacility],
  ['POST', '/v1/sandbox/orders', simulateOrder],
  ['POST', '/v1/sandbox/invoices', simulateInvoice],
  ['POST', '/v1/sandbox/payout_instructions', simulatePayoutInstruction],
  ['POST', '/v1/sandbox/services', simulateService],
  ['POST', '/v1/sandbox/payouts', simulatePayout],
  ['POST', '/v1/sandbox/bank_entries', simulateBankEntry],

  ['GET', '/v1/meta', getMeta],
  ['GET', '/v1/meta/state_machines', listStateMachines],
];
