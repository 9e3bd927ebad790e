import { defineLifecycle } from '#kernel/lifecycle';

export const collectionLifecycle = defineLifecycle({
  name: 'Collection',
  states: [
    'IN_REVIEW',
    'EARLY_COLLECTION',
    'LATE_COLLECTION',
    'COLLECTED',
    'UNCOLLECTIBLE',
    'REJECTED',
    'CANCELLED',
  ],
  transitions: [
    {
      from: null,
      trigger: 'request',
      to: 'IN_REVIEW',
      event: 'INVOICE.COLLECTION.IN_REVIEW',
      guard: 'no collection of the invoice is active',
      why: 'A collector is to get the money from the buyer.',
    },
    {
      from: 'IN_REVIEW',
      trigger: 'accept',
      to: 'EARLY_COLLECTION',
      event: 'INVOICE.COLLECTION.EARLY_COLLECTION',
      why: 'The collector reminds the buyer.',
    },
    {
      from: 'IN_REVIEW',
      trigger: 'reject',
      to: 'REJECTED',
      event: 'INVOICE.COLLECTION.REJECTED',
      why: 'The collector refused.',
    },
    {
      from: 'EARLY_COLLECTION',
      trigger: 'escalate',
      to: 'LATE_COLLECTION',
      event: 'INVOICE.COLLECTION.LATE_COLLECTION',
      why: 'The buyer did not pay after reminders.',
    },
    {
      from: 'EARLY_COLLECTION',
      trigger: 'collect',
      to: 'COLLECTED',
      event: 'INVOICE.COLLECTION.COLLECTED',
      why: 'The buyer paid.',
    },
    {
      from: 'EARLY_COLLECTION',
      trigger: 'cancel',
      to: 'CANCELLED',
      event: 'INVOICE.COLLECTION.CANCELLED',
      why: 'The claim was withdrawn from the collector.',
    },
    {
      from: 'LATE_COLLECTION',
      trigger: 'collect',
      to: 'COLLECTED',
      event: 'INVOICE.COLLECTION.COLLECTED',
      why: 'The buyer paid.',
    },
    {
      from: 'LATE_COLLECTION',
      trigger: 'give_up',
      to: 'UNCOLLECTIBLE',
      event: 'INVOICE.COLLECTION.UNCOLLECTIBLE',
      why: 'Nothing can be collected from the buyer.',
    },
  ],
});
