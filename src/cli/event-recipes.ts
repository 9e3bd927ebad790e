/** How each event is made in a sandbox. */
import type { EventType } from '#kernel/event';
import type { SandboxStory } from './sandbox-story.ts';

type Recipe = (story: SandboxStory) => Promise<unknown>;

const service =
  (type: string, ...triggers: string[]): Recipe =>
  (story) =>
    story.service(type, ...triggers);
const facility =
  (script: string, ...triggers: string[]): Recipe =>
  (story) =>
    story.simulatedFacility(script, ...triggers);
const payout =
  (...triggers: string[]): Recipe =>
  (story) =>
    story.payout(...triggers);

/** Creates an invoice with a dispute. Returns the path of the dispute. */
async function dispute(story: SandboxStory): Promise<string> {
  const path = `/v1/invoices/${await story.invoice()}/disputes`;
  const external_id = `${path.split('/').at(-2)}-dispute`;
  await story.post(path, { external_id, reason: 'DAMAGED', amount: 1_190, comment: 'A bag was torn.' });
  return `${path}/${external_id}`;
}

/** The recipe of each event. A missing event needs a person, a registry, or several other events before it. */
export const EVENT_RECIPES: Partial<Record<EventType, Recipe>> = {
  'BUYER.CREATED': (story) => story.buyer(),
  'BUYER.UPDATED': async (story) =>
    story.send('PUT', `/v1/buyers/${await story.buyer()}/settings`, { language: 'FR' }),
  'CREDIT_NOTE.CREATED': async (story) => {
    const invoice = await story.invoice();
    const amount = { net: 1_000, tax: 190, gross: 1_190 };
    const external_id = `${invoice}-credit`;
    return story.post('/v1/credit_notes', {
      external_id,
      invoice_external_id: invoice,
      reason_code: 'RETURN',
      amount,
    });
  },
  'DISPUTE.OPENED': (story) => dispute(story),
  'DISPUTE.RESOLVED': async (story) =>
    story.post(`${await dispute(story)}/reject`, { comment: 'All bags were whole.' }),
  'FACILITY.CREATION.ACCEPTED': (story) => story.facility(),
  'FACILITY.CREATION.IN_REVIEW': (story) => story.facility('in-review'),
  'FACILITY.CREATION.REJECTED': (story) => story.facility('rejected'),
  'FACILITY.EXPIRED': facility('accepted', 'expire'),
  'FACILITY.FROZEN': facility('accepted', 'freeze'),
  'FACILITY.INCREASE.ACCEPTED': async (story) => {
    const buyer_external_id = await story.simulatedFacility('accepted');
    return story.post('/v1/sandbox/facilities', {
      buyer_external_id,
      trigger: 'increase',
      total_amount: 9_000_000,
    });
  },
  'FACILITY.INCREASE.IN_REVIEW': async (story) => {
    const buyer = await story.simulatedFacility('in-review');
    return story.post(`/v1/buyers/${buyer}/facility/increase`, { requested_amount: 9_000_000 });
  },
  'FACILITY.INCREASE.REJECTED': facility('accepted', 'reject_increase'),
  'FACILITY.RENEWAL.ACCEPTED': facility('accepted', 'renew'),
  'FACILITY.RENEWAL.IN_REVIEW': async (story) =>
    story.post(`/v1/buyers/${await story.simulatedFacility('in-review')}/facility/renew`),
  'FACILITY.RENEWAL.REJECTED': facility('accepted', 'reject_renewal'),
  'FACILITY.UNFROZEN': facility('accepted', 'freeze', 'unfreeze'),
  'INVOICE.CANCELLED': async (story) => story.post(`/v1/invoices/${await story.invoice()}/refund`),
  'INVOICE.CLOSED': async (story) => story.simulateInvoice(await story.invoice(), 'pay'),
  'INVOICE.COLLECTION.CANCELLED': service('COLLECTION', 'accept', 'cancel'),
  'INVOICE.COLLECTION.COLLECTED': service('COLLECTION', 'accept', 'collect'),
  'INVOICE.COLLECTION.EARLY_COLLECTION': service('COLLECTION', 'accept'),
  'INVOICE.COLLECTION.IN_REVIEW': service('COLLECTION'),
  'INVOICE.COLLECTION.LATE_COLLECTION': service('COLLECTION', 'accept', 'escalate'),
  'INVOICE.COLLECTION.REJECTED': service('COLLECTION', 'reject'),
  'INVOICE.COLLECTION.UNCOLLECTIBLE': service('COLLECTION', 'accept', 'escalate', 'give_up'),
  'INVOICE.CREATED': (story) => story.invoice(),
  'INVOICE.DUE': async (story) => story.simulateInvoice(await story.invoice(), 'advance_to_due'),
  'INVOICE.FILE.CREATED': (story) => story.file(),
  'INVOICE.FILE.DELETED': async (story) => story.send('DELETE', await story.file()),
  'INVOICE.FINANCING.CANCELLED': service('FINANCING', 'cancel'),
  'INVOICE.FINANCING.IN_REVIEW': service('FINANCING'),
  'INVOICE.FINANCING.REJECTED': service('FINANCING', 'reject'),
  'INVOICE.INSURANCE.ACCEPTED': service('INSURANCE', 'accept'),
  'INVOICE.INSURANCE.CANCELLED': service('INSURANCE', 'accept', 'cancel'),
  'INVOICE.INSURANCE.CLAIM_DENIED': service('INSURANCE', 'accept', 'notify_claim', 'assess', 'deny_claim'),
  'INVOICE.INSURANCE.CLAIM_IN_ASSESSMENT': service('INSURANCE', 'accept', 'notify_claim', 'assess'),
  'INVOICE.INSURANCE.CLAIM_NOTIFIED': service('INSURANCE', 'accept', 'notify_claim'),
  'INVOICE.INSURANCE.CLAIM_PAID': service('INSURANCE', 'accept', 'notify_claim', 'assess', 'pay_claim'),
  'INVOICE.INSURANCE.COVER_EXPIRED': service('INSURANCE', 'accept', 'expire'),
  'INVOICE.INSURANCE.IN_REVIEW': service('INSURANCE'),
  'INVOICE.INSURANCE.REJECTED': service('INSURANCE', 'reject'),
  'INVOICE.PAYMENT.RECORDED': async (story) => story.simulateInvoice(await story.invoice(), 'pay'),
  'INVOICE.PAYMENT.REVERSED': reversed,
  'INVOICE.REOPENED': reversed,
  'INVOICE.UPDATED': (story) => story.postponedInvoice(),
  'MERCHANT.ENROLLED': (story) => story.merchant(),
  'ORDER.CANCELLED': async (story) =>
    story.simulateOrder(await story.order(await story.facility()), 'cancel'),
  'ORDER.CLOSED': async (story) => story.simulateInvoice(await story.invoiceOfOrder(), 'pay'),
  'ORDER.CONFIRMED': async (story) => story.order(await story.facility()),
  'ORDER.EXPIRED': async (story) => story.simulateOrder(await story.order(await story.facility()), 'expire'),
  'ORDER.PENDING_CONFIRMATION': async (story) =>
    story.order(await story.simulatedFacility('review-then-accept')),
  'PAYOUT.FAILED': payout('instruct', 'confirm', 'return'),
  'PAYOUT.PAID': payout('instruct', 'confirm'),
  'PAYOUT.SCHEDULED': payout(),
  'PAYOUT_INSTRUCTION.UNVERIFIED': async (story) =>
    story.payoutInstruction(await story.merchant(), 'verify', 'unverify'),
  'WEBHOOK.TEST': (story) => story.testedWebhook(),
  'PAYOUT_INSTRUCTION.VERIFIED': async (story) => story.payoutInstruction(await story.merchant(), 'verify'),
};

async function reversed(story: SandboxStory) {
  const invoice = await story.invoice();
  await story.simulateInvoice(invoice, 'pay');
  return story.simulateInvoice(invoice, 'reverse');
}
