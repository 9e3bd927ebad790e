/** Each POST of the API, as a request that can be sent once, in this order, with its prerequisites. */

import { systemClock } from '#infra/time/clock';
import { DAY_SECONDS } from '#kernel/day';
import { addMainAccount } from './bank-account.ts';
import { buyerBody, draftOrderBody, invoiceBody, merchantBody } from './bodies.ts';
import { creditNoteBody } from './credit-notes.ts';
import { nameDecision } from './decisions.ts';
import { recordNamedEvent } from './events.ts';
import { FILES } from './files.ts';
import { sepaBody } from './payees.ts';
import { namePayout } from './payout-rows.ts';
import type { World } from './world.ts';

const term = { payment_method: 'TRANSFER', payment_term: 'PREPAYMENT' };
const order = (external_id: string, more: object = {}) =>
  draftOrderBody({ external_id, buyer_external_id: 'b1', merchant_external_id: 'm1', ...more });

const IBAN = 'DE89370400440532013000';
const EVENT = '00000000-0000-4000-8000-000000000002';
const DECISION = '00000000-0000-4000-8000-000000000001';

export const EVERY_POST: Record<string, { path: string; body?: object }> = {
  createBuyer: { path: '/v1/buyers', body: buyerBody({ external_id: 'b2' }) },
  createMerchant: { path: '/v1/merchants', body: merchantBody({ external_id: 'm2' }) },
  createPageLink: { path: '/v1/buyers/b1/page_link' },
  createContact: { path: '/v1/contacts', body: { external_id: 'c1', buyer_external_id: 'b1' } },
  createPayoutInstruction: {
    path: '/v1/payout_instructions',
    body: sepaBody({ external_id: 'a1', merchant_external_id: 'm1' }),
  },
  createMandate: { path: '/v1/buyers/b1/mandates', body: { iban: IBAN } },
  revokeMandate: { path: '/v1/buyers/b1-accepted/mandates/TO-REVOKE/revoke' },
  createFacility: { path: '/v1/buyers/b1-accepted/facility', body: {} },
  renewFacility: { path: '/v1/buyers/b1-low-limit/facility/renew' },
  requestIncrease: { path: '/v1/buyers/b1-low-limit/facility/increase', body: { requested_amount: 20_000 } },
  evaluateWhatIf: { path: `/v1/decisions/${DECISION}/what_if`, body: { inputs: { orders_closed: 5 } } },
  createDraftOrder: { path: '/v1/orders/draft', body: order('o1') },
  createOrder: { path: '/v1/orders', body: order('o2', term) },
  cancelOrder: { path: '/v1/orders/to-cancel/cancel' },
  closeOrder: { path: '/v1/orders/to-close/close' },
  recordPrepayment: { path: '/v1/orders/to-pay/paid' },
  createInvoiceFile: {
    path: '/v1/invoices/with-file/files?file_external_id=f1&kind=INVOICE&name=x.pdf',
    body: FILES['application/pdf'],
  },
  createInvoice: {
    path: '/v1/invoices',
    body: invoiceBody({ external_id: 'i1', buyer_external_id: 'b1', merchant_external_id: 'm1' }),
  },
  createInvoicePayment: {
    path: '/v1/invoices/i1/payments',
    body: { external_id: 'p1', amount: 1, received_by: 'PLATFORM' },
  },
  reverseInvoicePayment: { path: '/v1/invoices/i1/payments/p1/reverse', body: { reason: 'Returned' } },
  payInvoice: { path: '/v1/invoices/i1/paid', body: {} },
  refundInvoice: { path: '/v1/invoices/i1/refund' },
  createCreditNote: {
    path: '/v1/credit_notes',
    body: creditNoteBody({ external_id: 'cn1', invoice_external_id: 'to-credit' }),
  },
  createDispute: {
    path: '/v1/invoices/to-dispute/disputes',
    body: { external_id: 'd1', reason: 'DAMAGED', amount: 1 },
  },
  acceptDispute: { path: '/v1/invoices/to-dispute/disputes/to-accept/accept', body: {} },
  rejectDispute: { path: '/v1/invoices/to-dispute/disputes/to-reject/reject', body: { comment: 'No' } },
  withdrawDispute: { path: '/v1/invoices/to-dispute/disputes/to-withdraw/withdraw' },
  createPromise: {
    path: '/v1/invoices/to-dispute/promises',
    body: { external_id: 'pr1', amount: 1, until: systemClock.now() + DAY_SECONDS },
  },
  withdrawPromise: { path: '/v1/invoices/to-dispute/promises/to-withdraw/withdraw' },
  calculateFees: {
    path: '/v1/invoices/calculate_fees',
    body: {
      ...{ merchant_external_id: 'm1', buyer_external_id: 'b1' },
      ...{ gross_amount: 10_000, due_at: systemClock.now() + 20 * DAY_SECONDS },
    },
  },
  requestInvoiceService: {
    path: '/v1/invoices/to-serve/services/COLLECTION',
    body: { terms_accepted_at: 1_763_640_000 },
  },
  cancelInvoiceService: { path: '/v1/invoices/to-serve/services/INSURANCE/cancel' },
  simulateService: {
    path: '/v1/sandbox/services',
    body: { invoice_external_id: 'with-file', service_type: 'INSURANCE', trigger: 'accept' },
  },
  createWebhook: { path: '/v1/webhooks', body: { type: 'BUYER', url: 'http://127.0.0.1:9/' } },
  rotateWebhookKey: { path: '/v1/webhooks/MERCHANT/signature_key' },
  testWebhook: { path: '/v1/webhooks/MERCHANT/test' },
  recoverWebhook: { path: '/v1/webhooks/MERCHANT/recover', body: { after: 0 } },
  redeliverEvent: { path: `/v1/events/${EVENT}/redeliver` },
  setSandboxClock: { path: '/v1/sandbox/clock', body: { advance_seconds: 1 } },
  simulateFacility: { path: '/v1/sandbox/facilities', body: { buyer_external_id: 'b1', trigger: 'grant' } },
  simulatePayoutInstruction: {
    path: '/v1/sandbox/payout_instructions',
    body: { external_id: 'a1', trigger: 'verify' },
  },
  simulatePayout: { path: '/v1/sandbox/payouts', body: { external_id: 'p1', trigger: 'return' } },
  simulateBankEntry: { path: '/v1/sandbox/bank_entries', body: { amount: 1, text: 'once' } },
  simulateOrder: { path: '/v1/sandbox/orders', body: { external_id: 'o1', trigger: 'cancel' } },
  simulateInvoice: {
    path: '/v1/sandbox/invoices',
    body: { external_id: 'with-file', trigger: 'pay', amount: 1 },
  },
};

const TO_CREDIT = invoiceBody({
  ...{ external_id: 'to-credit', buyer_external_id: 'b1', merchant_external_id: 'm1' },
});

export async function prepareEveryPost(world: World): Promise<void> {
  await addMainAccount(world);
  await world.post('/v1/merchants', merchantBody({ external_id: 'm1' }));
  for (const external_id of ['b1', 'b1-accepted', 'b1-low-limit'])
    await world.post('/v1/buyers', buyerBody({ external_id }));
  await world.post('/v1/buyers/b1-accepted/mandates', { iban: IBAN, reference: 'TO-REVOKE' });
  await world.post('/v1/buyers/b1-low-limit/facility', {});
  await nameDecision(world, world.platform.platform_id, 'b1-low-limit', DECISION);
  await world.post('/v1/invoices', TO_CREDIT);
  await world.post('/v1/invoices', { ...TO_CREDIT, external_id: 'to-dispute' });
  for (const external_id of ['to-accept', 'to-reject', 'to-withdraw'])
    await world.post('/v1/invoices/to-dispute/disputes', { external_id, reason: 'OTHER', amount: 119 });
  const until = systemClock.now() + DAY_SECONDS;
  await world.post('/v1/invoices/to-dispute/promises', { external_id: 'to-withdraw', amount: 1, until });
  await world.post('/v1/orders/draft', order('to-cancel'));
  for (const id of ['to-close', 'to-pay']) await world.post('/v1/orders', order(id, term));
  await world.post(
    '/v1/invoices',
    invoiceBody({ external_id: 'with-file', buyer_external_id: 'b1', merchant_external_id: 'm1' }),
  );
  await world.post(
    '/v1/invoices',
    invoiceBody({ external_id: 'to-serve', buyer_external_id: 'b1', merchant_external_id: 'm1' }),
  );
  for (const invoice of ['to-serve', 'with-file'])
    await world.post(`/v1/invoices/${invoice}/services/INSURANCE`, { terms_accepted_at: 1_763_640_000 });
  await world.post('/v1/webhooks', { type: 'MERCHANT', url: 'http://127.0.0.1:9/' });
  await recordNamedEvent(world, world.platform.platform_id, EVENT, 'm1');
  await world.post('/v1/payout_instructions', sepaBody({ external_id: 'paid', merchant_external_id: 'm1' }));
  const paid = { externalId: 'p1', merchant: 'm1', instruction: 'paid' };
  await namePayout(world, world.platform.platform_id, paid);
}
